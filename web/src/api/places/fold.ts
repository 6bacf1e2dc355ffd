/** Letters that Unicode does not take apart into a plain one and its accent. */
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

/** The same for words that people type alike: without case, accents and apostrophes. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}'’‘ʻʼ`]/gu, '')
    .toLowerCase()
    .replace(/[łøđðħıßæœþ]/g, (letter) => plain[letter] ?? letter);
}
