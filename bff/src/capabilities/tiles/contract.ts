/** The streets of the map. */
import type { Declaration } from '../../core/declaration.ts';
import { point } from '../../core/limits/operation-rows.ts';
import { tilesMemory } from './limits.ts';

/**
 * `GET /api/tiles`: the tiles over the built-in map; null if the operator has configured neither a tile server nor a file.
 *
 * `GET /api/tiles/:z/:x/:y` is an image of 256 pixels, `:y@2x` one of 512: PNG, JPEG or WebP; or a Mapbox Vector Tile. 404
 * `tile.not_found`: there is no such tile; 503 `tile.away`: not available now; 429 `rate.exceeded`. The last two
 * have a Retry-After.
 */
export interface MapTiles {
  /** The host of the tile server, or the name of the file. */
  name: string;
  kind: 'raster' | 'vector';
  /** The layers of vector tiles. Absent if the file does not say it. */
  layers?: TileLayers | 'unknown';
  /** Where a file has tiles. `bbox`: west, south, east, north. */
  covers?: { min_zoom: number; max_zoom: number; bbox: [number, number, number, number] };
  /** A text, and optionally the URL of a page about it. */
  attribution: { text: string; url?: string };
  /** Whether there are `@2x` tiles. */
  retina: boolean;
}

/** Schemas of vector tiles: the Protomaps basemap (version 4), OpenMapTiles, and Shortbread of OpenStreetMap's own tiles. */
export type TileLayers = 'protomaps' | 'openmaptiles' | 'shortbread';

declare module '../../core/contract/answers.ts' {
  interface Answers {
    '/api/tiles': MapTiles | null;
  }
}

export const tilesRows = {
  limits: {
    'GET /api/tiles': point,
    'GET /api/tiles/:z/:x/:y': { ...point, isOptional: true },
  },
  rates: {
    tiles: {
      who: 'user',
      what: 'tiles of the map that are fetched from their source',
      most: 60,
      per: 'second',
      burst: 600,
    },
  },
  queues: {
    tiles: { who: 'user', what: 'requests that wait for a tile', most: 200 },
  },
  problems: {
    'tile.away': [503, 'The tile server is temporarily unavailable', 'app'],
    'tile.not_found': [404, 'Tile not found', 'app'],
  },
  memory: tilesMemory,
} as const satisfies Declaration;
