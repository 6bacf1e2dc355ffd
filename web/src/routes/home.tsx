import { DeviceHome } from '../features/resources/home/device-home.tsx';
import { optional } from '../ui/lazy-part.tsx';

const later = () => import('./home-later.tsx');
const DeviceMap = optional(async () => (await import('../features/map/device-map.tsx')).DeviceMap);
// half of the page: with it, not after it
void DeviceMap.load();
const StartPanel = optional(async () => (await later()).StartPanel);
const SavedViews = optional(async () => (await later()).SavedViews);
const Foot = optional(async () => (await later()).Foot);

export function Component() {
  return (
    <DeviceHome
      renderMap={(props) => <DeviceMap {...props} />}
      renderStart={(props) => <StartPanel {...props} />}
      renderViews={(props) => <SavedViews {...props} />}
      renderFoot={(props) => <Foot {...props} />}
    />
  );
}
