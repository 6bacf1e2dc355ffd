/** How what is shown of invitations learns what happened, here or elsewhere, without reading whole lists again. */
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { Invitation, InvitationItem, InvitationPage } from '@swarmdeck/bff/contract';
import { changeKnown } from '../../api/change-known.ts';
import { userOf } from '../../api/user-of.ts';
import { inboxCountQuery } from './inbox-count.api.ts';
import { mergeHead, withChanges, withNewest, withoutItems } from './invitation-pages.ts';
import type { Box, BoxQuery, Side } from './invitations.api.ts';
import { invitationPagesQuery } from './invitations.api.ts';

export function mergeNews(options: {
  client: QueryClient;
  query: BoxQuery;
  head: InvitationPage;
  kept: (id: string) => boolean;
}) {
  const { client, query, head, kept } = options;
  const { queryKey } = invitationPagesQuery(query);
  const data = client.getQueryData(queryKey);
  if (!data) return;
  const pages = mergeHead({ pages: data.pages, head, kept });
  if (pages !== data.pages) client.setQueryData(queryKey, { ...data, pages });
}

const answering = new WeakMap<QueryClient, (id: string) => boolean>();

/** Which ones are answered here and not yet there. */
export function setAnswering(client: QueryClient, which: (id: string) => boolean) {
  answering.set(client, which);
}

export const isAnswering = (client: QueryClient, id: string) => answering.get(client)?.(id) ?? false;

/**
 * These were answered: they leave what is open and stand on top of the history. False where one was not known, neither
 * as open nor as answered like that.
 */
export function applyAnswered({ client, answered }: { client: QueryClient; answered: readonly Invitation[] }): boolean {
  if (answered.length === 0) return true;
  const byId = new Map(answered.map((invitation) => [invitation.id, invitation]));
  const merge = (item: InvitationItem): InvitationItem => {
    const invitation = byId.get(item.id);
    if (!invitation) return item;
    return { ...item, ...invitation, changed_at: invitation.accepted_at ?? invitation.rejected_at ?? item.changed_at };
  };
  const before = heldItems(client, 'answered', byId).filter(({ id, status }) => byId.get(id)?.status === status);
  const open = heldItems(client, 'new', byId);
  const me = userOf(client);
  const fresh = open.map(merge);
  changeLists(client, (page, { query, number }) => {
    if (query.side === 'new') return withoutItems(page, ({ id }) => byId.has(id));
    const isTop = number === 0 && query.q === '' && query.resource === undefined;
    const news = isTop ? fresh.filter((item) => boxOf(item, me) === query.box) : [];
    return news.length > 0 ? withNewest(page, news) : withChanges(page, merge);
  });
  changeItems(client, merge);
  count(client, open, (counts, item) => {
    counts.new -= 1;
    counts[byId.get(item.id)?.status ?? 'new'] += 1;
  });
  return new Set([...before, ...open].map(({ id }) => id)).size === byId.size;
}

/** These are in nobody's list any more. False where one was not known. */
export function applyWithdrawn({ client, ids }: { client: QueryClient; ids: ReadonlySet<string> }): boolean {
  if (ids.size === 0) return true;
  const open = heldItems(client, 'new', ids);
  changeLists(client, (page) => withoutItems(page, ({ id }) => ids.has(id)));
  for (const { queryKey } of client.getQueryCache().findAll({ queryKey: ['invitations', 'one'] })) {
    if (!ids.has(String(queryKey[2]))) continue;
    client.removeQueries({ queryKey, exact: true, type: 'inactive' });
    void client.invalidateQueries({ queryKey, exact: true });
  }
  count(client, open, (counts) => {
    counts.new -= 1;
  });
  return open.length === ids.size;
}

/** What stands beside invitations changed: a swarm, or a device. */
export function applyChange({
  client,
  change,
}: {
  client: QueryClient;
  change: (item: InvitationItem) => InvitationItem;
}) {
  changeLists(client, (page) => withChanges(page, change));
  changeItems(client, change);
}

/** Something came that no list can know by itself: the newest rows, the one that is open and the counts are asked for. */
export async function askForNews(client: QueryClient): Promise<void> {
  const keys = [['invitations', 'head'], ['invitations', 'one'], inboxCountQuery.queryKey];
  await Promise.all([
    ...keys.map((queryKey) => client.invalidateQueries({ queryKey })),
    // a list is read as a whole once: what came while it was is not in it
    client.invalidateQueries({ queryKey: ['invitations', 'pages'], predicate: ({ state }) => !state.data }),
  ]);
}

/** Longer than an answer takes from being read to being here, in ms. */
const around = 5000;

/**
 * Whether something of what is known may be older than what happened then, or know of it already, or an answer that is
 * on its way: then no count can be kept by counting.
 */
export function isReadAround(client: QueryClient, times: readonly string[]): boolean {
  if (client.isFetching({ queryKey: ['invitations'] }) > 0) return true;
  const happened = times.map((time) => Date.parse(time));
  return client
    .getQueriesData<{ at?: string; pages?: { at: string }[] }>({ queryKey: ['invitations'] })
    .flatMap(([, data]) => (data?.pages ?? [data]).map((read) => Date.parse(read?.at ?? '')))
    .some((readAt) => happened.some((at) => Math.abs(at - readAt) < around));
}

/** Devices have joined swarms: lists, maps and pages of both are to be read again. */
export function announceJoined(client: QueryClient) {
  for (const root of ['devices', 'map', 'resource', 'swarms', 'swarm']) {
    void client.invalidateQueries({ queryKey: [root] });
  }
}

type Change = (page: InvitationPage, about: { query: BoxQuery; number: number }) => InvitationPage;
type Pages = InfiniteData<InvitationPage>;

/** Whatever lists hold, and the newest page of each: it would bring the old rows back. */
function changeLists(client: QueryClient, change: Change) {
  for (const [key, data] of client.getQueriesData<Pages>({ queryKey: ['invitations', 'pages'] })) {
    const query = key[2] as BoxQuery;
    const pages = data?.pages.map((page, number) => change(page, { query, number }));
    if (pages?.some((page, number) => page !== data?.pages[number])) changeKnown(client, key, { ...data, pages });
  }
  for (const [key, page] of client.getQueriesData<InvitationPage>({ queryKey: ['invitations', 'head'] })) {
    const changed = page && change(page, { query: key[2] as BoxQuery, number: 0 });
    if (changed !== page) changeKnown(client, key, changed);
  }
}

function changeItems(client: QueryClient, change: (item: InvitationItem) => InvitationItem) {
  client.setQueriesData<InvitationItem>({ queryKey: ['invitations', 'one'] }, (item) => item && change(item));
}

/** Those of them that some list holds on this side. */
function heldItems(client: QueryClient, side: Side, ids: { has(id: string): boolean }): InvitationItem[] {
  const found = new Map<string, InvitationItem>();
  for (const [key, data] of client.getQueriesData<Pages>({ queryKey: ['invitations', 'pages'] })) {
    if ((key[2] as BoxQuery).side !== side) continue;
    for (const page of data?.pages ?? []) for (const item of page.items) if (ids.has(item.id)) found.set(item.id, item);
  }
  return [...found.values()];
}

/** Whoever looks is its sender or its receiver. */
function boxOf(item: InvitationItem, user_id: string | undefined): Box {
  return user_id === item.from ? 'sent' : 'received';
}

function count(
  client: QueryClient,
  items: readonly InvitationItem[],
  change: (counts: Record<Invitation['status'], number>, item: InvitationItem) => void,
) {
  const me = userOf(client);
  const { queryKey } = inboxCountQuery;
  const counts = client.getQueryData(queryKey);
  if (!counts || items.length === 0) return;
  const next = { ...counts, received: { ...counts.received }, sent: { ...counts.sent } };
  for (const item of items) change(next[boxOf(item, me)], item);
  changeKnown(client, queryKey, next);
}
