import type { MachineType } from './resources.schema.ts';
import type { MemberRole } from './swarms.schema.ts';

/** A symbol of `GET /api/map`: a GeoJSON feature, a cluster or a single device. */
export interface MapFeature {
  type: 'Feature';
  /** Stable across updates: the cell's key, or the device's id. */
  id: string;
  geometry: { type: 'Point'; coordinates: [number, number] };
  properties:
    | {
        cluster: true;
        point_count: number;
        by_type: Record<MachineType, number>;
        /** Only if the audience is a swarm. */
        by_role?: Record<MemberRole, number>;
        newest: string;
        /** west, south, east, north of its devices. Both corners are equal if all devices are at one spot. */
        bbox: [number, number, number, number];
      }
    | {
        cluster: false;
        id: string;
        name: string;
        machine_type: MachineType;
        /** Only if the audience is a swarm. */
        resource_type?: MemberRole;
        changed_at: string;
      };
}

/**
 * `GET /api/map?bbox=w,s,e,n&zoom=z` with the filters of the list.
 *
 * `GET /api/map/density?bbox=w,s,e,n&width=&height=` with the same filters, for a map with a dot per device: `width` x
 * `height` bytes (each at most 2048), row by row from the north-west in Web Mercator, with the number of devices in the
 * pixel, at most 255. 202 without a body: not ready yet.
 */
export interface MapView {
  type: 'FeatureCollection';
  features: MapFeature[];
  /** All matches, inside and outside the view. `bounds` are their positions. */
  total: number;
  unplaced: number;
  version: string;
  bounds: [number, number, number, number] | null;
  /** The progress from 0 to 1 while the index is built for the first time. All other fields are empty then. */
  building?: number;
}

/**
 * `GET /api/tiles`: the tiles over the built-in map; null if the operator has configured no tile server.
 *
 * `GET /api/tiles/:z/:x/:y` is an image of 256 pixels, `:y@2x` one of 512: PNG, JPEG, WebP or AVIF. 404
 * `tile.not_found`: the server has no such tile; 503 `tile.away`: not available now; 429 `rate.exceeded`. The last two
 * have a Retry-After.
 */
export interface MapTiles {
  /** The host of the tile server. */
  host: string;
  /** A text, and optionally the URL of a page about it. */
  attribution: { text: string; url?: string };
  /** Whether there are `@2x` tiles. */
  fine: boolean;
}
