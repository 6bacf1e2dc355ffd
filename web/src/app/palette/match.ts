import { plainText } from '@swarmdeck/bff/search-text';

/** Folds words like the server: without case, accents and punctuation. */
const fold = (text: string) =>
  plainText(text)
    .replace(/[\p{P}\s]+/gu, ' ')
    .trim();

/** How well a name fits the typed text. Higher is better. */
export const fits = { no: 0, misspelt: 1, partOfWord: 2, otherWords: 3, words: 4, beginning: 5 } as const;

/** Shorter words are one letter away from too many others. */
const shortestMisspelt = 4;

/** True if one letter of the typed word, not its first, is wrong, missing, too many or swapped with the next one. */
function beginsMisspelt({ word, typed }: { word: string; typed: string }): boolean {
  let same = 0;
  while (same < typed.length && typed[same] === word[same]) same += 1;
  if (same === 0 || typed.length < shortestMisspelt) return false;
  const [wanted, is] = [typed.slice(same), word.slice(same)];
  const swapped = `${wanted[1] ?? ''}${wanted[0] ?? ''}${wanted.slice(2)}`;
  return (
    is.slice(1).startsWith(wanted.slice(1)) ||
    is.slice(1).startsWith(wanted) ||
    is.startsWith(wanted.slice(1)) ||
    is.startsWith(swapped)
  );
}

/**
 * Every typed word must be at the beginning of a word of the label or of `also`, or at least be part of the label. If none is, one
 * letter of each may be wrong.
 */
export function score({ typed, label, also = '' }: { typed: string; label: string; also?: string }): number {
  const [wanted, name, other] = [fold(typed), fold(label), fold(also)];
  // Punctuation alone is compared unfolded.
  if (wanted === '') return label.includes(typed.trim()) ? fits.partOfWord : fits.no;
  if (name.startsWith(wanted)) return fits.beginning;
  const words = wanted.split(' ');
  const begins = (text: string, word: string) => ` ${text}`.includes(` ${word}`);
  if (words.every((word) => begins(name, word))) return fits.words;
  if (words.every((word) => begins(`${name} ${other}`, word))) return fits.otherWords;
  if (words.every((word) => name.includes(word))) return fits.partOfWord;
  const named = `${name} ${other}`.split(' ');
  const isAlmostThere = (typed: string) =>
    named.some((word) => word.startsWith(typed) || beginsMisspelt({ word, typed }));
  return words.every(isAlmostThere) ? fits.misspelt : fits.no;
}

/** Items with a match in their name come first. Equal ones keep their order. */
export function bestFirst<T extends { name: string }>({ typed, items }: { typed: string; items: readonly T[] }): T[] {
  const scored = items.map((item) => ({ item, points: score({ typed, label: item.name }) }));
  return scored.toSorted((a, b) => b.points - a.points).map(({ item }) => item);
}

/** Items whose name fits, the best first. None while nothing is typed. */
export function named<T extends { name: string }>({ typed, items }: { typed: string; items: readonly T[] }): T[] {
  if (typed.trim() === '') return [];
  return bestFirst({ typed, items: items.filter(({ name }) => score({ typed, label: name }) > 0) });
}

/** The text before, at and after the first match of the typed text. Null if there is none. */
export function hit({ text, typed }: { text: string; typed: string }): [string, string, string] | null {
  const wanted = typed.trim().toLowerCase();
  const low = text.toLowerCase();
  // A letter whose lower case has another length would shift the match.
  const at = wanted === '' || low.length !== text.length ? -1 : low.indexOf(wanted);
  return at < 0 ? null : [text.slice(0, at), text.slice(at, at + wanted.length), text.slice(at + wanted.length)];
}
