/** Letters that Unicode normalization does not decompose into a plain letter and an accent. */
const plain: Record<string, string> = {
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
};

/** Folds a text for searching: without case, accents and apostrophes. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}'’‘ʻʼ`]/gu, '')
    .toLowerCase()
    .replace(/[łøđðħıßæœþ]/g, (letter) => plain[letter] ?? letter);
}
