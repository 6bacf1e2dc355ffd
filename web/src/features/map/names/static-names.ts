/** The names on a static map. */
import type { CountryName } from '../basemap/world.ts';
import type { MapColours } from '../canvas/map-colours.ts';
import type { Frame } from '../geometry/trace.ts';
import { createCitySource } from './cities.source.ts';
import { drawNames } from './names.draw.ts';
import { placeNames } from './names.place.ts';
import { createRuler } from './ruler.ts';

const nothing: ReadonlyMap<string, never> = new Map<string, never>();

/** `onLoad` is called when more names are loaded. */
export function createStaticNames({ colours, onLoad }: { colours: MapColours; onLoad: () => void }) {
  const cities = createCitySource({ onLoad });
  const ruler = createRuler(colours);
  return {
    draw({
      context,
      countries,
      frame,
      zoom,
    }: {
      context: CanvasRenderingContext2D;
      countries: readonly CountryName[];
      frame: Frame;
      zoom: number;
    }): void {
      const screen = { left: 0, top: 0, right: frame.width, bottom: frame.height };
      const taken = { screen, view: screen, covered: [], spots: [], boxes: [] };
      const files = cities.at(zoom);
      drawNames({ context, names: placeNames({ countries, files, frame, taken, ruler, before: nothing }), colours });
    },
    stop: cities.stop,
  };
}
