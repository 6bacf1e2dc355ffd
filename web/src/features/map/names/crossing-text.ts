import { formatNumber } from '../../../text/text.ts';
import { words } from '../map-words.ts';

/** "54.5° N 9° E". */
export function crossingText({ latitude, longitude }: { latitude: number; longitude: number }): string {
  const parallel = formatNumber(Math.abs(latitude));
  const meridian = formatNumber(Math.abs(longitude));
  const north = latitude < 0 ? words.south(parallel) : words.north(parallel);
  return `${north} ${longitude < 0 ? words.west(meridian) : words.east(meridian)}`;
}
