import { language } from '../../../text/language.ts';
import './streets.css';

const names = [
  ...(['land', 'sea', 'border', 'city', 'country', 'halo'] as const),
  ...(['street', 'street-edge', 'street-main', 'street-main-edge'] as const),
  ...(['street-path', 'street-rail', 'street-park', 'street-building'] as const),
];

/** The colours of streets in the current theme, from the CSS tokens, with the font and the language of their names. */
export type StreetLook = Record<(typeof names)[number] | 'font' | 'language', string>;

export function readStreetLook(): StreetLook {
  const style = getComputedStyle(document.body);
  const context = document.createElement('canvas').getContext('2d')!;
  const colours = names.map((name) => {
    // A worker does not know the system colours of the page.
    context.fillStyle = style.getPropertyValue(`--${name}`).trim();
    return [name, context.fillStyle];
  });
  return { ...Object.fromEntries(colours), font: style.fontFamily, language } as StreetLook;
}
