import { formatNumber, t } from '../../../text/text.ts';

/** "54.5° N 9° E". */
export function crossingText({ latitude, longitude }: { latitude: number; longitude: number }): string {
  const parallel = formatNumber(Math.abs(latitude));
  const meridian = formatNumber(Math.abs(longitude));
  const north = latitude < 0 ? t.map.south(parallel) : t.map.north(parallel);
  return `${north} ${longitude < 0 ? t.map.west(meridian) : t.map.east(meridian)}`;
}
