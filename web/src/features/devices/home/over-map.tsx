import { lazyPart } from '../../../ui/pages/lazy.tsx';
import { useHome } from './home-state.ts';

export const DeviceCard = lazyPart(async () => (await import('./device-card.tsx')).DeviceCard);
const PlaceNotice = lazyPart(async () => (await import('./place-notice.tsx')).PlaceNotice);

/** The notice of a device that is placed, or the card of the selected one: over the map, or in a phone's sheet. */
export function OverMap({ isInSheet = false }: { isInSheet?: boolean }) {
  const { placing } = useHome('placing');
  const { id: selected } = useHome('selected');
  if (placing) return <PlaceNotice key={placing.id} placing={placing} />;
  return selected !== null && <DeviceCard isInSheet={isInSheet} />;
}
