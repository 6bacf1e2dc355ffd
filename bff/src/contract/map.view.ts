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
        /** Where the audience is a swarm. */
        by_role?: Record<MemberRole, number>;
        newest: string;
        /** west, south, east, north of what is inside; all devices at one spot when both corners are equal. */
        bbox: [number, number, number, number];
      }
    | {
        cluster: false;
        id: string;
        name: string;
        machine_type: MachineType;
        /** Where the audience is a swarm. */
        resource_type?: MemberRole;
        changed_at: string;
      };
}

/**
 * `GET /api/map?bbox=w,s,e,n&zoom=z` and the filters of the list.
 *
 * `GET /api/map/density?bbox=w,s,e,n&width=&height=` and the same filters, for a map that draws every device as a dot:
 * `width` x `height` bytes (each at most 2048), row by row from the north-west in Web Mercator, each the number of
 * devices in that pixel, 255 for as many and more. 202 without a body: not yet, ask again.
 */
export interface MapView {
  type: 'FeatureCollection';
  features: MapFeature[];
  /** All that match the filters, in view or not; `bounds` is where they are. */
  total: number;
  unplaced: number;
  version: string;
  bounds: [number, number, number, number] | null;
  /**
   * There while so many devices are read for the first time that there is nothing to show yet: how much of that is
   * done, from 0 to 1. All else is empty then; ask again.
   */
  building?: number;
}

/**
 * `GET /api/tiles`: tiles to draw over the built-in map; null where the operator has named no tile server.
 *
 * `GET /api/tiles/:z/:x/:y` is one of them, a picture of 256 pixels, `:y@2x` one of 512: PNG, JPEG, WebP or AVIF. 404
 * `tile.not_found`: the server has none there; 503 `tile.away`: not now; 429 `rate.exceeded`. The last two say when to
 * ask again.
 */
export interface MapTiles {
  /** Of the server they come from. */
  host: string;
  /** Text, and perhaps the address of a page that says more. */
  attribution: { text: string; url?: string };
  /** Whether there are tiles for fine screens. */
  fine: boolean;
}
