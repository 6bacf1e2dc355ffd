/** The cached lists of invitations are long: they are changed in place instead of fetched again. */
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { InboxCount, Invitation, InvitationItem, InvitationPage, Resource, Swarm } from '@swarmdeck/bff/contract';
import { userOf } from '../of-client.ts';
import { patchQueries } from './query-cache.ts';
import { queryKeys, type Mailbox, type BoxQuery } from './query-keys.ts';

type Pages = InfiniteData<InvitationPage>;

/** Newest first; of two with the same time, the greater id first. */
export const byNewest = (a: InvitationItem, b: InvitationItem) => {
  if (a.changed_at !== b.changed_at) return a.changed_at < b.changed_at ? 1 : -1;
  return a.id < b.id ? 1 : -1;
};

/** The page without some rows; the same page if it contains none of them. */
export function withoutItems(page: InvitationPage, isGone: (item: InvitationItem) => boolean): InvitationPage {
  const items = page.items.filter((item) => !isGone(item));
  return items.length === page.items.length ? page : { ...page, items };
}

/** The page with rows at its top that are newer than all others there. */
export function withNewest(page: InvitationPage, items: readonly InvitationItem[]): InvitationPage {
  const known = new Set(items.map(({ id }) => id));
  const others = page.items.filter(({ id }) => !known.has(id));
  return { ...page, items: [...items.toSorted(byNewest), ...others] };
}

/** The page with changed rows; the same page if none changes. */
export function withChanges(page: InvitationPage, change: (item: InvitationItem) => InvitationItem): InvitationPage {
  let isChanged = false;
  const items = page.items.map((item) => {
    const next = change(item);
    isChanged ||= next !== item;
    return next;
  });
  return isChanged ? { ...page, items } : page;
}

/** What an answer changes. */
type Answered = Pick<Invitation, 'status' | 'accepted_at' | 'rejected_at'>;

type Ended = ReadonlyMap<string, Answered | null>;

/** How an item has ended: null if it was withdrawn. Undefined if it has not. Of two invitations, the first answer counts. */
function endOf({ id, other_id = id }: InvitationItem, byId: Ended): Answered | null | undefined {
  return byId.get(id) ?? byId.get(other_id) ?? (byId.has(id) || byId.has(other_id) ? null : undefined);
}

/**
 * Moves answered invitations from the open ones to the top of the history, removes withdrawn ones (null), and updates the
 * counts. An item of two invitations ends as one: the event of the second may come later. If only one has ended, the
 * newest rows, which are fetched after each event, have the other one.
 */
export function applyEnded(client: QueryClient, byId: Ended): void {
  const merge = (item: InvitationItem): InvitationItem => {
    const invitation = endOf(item, byId);
    if (!invitation) return item;
    const { id, resource_type } = item;
    return {
      ...item,
      ...invitation,
      id,
      resource_type,
      changed_at: invitation.accepted_at ?? invitation.rejected_at ?? item.changed_at,
    };
  };
  const open = cachedOpen(client, byId);
  const me = userOf(client);
  const moved = open.filter((item) => endOf(item, byId)).map(merge);
  patchLists(client, (page, { query, isFirst }) => {
    if (query.side === 'new') return withoutItems(page, (item) => endOf(item, byId) !== undefined);
    const isTop = isFirst && query.q === '' && query.resource === undefined;
    const added = isTop ? moved.filter((item) => boxOf(item, me) === query.box) : [];
    return added.length > 0 ? withNewest(page, added) : withChanges(page, merge);
  });
  patchQueries(client, queryKeys.invitations.items, merge);
  client.removeQueries({
    queryKey: queryKeys.invitations.items,
    type: 'inactive',
    predicate: ({ queryKey }) => byId.get(String(queryKey.at(-1))) === null,
  });
  if (open.length === 0) return;
  patchQueries<InboxCount>(client, queryKeys.invitations.count, (counts) => {
    const next = { ...counts, received: { ...counts.received }, sent: { ...counts.sent } };
    for (const item of open) {
      const box = next[boxOf(item, me)];
      box.new -= 1;
      if (endOf(item, byId)) box[merge(item).status] += 1;
    }
    return next;
  });
}

/** The swarm as an invitation contains it. */
export type SwarmFields = Omit<Swarm, 'resources'>;

/** Updates changed devices and swarms in all rows. A deleted device is null. */
export function applyToRows(
  client: QueryClient,
  { devices, swarms }: { devices?: ReadonlyMap<string, Resource | null>; swarms?: ReadonlyMap<string, SwarmFields> },
): void {
  const change = (item: InvitationItem) => withSwarm(withDevice(item, devices), swarms);
  patchLists(client, (page) => withChanges(page, change));
  patchQueries(client, queryKeys.invitations.items, change);
}

function withDevice(item: InvitationItem, devices?: ReadonlyMap<string, Resource | null>): InvitationItem {
  const resource = devices?.get(item.resource_id);
  // A request shows its device as it was.
  if (resource === undefined || item.device === null || item.is_request) return item;
  if (resource === null) return { ...item, device: null };
  const { name, machine_type, position } = resource;
  return { ...item, device: { name, machine_type, ...(position && { position }) } };
}

function withSwarm(item: InvitationItem, swarms?: ReadonlyMap<string, SwarmFields>): InvitationItem {
  const swarm = swarms?.get(item.swarm_id);
  if (!swarm) return item;
  const { name, description, public: isPublic } = swarm;
  return { ...item, swarm: { ...item.swarm, name, description, public: isPublic } };
}

/** Changes all pages of all lists, and the newest pages, which would otherwise restore the old rows. */
function patchLists(
  client: QueryClient,
  change: (page: InvitationPage, about: { query: BoxQuery; isFirst: boolean }) => InvitationPage,
) {
  patchQueries<Pages>(client, queryKeys.invitations.lists, (data, key) => {
    const query = key.at(-1) as BoxQuery;
    const pages = data.pages.map((page, number) => change(page, { query, isFirst: number === 0 }));
    return pages.some((page, number) => page !== data.pages[number]) ? { ...data, pages } : data;
  });
  patchQueries<InvitationPage>(client, queryKeys.invitations.heads, (page, key) =>
    change(page, { query: key.at(-1) as BoxQuery, isFirst: true }),
  );
}

/** The open invitations with these ids that a cached list contains. */
function cachedOpen(client: QueryClient, ids: { has(id: string): boolean }): InvitationItem[] {
  const found = new Map<string, InvitationItem>();
  for (const [key, data] of client.getQueriesData<Pages>({ queryKey: queryKeys.invitations.lists })) {
    if ((key.at(-1) as BoxQuery).side !== 'new') continue;
    for (const item of data?.pages.flatMap(({ items }) => items) ?? []) {
      if (ids.has(item.id) || (item.other_id !== undefined && ids.has(item.other_id))) found.set(item.id, item);
    }
  }
  return [...found.values()];
}

/** A user sees only invitations that they sent or received. */
function boxOf(item: InvitationItem, user_id: string | undefined): Mailbox {
  return user_id === item.from ? 'sent' : 'received';
}
