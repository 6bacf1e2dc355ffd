/** The streets of the map. */
import type { Declaration } from '../../core/declaration.ts';
import { point } from '../../core/limits/operation-rows.ts';

export const tilesRows = {
  limits: {
    'GET /api/tiles': point,
    'GET /api/tiles/:z/:x/:y': point,
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
} as const satisfies Declaration;
