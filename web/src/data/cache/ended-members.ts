/** Members of swarms whose end has passed. The stream says so, but not while the server cannot be reached. */
import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query';
import type { Device, Member, MemberPage } from '@swarmdeck/bff/contract';
import { userOf } from '../of-client.ts';
import { cachedDevice, patchDeviceRows, removeDeviceRows } from './cached-devices.ts';
import { idIn, swarmOfWallIn } from './key-parts.ts';
import { patchQueries } from './query-cache.ts';
import { queryKeys } from './query-keys.ts';

type Members = InfiniteData<MemberPage>;

/** The swarm whose members a list has. */
const swarmOf = (key: QueryKey) => idIn(key, queryKeys.swarm.members) ?? swarmOfWallIn(key);

/** A list of the devices of a swarm, read page by page. */
const hasPages = (data: unknown): data is Members =>
  Array.isArray((data as Partial<Members> | undefined)?.pages) && (data as Members).pages.every(({ items }) => items);

/** The ids of the members that have ended at a time of the server's clock, by swarm. */
function endedOf(client: QueryClient, now: number): Map<string, Set<string>> {
  const ended = new Map<string, Set<string>>();
  const at = new Date(now).toISOString();
  const isOver = ({ ends_at }: Partial<Member>) => ends_at !== undefined && ends_at <= at;
  for (const { queryKey, state } of client.getQueryCache().getAll()) {
    const swarm = swarmOf(queryKey);
    if (swarm === undefined || !hasPages(state.data)) continue;
    const ids = state.data.pages.flatMap(({ items }) => items.filter(isOver).map(({ id }) => id));
    if (ids.length > 0) ended.set(swarm, new Set([...(ended.get(swarm) ?? []), ...ids]));
  }
  return ended;
}

function withoutMembers(data: Members, ids: ReadonlySet<string>): Members {
  const listed = data.pages.flatMap(({ items }) => items.filter(({ id }) => ids.has(id)).map(({ id }) => id));
  const removed = new Set(listed).size;
  if (removed === 0) return data;
  const pages = data.pages.map((page) => ({
    ...page,
    total: page.total - removed,
    items: page.items.filter(({ id }) => !ids.has(id)),
    ...(page.facets && { facets: { ...page.facets, all: page.facets.all - removed } }),
  }));
  return { ...data, pages };
}

/** Removes them from what is shown, and devices of others that are in no other swarm which the user sees. */
export function removeEnded(client: QueryClient, now: number): void {
  const own = userOf(client);
  for (const [swarm, ids] of endedOf(client, now)) {
    const isOther = ({ id }: { id: string }) => id !== swarm;
    const isLost = (device: Device | undefined) => device && device.user_id !== own && !device.swarms.some(isOther);
    const lost = [...ids].filter((id) => isLost(cachedDevice(client, id)));
    const remove = (data: unknown, key: QueryKey) =>
      swarmOf(key) === swarm && hasPages(data) ? withoutMembers(data, ids) : data;
    patchQueries(client, queryKeys.swarm.members(swarm), remove);
    patchQueries(client, queryKeys.wall.lists, remove);
    for (const id of ids) patchQueries(client, queryKeys.device.row(id, `swarm:${swarm}`), () => null);
    patchDeviceRows(client, ids, (device) => ({ ...device, swarms: device.swarms.filter(isOther) }));
    removeDeviceRows(client, new Set(lost));
  }
}
