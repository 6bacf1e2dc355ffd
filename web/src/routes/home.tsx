import { DeviceHome } from '../features/resources/device-home.tsx';
import { late } from '../ui/late.tsx';

const later = () => import('./home-later.tsx');
const DeviceMap = late(async () => (await import('../features/map/device-map.tsx')).DeviceMap);
// half of the page: with it, not after it
void DeviceMap.load();
const StartPanel = late(async () => (await later()).StartPanel);
const SavedViews = late(async () => (await later()).SavedViews);
const Foot = late(async () => (await later()).Foot);

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
