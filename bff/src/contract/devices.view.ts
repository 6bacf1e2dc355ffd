import type { MachineType, Resource } from './resources.schema.ts';
import type { MemberRole } from './swarms.schema.ts';

/**
 * The filters of the map and the list of devices, with the names of the query parameters of the API and of the app's
 * URLs.
 */
export interface DeviceFilters {
  /** `own`, `swarm:<id>` (its members), or `visible` (everything the caller may see, each device once). */
  audience: string;
  /**
   * Words in any order, ignoring case, accents and punctuation (search-text.ts). Each must match the name or the
   * description, or, from eight characters on, the beginning of the id. Beyond own devices it may match the owner's
   * name.
   */
  q?: string;
  machine_type?: MachineType[];
  /** The role in the swarm, only with `swarm:<id>`. `both` is a separate role here. */
  resource_type?: MemberRole[];
  /** A swarm's id, or `none`. */
  swarm?: string;
  placed?: 'yes' | 'no';
  /** west, south, east, north in degrees; west > east crosses the antimeridian. */
  bbox?: [number, number, number, number];
}

/** The last two only with `swarm:<id>`. */
export type DeviceSort = 'name' | '-changed' | '-created' | 'owner' | '-joined';

/** A row of the device list: the resource with its swarms. */
export interface Device extends Resource {
  /** `modified_at`, or `created_at` if there was no update. */
  changed_at: string;
  swarms: { id: string; name: string; resource_type: MemberRole }[];
}

/** `GET /api/devices`. */
export interface DevicePage {
  items: Device[];
  /** The cursor of the next page; null on the last page. */
  next: string | null;
  /** The number of matching devices before this page. Only if the request had `around` or `offset`. */
  offset?: number;
  /** The number of matching devices. */
  total: number;
  /** The server's time, for ages. */
  at: string;
  /** The number of matches of each chip, ignoring the filters of its own group. */
  facets: {
    /** Without filters. */
    all: number;
    machine_type: Record<MachineType, number>;
    no_swarm: number;
    unplaced: number;
    swarms: { id: string; name: string; count: number }[];
  };
  /**
   * Only with `counts=later`, if own devices are filtered by type at most and the counts are not known yet: the
   * progress from 0 to 1. All counts are 0 then.
   */
  building?: number;
}

/** A device as a member of a swarm. */
export interface Member extends Device {
  resource_type: MemberRole;
  member_since: string;
}

/** `GET /api/swarms/:id/members`, with the query of the list except `audience`. Equal to the list with `swarm:<id>`. */
export interface MemberPage extends DevicePage {
  items: Member[];
  facets: DevicePage['facets'] & { resource_type: Record<MemberRole, number> };
}

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

/**
 * `GET /api/wall?audience=`: the counts of all devices of an audience, independent of the map's filters. `GET
 * /api/devices/:id?audience=` is one of them: a Device, or a Member of the swarm.
 */
export interface WallView {
  total: number;
  unplaced: number;
  machine_type: Record<MachineType, number>;
  /** Only if the audience is a swarm. */
  resource_type?: Record<MemberRole, number>;
  /** The number of devices that changed in the minute before `at`. */
  changed: number;
  /** The time of the last change; null if there was none. */
  newest: string | null;
  /** Server time of the answer. */
  at: string;
  /** As in a MapView: the progress while there are no counts yet. */
  building?: number;
}
