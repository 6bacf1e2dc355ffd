import { starting } from '../../text/en.start.ts';
import { localize } from '../../text/text.ts';

/** Words of the first minutes; they load with them. */
export const words = localize(starting);
