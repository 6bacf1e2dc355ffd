/**
 * Tracks what changed since the list was loaded. Rows are updated in place. The rows whose position in the sort order
 * has changed are counted, and sorted when the user asks for it.
 */
import type { Device } from '@swarmdeck/bff/contract';
import type { ListSort } from '../device-filters.ts';

/** The latest state of each device that has changed. */
export type ChangedDevices = ReadonlyMap<string, Device>;

/** The rows as they were loaded, by id. */
interface Known {
  get(id: string): Device | undefined;
}

/** Adds the changed devices of a response. Returns the same map if nothing has changed. */
export function refresh({
  fresh,
  known,
  items,
}: {
  fresh: ChangedDevices;
  known: Known;
  items: Device[];
}): ChangedDevices {
  const newer = items.filter((item) => {
    const last = fresh.get(item.id) ?? known.get(item.id);
    return last === undefined || last.changed_at < item.changed_at;
  });
  if (newer.length === 0) return fresh;
  return new Map([...fresh, ...newer.map((item) => [item.id, item] as const)]);
}

const place: Record<ListSort, (device: Device) => string> = {
  name: (device) => device.name,
  '-changed': (device) => device.changed_at,
  '-created': (device) => device.created_at,
};

/**
 * The number of rows that a new sort would move, add or remove. The list was loaded at `at` with `loaded_total`
 * matches; `total` is the current number.
 */
export function outOfPlace(list: {
  known: Known;
  fresh: ChangedDevices;
  at: string;
  loaded_total: number;
  total: number;
  sort: ListSort;
}): number {
  let moved = 0;
  let added = 0;
  for (const device of list.fresh.values()) {
    const row = list.known.get(device.id);
    if (row) moved += place[list.sort](row) === place[list.sort](device) ? 0 : 1;
    else if (device.created_at > list.at) added += 1;
    else if (list.sort === '-changed' && device.changed_at > list.at) moved += 1;
  }
  const grown = list.total - list.loaded_total;
  return moved + Math.max(added, grown) + Math.max(0, added - grown);
}
