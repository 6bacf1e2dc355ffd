/**
 * What a device's text may be, without zod: the service's schemas, the CSV reader and the browser all hold it to the
 * same rules. A leaf.
 */
export const machineTypes = ['pc', 'bug', 'smartphone'] as const;
export const memberRoles = ['producer', 'consumer', 'both'] as const;
export const limits = {
  nameLength: 128,
  descriptionLength: 2000,
  bodyBytes: 65_536,
  bodyDepth: 8,
  membersAtOnce: 500,
} as const;
/** Of saved views. */
export const viewLimits = { nameLength: 64 } as const;

/** Length in code points, as a reader counts characters, not in UTF-16 units. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Something a reader can see: a letter, number, punctuation or symbol, but for fillers and the blank of Braille. */
export const visible = /[[\p{L}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800]]/v;

/** Control characters other than tab and line breaks: taken in no text. */
export const unprintable = /[\p{Cc}--[\t\n\r]]/v;
