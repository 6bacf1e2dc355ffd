import { palette } from '../../text/en.palette.ts';
import { localize } from '../../text/text.ts';

export const words = localize(palette);
