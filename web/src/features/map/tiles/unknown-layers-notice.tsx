import { t } from '../../../text/text.ts';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { MapNotice } from '../canvas/map-notice.tsx';

/** Vector tiles that the app cannot draw. */
export function UnknownLayersNotice({ name }: { name: string }) {
  return (
    <MapNotice className="map-tiles-notice" text={<Rich text={t.streets.unknown_layers} name={<Bdi>{name}</Bdi>} />} />
  );
}
