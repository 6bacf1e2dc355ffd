import { importing } from '../../text/en.import.ts';
import { localize } from '../../text/text.ts';

/** Words of the import; they load with its page. */
export const words = localize(importing);
