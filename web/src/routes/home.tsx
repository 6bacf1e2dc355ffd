import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { accountQuery } from '../features/account/account.api.ts';
import { DeviceHome } from '../features/resources/device-home.tsx';

const DeviceMap = lazy(async () => ({ default: (await import('../features/map/device-map.tsx')).DeviceMap }));
const StartPanel = lazy(async () => ({ default: (await import('../features/start/start-panel.tsx')).StartPanel }));
const HomeFoot = lazy(async () => ({ default: (await import('../features/start/home-foot.tsx')).HomeFoot }));
const CopyCode = lazy(async () => ({ default: (await import('../features/swarms/copy-code.tsx')).CopyCode }));
const UnfinishedImport = lazy(async () => ({
  default: (await import('../features/import/unfinished-import.tsx')).UnfinishedImport,
}));

export function Component() {
  const user_id = useQuery(accountQuery).data?.user_id;
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
      renderFoot={({ device, ...props }) =>
        user_id && (
          <Suspense>
            <HomeFoot {...props} copyCode={device && <CopyCode user_id={user_id} resource_id={device} />} />
            <UnfinishedImport user_id={user_id} />
          </Suspense>
        )
      }
    />
  );
}
