import { lazy, Suspense } from 'react';
import { DeviceHome } from '../features/resources/device-home.tsx';

const DeviceMap = lazy(async () => ({ default: (await import('../features/map/device-map.tsx')).DeviceMap }));

export function Component() {
  return (
    <DeviceHome
      renderMap={(props) => (
        <Suspense>
          <DeviceMap {...props} />
        </Suspense>
      )}
    />
  );
}
