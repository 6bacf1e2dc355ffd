import { useQuery } from '@tanstack/react-query';
import { accountQuery } from '../shared/account/account.api.ts';
import { DeviceHome } from '../features/devices/home/device-home.tsx';
import { HomeState } from '../features/devices/home/home-state.tsx';
import { useHomeDialogs } from '../features/devices/home/use-home-dialogs.ts';
import { useHomeList } from '../features/devices/home/use-home-list.ts';
import { useHomeMapInput, useHomeMapView, useHomeSymbols } from '../features/devices/home/use-home-map-props.ts';
import { useHomeStart } from '../features/devices/home/use-home-start.ts';
import { useSwitchAudience } from '../features/devices/home/use-switch-audience.ts';
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
const Foot = lazyPart(async () => (await import('./home-foot.tsx')).Foot);

export function Component() {
  const user_id = useQuery(accountQuery).data?.user_id;
  return (
    <HomeState userId={user_id}>
      <DeviceHome map={<Map />} start={<Start />} views={<Views />} foot={user_id && <Foot user_id={user_id} />} />
    </HomeState>
  );
}

function Map() {
  return <DeviceMap {...useHomeSymbols()} {...useHomeMapView()} {...useHomeMapInput()} />;
}

function Start() {
  const { add } = useHomeDialogs();
  return <StartPanel seen={useHomeStart().watched} onAdd={() => add()} onSeen={useSwitchAudience()} />;
}

function Views() {
  const { facets } = useHomeList().counts;
  return <SavedViewsButton swarms={facets?.swarms ?? []} />;
}
