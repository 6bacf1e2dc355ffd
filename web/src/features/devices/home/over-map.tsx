import { lazyPart } from '../../../ui/lazy.tsx';
import { useHomeMap } from './use-home-map.ts';
import { useHomePlacing } from './use-home-placing.ts';
import { useSelectedDevice } from './use-selected-device.ts';

export const DeviceCard = lazyPart(async () => (await import('./device-card.tsx')).DeviceCard);
const PlaceNotice = lazyPart(async () => (await import('./place-notice.tsx')).PlaceNotice);

/** The notice of a device that is placed, or the card of the selected one: over the map, or in a phone's sheet. */
export function OverMap({ isInSheet = false }: { isInSheet?: boolean }) {
  const { handle: map, view } = useHomeMap();
  const { placing, busy, error, search, propose, placeAt, cancel } = useHomePlacing();
  const { id: selected } = useSelectedDevice();
  if (!placing) return selected !== null && <DeviceCard isInSheet={isInSheet} />;
  return (
    <PlaceNotice
      key={placing.id}
      name={placing.name}
      q={placing.q ?? ''}
      onSearch={search}
      proposed={placing.proposed}
      onGo={({ lat, lng, zoom }) => {
        map.current?.flyTo({ latitude: lat, longitude: lng }, zoom);
        map.current?.focus();
      }}
      centre={view}
      onPropose={propose}
      busy={busy}
      error={error}
      onPlace={placeAt}
      onCancel={cancel}
    />
  );
}
