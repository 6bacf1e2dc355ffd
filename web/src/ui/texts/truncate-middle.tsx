import { useLayoutEffect, useRef, useState } from 'react';
import { inOrder } from '../../text/isolate.ts';
import { shortenText, isCutInMiddle } from './shorten-text.ts';
import './truncate-middle.css';
import { Bdi } from './rich.tsx';

/** A name on one line. If it is too long, its middle or its end is cut. The full name is read aloud and copied. */
export function TruncateMiddle({ text: given }: { text: string }) {
  const text = inOrder(given);
  return isCutInMiddle(text) ? <CutInMiddle text={text} /> : <Bdi className="cut-end">{text}</Bdi>;
}

function CutInMiddle({ text }: { text: string }) {
  const whole = useRef<HTMLSpanElement>(null);
  const [cut, setCut] = useState<string | null>(null);
  useLayoutEffect(() => {
    const element = whole.current;
    if (!element) return undefined;
    const fit = () => setCut(cutOf(element, text));
    fit();
    const sizes = new ResizeObserver(fit);
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [text]);
  return (
    <Bdi className="cut" title={text} data-cut={cut ?? undefined}>
      <span ref={whole} className="cut-end">
        {text}
      </span>
    </Bdi>
  );
}

let context: CanvasRenderingContext2D | null | undefined;

/** The shortened text; null if the text fits. */
function cutOf(element: HTMLElement, text: string): string | null {
  if (element.scrollWidth <= element.clientWidth) return null;
  context ??= document.createElement('canvas').getContext('2d');
  if (!context) return null;
  const ink = context;
  ink.font = getComputedStyle(element).font;
  // Widths of boxes are rounded.
  return shortenText({ text, width: element.clientWidth - 1, measure: (part) => ink.measureText(part).width });
}
