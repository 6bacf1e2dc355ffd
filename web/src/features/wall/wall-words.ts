import { wall } from '../../text/en.wall.ts';
import { localize } from '../../text/text.ts';

/** Words of the wall; they load with it. */
export const words = localize(wall);
