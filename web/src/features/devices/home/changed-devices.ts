/** What has changed since the list of devices was loaded, and how many rows a new sort would move. Pure functions. */
import type { Device } from '@swarmdeck/bff/contract';
import { nameKey } from '@swarmdeck/bff/search-text';
import { isSameRow } from '../../../data/cache/device-row.ts';
import type { ListSort } from '../device-filters.ts';

/** `value`: the key of the value by which the list may be sorted. */
export interface ListOrder {
  sort: ListSort;
  value?: string | undefined;
}

/** The latest state of devices that have changed. */
type ChangedDevices = ReadonlyMap<string, Device>;
/** So many of them are kept: a fleet can change faster than the user sorts its list again. */
export const mostChanged = 1000;

/** The rows as they were loaded, by id. */
interface Known {
  get(id: string): Device | undefined;
}

export interface RefreshOptions {
  fresh: ChangedDevices;
  known: Known;
  items?: readonly Device[];
  inView?: readonly Device[];
  at: string;
  order: ListOrder;
}

/**
 * Adds the changed devices of two responses. Returns the same map if nothing has changed. If there are too many, those of
 * these responses stay, then those that a new sort would move.
 */
export function refresh({ fresh, known, items = [], inView = [], ...list }: RefreshOptions): ChangedDevices {
  const all = new Map(fresh);
  let isChanged = false;
  const take = (item: Device, isNewer: (last: Device) => boolean) => {
    const last = all.get(item.id) ?? known.get(item.id);
    if (last && !isNewer(last)) return;
    isChanged = true;
    // At the end of the map are the latest.
    all.delete(item.id);
    all.set(item.id, item);
  };
  for (const item of items) take(item, (last) => last.changed_at < item.changed_at);
  for (const item of inView) {
    // Joining a swarm or being heard does not change the time of a device.
    take(
      item,
      (last) => last.changed_at < item.changed_at || (last.changed_at === item.changed_at && !isSameRow(last, item)),
    );
  }
  if (!isChanged) return fresh;
  if (all.size <= mostChanged) return all;
  const stays = new Set([...items, ...inView].map(({ id }) => id));
  const rank = (device: Device) => (stays.has(device.id) ? 2 : movementOf({ device, known, ...list }) ? 1 : 0);
  const ranked = [...all.values()].map((device) => ({ device, rank: rank(device) }));
  const kept = ranked.toSorted((a, b) => a.rank - b.rank).slice(-mostChanged);
  return new Map(kept.map(({ device }) => [device.id, device]));
}

/** By what the server sorts a device (bff/src/read-models/index/device-page.ts). Its row stays in its place while this stays the same. */
const placeBy: Record<ListSort, (device: Device, value: string) => unknown> = {
  name: ({ name }) => nameKey(name),
  '-changed': (device) => device.changed_at,
  '-created': (device) => device.created_at,
  '-heard': (device) => device.presence.heard_at,
  near: ({ position }) => `${position?.latitude},${position?.longitude}`,
  '-value': ({ values }, value) => values?.[value]?.value,
  value: ({ values }, value) => values?.[value]?.value,
};

/** Whether a new sort may move the row of a changed device, or adds one. */
function movementOf({ device, known, at, order }: { device: Device; known: Known; at: string; order: ListOrder }) {
  const row = known.get(device.id);
  const { sort, value = '' } = order;
  if (row) return placeBy[sort](row, value) === placeBy[sort](device, value) ? undefined : 'moved';
  if (device.created_at > at) return 'added';
  return sort === '-changed' && device.changed_at > at ? 'moved' : undefined;
}

/**
 * The number of rows that a new sort may move, adds or removes. The list was loaded at `at` with `loaded_total`
 * matches; `total` is the current number.
 */
export function outOfPlace(list: {
  known: Known;
  fresh: ChangedDevices;
  at: string;
  loaded_total: number;
  total: number;
  order: ListOrder;
}): number {
  const movements = [...list.fresh.values()].map((device) => movementOf({ ...list, device }));
  const count = (wanted: 'moved' | 'added') => movements.filter((movement) => movement === wanted).length;
  const added = count('added');
  const grown = list.total - list.loaded_total;
  return count('moved') + Math.max(added, grown) + Math.max(0, added - grown);
}
