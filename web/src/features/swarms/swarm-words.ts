import { swarms } from '../../text/en.swarms.ts';
import { localize } from '../../text/text.ts';

/** Words of swarms and of inviting; they load with the first page that speaks of them. */
export const words = localize(swarms);
