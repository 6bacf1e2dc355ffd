import type { MachineType, Resource } from './resources.schema.ts';
import type { MemberRole } from './swarms.schema.ts';

/** What the map and the list of devices are filtered by: the query names of both, and of the app's own URLs. */
export interface DeviceFilters {
  /** `own`, `swarm:<id>` (its members), or `visible` (everything the caller may see, each device once). */
  audience: string;
  /**
   * Words, in any order, without case, accents and punctuation (search-text.ts). Each must be in the name or the
   * description, or, from eight characters on, begin the id; beyond own devices it may be in the owner's name.
   */
  q?: string;
  machine_type?: MachineType[];
  /** Only with `swarm:<id>`: the role there. `both` is a role of its own here. */
  resource_type?: MemberRole[];
  /** A swarm's id, or `none`. */
  swarm?: string;
  placed?: 'yes' | 'no';
  /** west, south, east, north in degrees; west > east crosses the antimeridian. */
  bbox?: [number, number, number, number];
}

/** The last two only with `swarm:<id>`. */
export type DeviceSort = 'name' | '-changed' | '-created' | 'owner' | '-joined';

/** One row of the device list: the resource, and what a screen shows beside it. */
export interface Device extends Resource {
  /** `modified_at`, or `created_at` where there was no update yet. */
  changed_at: string;
  swarms: { id: string; name: string; resource_type: MemberRole }[];
}

/** `GET /api/devices`. */
export interface DevicePage {
  items: Device[];
  /** The cursor of the next page; null on the last. */
  next: string | null;
  /** How many matching devices come before the first of these. Only if `around` or `offset` was in the request. */
  offset?: number;
  /** How many devices match the filters. */
  total: number;
  /** Server time of the answer, for ages. */
  at: string;
  /** Each count is what the chip would leave: every other filter applied, its own group not. */
  facets: {
    /** Without any filter. */
    all: number;
    machine_type: Record<MachineType, number>;
    no_swarm: number;
    unplaced: number;
    swarms: { id: string; name: string; count: number }[];
  };
  /**
   * Only where `counts=later` was asked for, and nothing is filtered but types of own devices: the rows are these, and
   * so much of what the counts come from is read, from 0 to 1. All of them are 0 then; ask again.
   */
  building?: number;
}

/** A device as a member of the swarm that is looked at. */
export interface Member extends Device {
  resource_type: MemberRole;
  member_since: string;
}

/** `GET /api/swarms/:id/members`, with the query of the list but for `audience`; the same as with `swarm:<id>` there. */
export interface MemberPage extends DevicePage {
  items: Member[];
  facets: DevicePage['facets'] & { resource_type: Record<MemberRole, number> };
}
