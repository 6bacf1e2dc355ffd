/**
 * The filters and audiences of lists and maps. Their schemas are in device-query-parser.ts, because the thread of the indexes
 * would need 0.2 s to load zod.
 */
import type { DeviceFilters, DeviceSort } from '../contract.ts';
import type { Cursor } from '../http/page-query.ts';

export type Bbox = NonNullable<DeviceFilters['bbox']>;

export interface ListQuery {
  filters: DeviceFilters;
  sort: DeviceSort;
  cursor: Cursor<number> | undefined;
  /** Without a cursor: the page starts at this row, or has this device in its middle. */
  offset?: number;
  around?: string;
  /** 0 returns only the counts. */
  limit: number;
  /** With `later`, rows do not wait for the counts if they can be read without. */
  counts: 'now' | 'later';
}

export interface MapQuery {
  /** Without `bbox`, because on the map that is the view, and the totals include all matches. */
  filters: Omit<DeviceFilters, 'bbox'>;
  bbox: Bbox;
  zoom: number;
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
