/** How names are sorted, and how names and descriptions are searched. One definition for what is stored and for what is typed. Imports no module. */

/** Letters that Unicode does not decompose into a plain letter and an accent. */
const plainLetters: Record<string, string> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ς: 'σ',
};

/** The text without case and accents: "Ærø" is "aero". */
export function plainText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()
    .replace(/[łøđðħıßæœþς]/g, (letter) => plainLetters[letter]!);
}

/** The text without case, accents, punctuation and invisible characters: "Rostock–Laage" is "rostocklaage". */
export const searchText = (text: string): string => plainText(text).replace(/[\p{P}\p{Cf}]/gu, '');

/** Each word is looked for in each device. */
const mostWords = 12;
const beginningOfId = /^[0-9a-f]{8}-[0-9a-f-]*$/i;

/**
 * The words that must all occur in what a search finds. Whitespace and punctuation separate words; an apostrophe does
 * not ("O'Hare"), and neither do the hyphens of an id. A word that is part of another one is left out. If only punctuation is
 * typed, it is the word: it is in no folded text.
 */
export function searchWords(typed: string): string[] {
  const parts = typed
    .split(/\s+/)
    .flatMap((part) => (beginningOfId.test(part) ? [part] : part.split(/[\p{P}--['’]]+/v)));
  const words = [...new Set(parts.map(searchText))].filter((word) => word !== '');
  if (words.length === 0)
    return (
      typed
        .replace(/\p{Cf}/gu, '')
        .match(/\S+/g)
        ?.slice(0, mostWords) ?? []
    );
  return words.filter((word) => !words.some((other) => other !== word && other.includes(word))).slice(0, mostWords);
}

/** True if a word may be the beginning of an id. Ids are UUIDv7: fewer characters are a time, the same for an hour. */
export function mayBeginId(word: string): boolean {
  return /^[0-9a-f]{8,}$/.test(word);
}

/** A name regardless of case. It does not depend on the user's language, so that all users have the same order. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** The folded name, with the length of each number before it, so that "Sensor 2" sorts before "Sensor 10". */
export function nameKey(name: string): string {
  return fold(name).replace(/\d+/g, (digits) => {
    const significant = digits.replace(/^0+(?=.)/, '');
    return String.fromCharCode(48 + Math.min(significant.length, 9)) + significant;
  });
}
