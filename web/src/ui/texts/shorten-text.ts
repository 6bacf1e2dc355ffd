/** Shorter names are cut at the end, because their middle is too short. */
const shortest = 16;
/** Names differ at their ends, so some characters at the end stay: fewer where there is little room. */
const tailLengths = (length: number) => (length < 20 ? [6] : [12, 6]);
/** A single character before the ellipsis is not useful. */
const leastHead = 2;

/** Shared, because making one is expensive. */
let segmenter: Intl.Segmenter | undefined;

/** The user-perceived characters (grapheme clusters). */
function charactersOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const leftToRight = /[\p{L}--[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]]/v;
const directionMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Whether parts of it run in different directions. Without its middle, such a text would be shown in another order. */
function isMixed(text: string): boolean {
  return directionMarks.test(text) || (rightToLeft.test(text) && leftToRight.test(text));
}

/** Whether a long name is cut in the middle. Others are cut at the end. */
export function isCutInMiddle(text: string): boolean {
  // A character has at least one code unit, so the cheap check comes first.
  return text.length >= shortest && !isMixed(text) && charactersOf(text).length >= shortest;
}

interface ShortenTextOptions {
  text: string;
  width: number;
  measure: (text: string) => number;
}

/** The text, or as much of it as is at most `width` wide, with an ellipsis in the middle or at the end. */
export function shortenText({ text, width, measure }: ShortenTextOptions): string {
  if (measure(text) <= width) return text;
  const characters = charactersOf(text);
  const ends = isCutInMiddle(text) ? [...tailLengths(characters.length), 0] : [0];
  for (const length of ends) {
    const head = characters.slice(0, characters.length - length);
    const tail = characters.slice(characters.length - length).join('');
    const cut = (count: number) => `${head.slice(0, count).join('').trimEnd()}…${tail.trimStart()}`;
    let [low, high] = [0, head.length];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (measure(cut(middle)) <= width) low = middle;
      else high = middle - 1;
    }
    if (low >= leastHead || length === 0) return cut(low);
  }
  return '…';
}
