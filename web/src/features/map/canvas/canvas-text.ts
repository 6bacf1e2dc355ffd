import { splitForCut } from '../../../ui/truncate-middle.tsx';

/** Isolates somebody else's text, so that its direction changes nothing around it: what `<bdi>` is in a page. */
export function isolate(text: string): string {
  return `\u2068${text}\u2069`;
}

/** Cuts a name in its middle until it is at most `width` wide. */
export function fitText({
  text,
  width,
  measure,
}: {
  text: string;
  width: number;
  measure: (text: string) => number;
}): string {
  if (measure(text) <= width) return text;
  const { head, tail } = splitForCut(text);
  const characters = Array.from(new Intl.Segmenter().segment(head), ({ segment }) => segment);
  let [low, high] = [0, characters.length];
  const cut = (length: number) => `${characters.slice(0, length).join('').trimEnd()}…${tail.trimStart()}`;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (measure(cut(middle)) <= width) low = middle;
    else high = middle - 1;
  }
  return cut(low);
}
