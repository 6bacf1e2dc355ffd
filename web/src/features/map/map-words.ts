import { mapLater } from '../../text/en.map-later.ts';
import { localize } from '../../text/text.ts';

/** Words of the map that no first look needs; they load with what says them. */
export const words = localize(mapLater);
