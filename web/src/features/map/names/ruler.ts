import { isolate } from '../../../ui/fit-text.ts';
import type { MapColours } from '../canvas/map-colours.ts';

export const countryStyle = { font: '600 10.5px', spacing: '1px' };
export const crossingStyle = { font: '400 10.5px', spacing: '0px' };
export const cityStyle = { font: '500 12px', spacing: '0px' };

type Style = typeof countryStyle;

/** Scripts with joined letters, which must be measured as whole words. */
const joined = /[\p{sc=Arab}\p{sc=Deva}\p{sc=Beng}\p{sc=Thai}\p{sc=Mong}\p{sc=Syrc}]/u;

export function setStyle({
  context,
  style: { font, spacing },
  text,
  colours,
}: {
  context: CanvasRenderingContext2D;
  style: Style;
  text: string;
  colours: MapColours;
}): void {
  context.font = `${font} ${colours.font}`;
  context.letterSpacing = joined.test(text) ? '0px' : spacing;
}

/** Measures the width of names, in px. */
export interface Ruler {
  country(text: string): number;
  city(text: string): number;
  crossing(text: string): number;
}

/** Measures each name once. */
export function createRuler(colours: MapColours): Ruler {
  const context = document.createElement('canvas').getContext('2d');
  const ruler = (style: Style) => {
    const known = new Map<string, number>();
    return (text: string): number => {
      const width = known.get(text);
      if (width !== undefined || context === null) return width ?? 0;
      setStyle({ context, style, text, colours });
      const measured = context.measureText(isolate(text)).width;
      known.set(text, measured);
      return measured;
    };
  };
  return { country: ruler(countryStyle), city: ruler(cityStyle), crossing: ruler(crossingStyle) };
}
