import { isolate } from '../../../text/isolate.ts';
import type { MapColours } from '../canvas/map-colours.ts';
import type { CountryName } from '../basemap/world.ts';
import type { Frame } from '../geometry/trace.ts';
import { citySource } from './cities.source.ts';
import { placeNames, type PlacedNames, type Ruler } from './names.place.ts';

const countryStyle = { font: '600 10.5px', spacing: '1px' };
const crossingStyle = { font: '400 10.5px', spacing: '0px' };
const cityStyle = { font: '500 12px', spacing: '0px' };

type Style = typeof countryStyle;

/** Scripts with joined letters, which must be measured as whole words. */
const joined = /[\p{sc=Arab}\p{sc=Deva}\p{sc=Beng}\p{sc=Thai}\p{sc=Mong}\p{sc=Syrc}]/u;

interface SetStyleOptions {
  context: CanvasRenderingContext2D;
  style: Style;
  text: string;
  colours: MapColours;
}

function setStyle({ context, style: { font, spacing }, text, colours }: SetStyleOptions): void {
  context.font = `${font} ${colours.font}`;
  context.letterSpacing = joined.test(text) ? '0px' : spacing;
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

const HALO = 3;
const DOT = 1.75;

interface DrawNamesOptions {
  context: CanvasRenderingContext2D;
  names: PlacedNames;
  colours: MapColours;
}

/** Draws names with halos, and the dots of cities. */
export function drawNames({ context, names: { countries, cities, crossings }, colours }: DrawNamesOptions): void {
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  context.lineWidth = HALO;
  context.strokeStyle = colours.halo;

  const write = (style: Style, text: string, x: number, y: number) => {
    setStyle({ context, style, text, colours });
    const shown = isolate(text);
    context.strokeText(shown, x, y);
    context.fillText(shown, x, y);
  };
  context.fillStyle = colours.country;
  for (const { text, x, y } of countries) write(countryStyle, text, x, y);
  for (const { text, x, y } of crossings) write(crossingStyle, text, x, y);
  context.fillStyle = colours.city;
  for (const { name, textX, textY } of cities) write(cityStyle, name, textX, textY);
  context.letterSpacing = '0px';
  context.beginPath();
  for (const { x, y, isCovered } of cities) {
    if (isCovered) continue;
    context.moveTo(x + DOT, y);
    context.arc(x, y, DOT, 0, 2 * Math.PI);
  }
  context.stroke();
  context.fill();
}

const nothing: ReadonlyMap<string, never> = new Map<string, never>();

interface DrawOptions {
  context: CanvasRenderingContext2D;
  countries: readonly CountryName[];
  frame: Frame;
  zoom: number;
}

/** The names on a static map. `onLoad` is called when more names are loaded. */
export function createStaticNames({ colours, onLoad }: { colours: MapColours; onLoad: () => void }) {
  const ruler = createRuler(colours);
  return {
    draw({ context, countries, frame, zoom }: DrawOptions): void {
      const screen = { left: 0, top: 0, right: frame.width, bottom: frame.height };
      const taken = { screen, view: screen, covered: [], discs: [], boxes: [] };
      const files = citySource.within(zoom, frame);
      drawNames({ context, names: placeNames({ countries, files, frame, taken, ruler, before: nothing }), colours });
    },
    stop: citySource.subscribe(onLoad),
  };
}
