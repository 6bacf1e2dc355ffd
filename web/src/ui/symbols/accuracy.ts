import { formatDistance } from '../../text/formats.ts';
import { formatNumber, t } from '../../text/text.ts';

/** In metres, from ten kilometres on in those. */
export const formatAccuracy = (metres: number): string =>
  metres < 10_000 ? t.device.reported.metres(formatNumber(Math.ceil(metres))) : formatDistance(metres / 1000);

/** In metres. Within it, a device is found. */
const exact = 100;
export const isExact = (metres: number): boolean => metres <= exact;

/** What the user has to know of the own location before it becomes that of a device. Empty if it is exact. */
export const accuracyNote = (metres: number): string =>
  isExact(metres) ? '' : t.device.own_accuracy(formatAccuracy(metres));
