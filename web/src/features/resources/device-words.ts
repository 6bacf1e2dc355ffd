import { device } from '../../text/en.device.ts';
import { localize } from '../../text/text.ts';

/** Words of dialogs, forms and the page of a device; they load with the first of these. */
export const words = localize(device);
