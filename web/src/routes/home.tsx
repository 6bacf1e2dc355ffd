import { lazy, Suspense } from 'react';
import { DeviceHome } from '../features/resources/device-home.tsx';

const later = () => import('./home-later.tsx');
const DeviceMap = lazy(async () => ({ default: (await import('../features/map/device-map.tsx')).DeviceMap }));
const StartPanel = lazy(async () => ({ default: (await later()).StartPanel }));
const SavedViews = lazy(async () => ({ default: (await later()).SavedViews }));
const Foot = lazy(async () => ({ default: (await later()).Foot }));

export function Component() {
  return (
    <DeviceHome
      renderMap={(props) => (
        <Suspense>
          <DeviceMap {...props} />
        </Suspense>
      )}
      renderStart={(props) => (
        <Suspense>
          <StartPanel {...props} />
        </Suspense>
      )}
      renderViews={(props) => (
        <Suspense>
          <SavedViews {...props} />
        </Suspense>
      )}
      renderFoot={(props) => (
        <Suspense>
          <Foot {...props} />
        </Suspense>
      )}
    />
  );
}
