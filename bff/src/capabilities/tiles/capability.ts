import type { Core, Definition } from '../../core/capability.ts';
import { openSource, readSettings } from './settings.ts';
import { createTiles, type TileSource } from './tiles.ts';

export const tiles = {
  readSettings,
  open: openSource,
  create({ publicUrl, rates, userOf, now, warn }: Core, source: TileSource | undefined) {
    const { routes, measure, close } = createTiles({ source, publicUrl, rate: rates.tiles, userOf, now, warn });
    return { uncounted: routes, queues: () => ({ tiles: measure() }), close };
  },
} satisfies Definition;
