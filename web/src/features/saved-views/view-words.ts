import { savedViews } from '../../text/en.saved-views.ts';
import { localize } from '../../text/text.ts';

export const words = localize(savedViews);
