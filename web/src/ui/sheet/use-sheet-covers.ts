import { lowest, phone, useMedia } from '../browser/media.ts';
import type { Stop } from './sheet-stops.ts';

/** Whether the sheet of a phone covers the map: at its highest stop, except for a strip that cannot be used. */
export function useSheetCovers(stop: Stop): boolean {
  const isPhone = useMedia(phone);
  const isLowest = useMedia(lowest);
  return isPhone && stop === 'list' && !isLowest;
}
