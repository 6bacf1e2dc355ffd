import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { accountQuery } from '../shared/account/account.api.ts';
import { DeviceHome, preloadHome } from '../features/devices/home/device-home.tsx';
import { HomeState, useHome } from '../features/devices/home/home-state.ts';
import { useHomeMapInput, useHomeMapView, useHomeSymbols } from '../features/devices/home/use-home-map-props.ts';
import { useSwitchAudience } from '../features/devices/home/use-switch-audience.ts';
import type { NamedView } from '../features/saved-views/saved-views.tsx';
import { lazyPart } from '../ui/pages/lazy.tsx';

const DeviceMap = lazyPart(async () => (await import('../features/map/device-map.tsx')).DeviceMap);
const BoxSelect = lazyPart(async () => (await import('../features/map/frame/box-select.ts')).BoxSelect);
const StartPanel = lazyPart(async () => (await import('../features/start/start-panel.tsx')).StartPanel);
const SavedViewsButton = lazyPart(
  async () => (await import('../features/saved-views/saved-views.tsx')).SavedViewsButton,
);
const Foot = lazyPart(async () => (await import('./home-foot.tsx')).Foot);

const SavedViewForm = lazyPart(async () => (await import('../features/saved-views/saved-views.tsx')).SavedViewForm);

export { preloadHome as preload };

export function Component() {
  const user_id = useQuery(accountQuery).data?.user_id;
  const [named, setNamed] = useState<NamedView | null>(null);
  return (
    <HomeState userId={user_id}>
      <DeviceHome
        map={<Map />}
        start={<Start />}
        views={<SavedViewsButton named={named} onName={setNamed} />}
        foot={user_id && <Foot user_id={user_id} />}
      />
      {named && <ViewForm named={named} onClose={() => setNamed(null)} />}
    </HomeState>
  );
}

function Map() {
  const { onBox, ...input } = useHomeMapInput();
  return (
    <DeviceMap {...useHomeSymbols()} {...useHomeMapView()} {...input}>
      <BoxSelect onBox={onBox} />
    </DeviceMap>
  );
}

function Start() {
  const { add } = useHome('dialogs');
  const { showAll } = useHome('map');
  return (
    <StartPanel seen={useHome('start').watched} onAdd={() => add()} onSeen={useSwitchAudience()} onDemo={showAll} />
  );
}

function ViewForm(form: { named: NamedView; onClose(): void }) {
  const { facets } = useHome('list').counts;
  return <SavedViewForm swarms={facets?.swarms ?? []} {...form} />;
}
