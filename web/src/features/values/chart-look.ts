/** The colours of charts, from CSS: the theme, forced colours and print have their own. */
import { useEffect, useState } from 'react';

export const mostSeries = 8;
/** Lines that are told apart without their colours. */
const dashes: readonly number[][] = [[], [6, 3], [2, 3], [10, 3, 2, 3]];

export interface ChartLook {
  /** By the number of the series. */
  series: readonly string[];
  fg: string;
  muted: string;
  line: string;
  font: string;
}

function readLook(element: Element): ChartLook {
  const style = getComputedStyle(element);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return {
    series: Array.from({ length: mostSeries }, (_, number) => read(`--chart-${number + 1}`)),
    fg: read('--chart-fg'),
    muted: read('--chart-muted'),
    line: read('--chart-line'),
    font: style.fontFamily,
  };
}

/** The colours of the element, read again when the theme changes, and for print. Null until it is there. */
export function useChartLook(element: Element | null): ChartLook | null {
  const [look, setLook] = useState<ChartLook | null>(null);
  useEffect(() => {
    if (!element) return undefined;
    const read = () => setLook(readLook(element));
    read();
    const stop = new AbortController();
    for (const query of ['(forced-colors: active)', 'print'])
      matchMedia(query).addEventListener('change', read, { signal: stop.signal });
    const theme = new MutationObserver(read);
    theme.observe(document.documentElement, { attributeFilter: ['class'] });
    return () => {
      stop.abort();
      theme.disconnect();
    };
  }, [element]);
  return look;
}

/** The first four series differ by colour only, unless the user has forced colours; the others have dashes too. */
export function dashOf(number: number): number[] {
  const isForced = matchMedia('(forced-colors: active)').matches;
  return isForced ? (dashes[number % dashes.length] ?? []) : (dashes[Math.floor(number / 4)] ?? []);
}
