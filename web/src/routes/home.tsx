import { useQuery } from '@tanstack/react-query';
import { accountQuery } from '../shared/account/account.api.ts';
import { DeviceHome } from '../features/resources/home/device-home.tsx';
import { loadFirstTexts } from '../text/text.ts';
import { lazyPart } from '../ui/lazy.tsx';

const DeviceMap = lazyPart(
  async () => (await import('../features/map/device-map.tsx')).DeviceMap,
  undefined,
  loadFirstTexts,
);
const StartPanel = lazyPart(async () => (await import('../features/start/start-panel.tsx')).StartPanel);
const SavedViewsButton = lazyPart(
  async () => (await import('../features/saved-views/saved-views.tsx')).SavedViewsButton,
);
const HomeFoot = lazyPart(async () => (await import('../features/start/home-foot.tsx')).HomeFoot);
const CopyCode = lazyPart(async () => (await import('../features/swarms/invite/copy-code.tsx')).CopyCode);

export function Component() {
  const user_id = useQuery(accountQuery).data?.user_id;
  return (
    <DeviceHome
      userId={user_id}
      renderMap={(props) => <DeviceMap {...props} />}
      renderStart={(props) => <StartPanel {...props} />}
      renderViews={({ swarms, phone }) => <SavedViewsButton swarms={swarms} look={phone ? 'quiet' : 'plain'} />}
      renderFoot={(props) =>
        user_id && (
          <HomeFoot
            {...props}
            copyCode={props.device && <CopyCode user_id={user_id} resource_id={props.device.id} />}
          />
        )
      }
    />
  );
}
