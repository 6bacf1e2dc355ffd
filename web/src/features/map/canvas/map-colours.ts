import { useEffect, useState } from 'react';

const names = [
  'sea',
  'land',
  'coast',
  'border',
  'grat',
  'country',
  'city',
  'halo',
  'panel',
  'fg',
  'line',
  'accent',
  'field',
  'warn',
  'glyph',
  't-pc',
  't-bug',
  't-phone',
] as const;

/** The colours of the map in the current theme, from the CSS tokens, and the page's font. */
export type MapColours = Record<(typeof names)[number] | 'font', string>;

function readMapColours(element: Element): MapColours {
  const style = getComputedStyle(element);
  const colours = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  return { ...colours, font: style.fontFamily } as MapColours;
}

/** Calls the listener after a change of the theme or of forced colours. */
function watchMapColours(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ['class'] });
  const forced = matchMedia('(forced-colors: active)');
  forced.addEventListener('change', listener);
  return () => {
    observer.disconnect();
    forced.removeEventListener('change', listener);
  };
}

/** The map's colours, updated when the theme changes. */
export function useMapColours(): MapColours {
  const [colours, setColours] = useState(() => readMapColours(document.body));
  useEffect(() => watchMapColours(() => setColours(readMapColours(document.body))), []);
  return colours;
}
