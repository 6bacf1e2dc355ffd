import { help } from '../../text/en.help.ts';
import { localize } from '../../text/text.ts';
import type { KeyPlace, KeyTable } from '../../ui/key-table.ts';

export const words = localize(help);

type Listed = { [Place in KeyPlace]: Record<KeyTable[Place], string> };

/** No key without words, */
const listed: Listed = words.keys;
/** and no words without a key. */
export const keyWords: typeof words.keys = listed;
