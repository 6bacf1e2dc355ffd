/**
 * The filters and audiences of lists and maps, and the devices of an audience as SQL. The schemas are in
 * device-query-parser.ts, because the thread of the indexes would need 0.2 s to load zod.
 */
import type { DeviceFilters, DeviceSort, Position } from '../../contract.ts';
import type { Cursor } from '../../core/http/query.ts';
import { raw, sql, type Sql } from '../../core/store/statement.ts';
import { isOpen, seesDevice } from '../../core/store/visibility.ts';

export type Bbox = NonNullable<DeviceFilters['bbox']>;

export interface ListQuery {
  filters: DeviceFilters;
  sort: DeviceSort;
  /** The point of the sort `near`. */
  near?: Position;
  cursor: Cursor<number> | undefined;
  /** Without a cursor: the page starts at this row, or has this device in its middle. */
  offset?: number;
  around?: string;
  /** 0 returns only the counts. */
  limit: number;
  /** With `later`, rows do not wait for the counts if they can be read without. */
  counts: 'now' | 'later';
  /** Keys whose last values the rows have. */
  values?: string[];
}

export interface MapQuery {
  /** Without `bbox`, because on the map that is the view, and the totals include all matches. */
  filters: Omit<DeviceFilters, 'bbox'>;
  bbox: Bbox;
  zoom: number;
  /** Keys whose last values the symbols have. */
  values?: string[];
}

export const world: Bbox = [-180, -90, 180, 90];

/** The swarm of an audience of members. */
export function swarmOf(audience: string): string | undefined {
  return audience.startsWith('swarm:') ? audience.slice('swarm:'.length) : undefined;
}

/** The key of what users can share: the members of a swarm are the same for every user. */
export function audienceKey({ user, audience }: { user: string; audience: string }): string {
  return swarmOf(audience) === undefined ? `${audience}:${user}` : audience;
}

/**
 * The devices with these refs that belong to the audience, for use after FROM: `resources r`, `presence p`, and `memberships here` if the
 * audience is a swarm. Only these rows are read. `recordedFrom`: only devices whose values were stored with this row of messages or later, and these
 * values: `device_values d`.
 */
export function devicesByRef(options: {
  user: string;
  audience: string;
  refs: readonly number[];
  recordedFrom?: number;
}): Sql {
  const { user, audience, refs, recordedFrom } = options;
  const swarm = swarmOf(audience);
  const recorded =
    recordedFrom === undefined
      ? raw('')
      : sql`JOIN /*in this order*/ device_values d ON d.ref = CAST(wanted.value AS bigint) AND d.seq >= ${recordedFrom}`;
  const wanted = sql`elements(${JSON.stringify(refs)}) wanted ${recorded}
    JOIN /*in this order*/ resources r ON r.ref = CAST(wanted.value AS bigint)
    LEFT JOIN presence p ON p.ref = r.ref`;
  if (swarm !== undefined) {
    return sql`${wanted} JOIN /*in this order*/ memberships here
      ON here.resource_id = r.id AND here.swarm_id = ${swarm} AND ${raw(isOpen('here'))}`;
  }
  if (audience === 'own') return sql`${wanted} WHERE r.user_id = ${user}`;
  return sql`${wanted} WHERE r.user_id = ${user}
    OR ${seesDevice({ user: sql`${user}`, resource: raw('r.id') })}`;
}
