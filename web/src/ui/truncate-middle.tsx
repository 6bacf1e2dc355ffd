import './truncate-middle.css';

/** Below this many characters the end alone is cut: there is no middle worth keeping. */
const shortest = 20;
const tailLength = 12;
/** One for all: it costs more to make than a page of names to cut. */
let segmenter: Intl.Segmenter | undefined;

/** Where a name is cut when it does not fit: its end is kept whole, because names differ at their ends. */
export function splitForCut(text: string): { head: string; tail: string } {
  // no character is less than one unit
  if (text.length < shortest) return { head: text, tail: '' };
  segmenter ??= new Intl.Segmenter();
  const characters = Array.from(segmenter.segment(text), ({ segment }) => segment);
  if (characters.length < shortest) return { head: text, tail: '' };
  return { head: characters.slice(0, -tailLength).join(''), tail: characters.slice(-tailLength).join('') };
}

/** A name on one line, cut in the middle where it must be. Read aloud and copied whole. */
export function TruncateMiddle({ text }: { text: string }) {
  const { head, tail } = splitForCut(text);
  if (tail === '') return <bdi className="cut-end">{text}</bdi>;
  return (
    <bdi className="cut" title={text}>
      <span className="visually-hidden">{text}</span>
      <span className="cut-head" aria-hidden="true">
        {head}
      </span>
      <span className="cut-tail" aria-hidden="true">
        {tail}
      </span>
    </bdi>
  );
}
