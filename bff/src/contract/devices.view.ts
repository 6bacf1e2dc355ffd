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
