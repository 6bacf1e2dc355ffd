import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import type { GatewayEvent, InvitationItem, InvitationPage } from '@swarmdeck/bff/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { FreshClient } from '../../api/fresh-client.ts';
import { inboxCountQuery } from './inbox-count.api.ts';
import { askForNews, setAnswering } from './invitation-cache.api.ts';
import { itemOf, minuteOf, pageOf } from './invitation.fixture.ts';
import { headQuery, invitationPagesQuery } from './invitations.api.ts';
import type { Side } from './invitations.api.ts';
import { applyInvitationEvents } from './invitations.live.ts';

const query = (side: Side) => ({ box: 'received', side, q: '' }) as const;
const counts = () => ({ new: 2, accepted: 1, rejected: 0, stale: 0 });
let clients: QueryClient[] = [];
afterEach(() => {
  for (const client of clients) client.clear();
  clients = [];
});

function setUp() {
  const client = new QueryClient();
  clients.push(client);
  const past = itemOf('past', 1, { status: 'accepted', accepted_at: minuteOf(2), changed_at: minuteOf(2) });
  const lists = { new: pageOf([itemOf('b', 5), itemOf('a', 4)]), answered: pageOf([past]) };
  for (const side of ['new', 'answered'] as const) {
    client.setQueryData(invitationPagesQuery(query(side)).queryKey, { pages: [lists[side]], pageParams: [null] });
    client.setQueryData(headQuery(query(side)).queryKey, lists[side]);
  }
  client.setQueryData(inboxCountQuery.queryKey, { received: counts(), sent: counts(), at: minuteOf(8) });
  const rows = (side: Side) =>
    client.getQueryData(invitationPagesQuery(query(side)).queryKey)?.pages.flatMap(({ items }) => items) ?? [];
  const ask = vi.fn<() => void>();
  const happen = (...events: [GatewayEvent['type'], object][]) => {
    const told = events.map(([type, data]) => ({ id: '1', type, at: minuteOf(9), data }) as GatewayEvent);
    applyInvitationEvents({ client, events: told, ask });
  };
  const happens = (type: GatewayEvent['type'], data: object) => happen([type, data]);
  return { client, rows, happen, happens, ask };
}
const ids = (rows: InvitationItem[]) => rows.map(({ id }) => id);

test('what was answered elsewhere moves on top of the history, and the counts follow', () => {
  const { client, rows, happens } = setUp();
  const { swarm: _swarm, device: _device, changed_at: _at, ...invitation } = itemOf('a', 4);
  happens('invitation.updated', { ...invitation, status: 'rejected', rejected_at: minuteOf(9) });
  expect(ids(rows('new'))).toEqual(['b']);
  expect(ids(rows('answered'))).toEqual(['a', 'past']);
  expect(rows('answered')[0]).toMatchObject({
    status: 'rejected',
    changed_at: minuteOf(9),
    swarm: { name: 'River levels' },
  });
  expect(client.getQueryData(inboxCountQuery.queryKey)?.received).toMatchObject({ new: 1, rejected: 1 });
  expect(client.getQueryData(headQuery(query('new')).queryKey)?.items.map(({ id }) => id)).toEqual(['b']);
});

test('what was withdrawn is in no list any more', () => {
  const { client, rows, happens } = setUp();
  happens('invitation.withdrawn', { id: 'b', swarm_id: 'levels', resource_id: 'device-b' });
  expect(ids(rows('new'))).toEqual(['a']);
  expect(client.getQueryData(inboxCountQuery.queryKey)?.received.new).toBe(1);
});

test('what is answered here and waits with Undo keeps its place, and is asked about; others go', () => {
  const { client, rows, happens, ask } = setUp();
  setAnswering(client, (id) => id === 'b');
  happens('resource.destroyed', { id: 'device-b' });
  expect(ask).not.toHaveBeenCalled();
  happens('invitation.withdrawn', { id: 'b', swarm_id: 'levels', resource_id: 'device-b' });
  expect(ids(rows('new'))).toEqual(['b', 'a']);
  expect(rows('new')[0]?.device).not.toBeNull();
  expect(ask).toHaveBeenCalledOnce();
  happens('invitation.withdrawn', { id: 'a', swarm_id: 'levels', resource_id: 'device-a' });
  expect(ids(rows('new'))).toEqual(['b']);
  expect(ask).toHaveBeenCalledOnce();
});

test('what came together is applied together', () => {
  const { rows, happen, ask } = setUp();
  const { swarm: _swarm, device: _device, changed_at: _at, ...invitation } = itemOf('a', 4);
  happen(
    ['invitation.updated', { ...invitation, status: 'accepted', accepted_at: minuteOf(9) }],
    ['resource.updated', { id: 'device-past', name: 'Gate sensor', machine_type: 'pc' }],
    ['invitation.withdrawn', { id: 'b' }],
  );
  expect(rows('new')).toEqual([]);
  expect(rows('answered')).toMatchObject([{ id: 'a', status: 'accepted' }, { device: { name: 'Gate sensor' } }]);
  expect(ask).not.toHaveBeenCalled();
});

test('news of what was answered here are no news', () => {
  const { happens, ask } = setUp();
  const { swarm: _swarm, device: _device, changed_at: _at, ...past } = itemOf('past', 1);
  happens('invitation.updated', { ...past, status: 'accepted', accepted_at: minuteOf(2) });
  expect(ask).not.toHaveBeenCalled();
});

test('a new one comes without its swarm: the newest rows and the counts are asked for', async () => {
  const { client, happens, ask } = setUp();
  happens('invitation.received', { id: 'c' });
  expect(ask).toHaveBeenCalledOnce();
  await askForNews(client);
  for (const { queryKey } of [headQuery(query('new')), inboxCountQuery]) {
    expect(client.getQueryState(queryKey)?.isInvalidated).toBe(true);
  }
});

test('what is being read while it changes is asked for once more: the answer may be the older one', async () => {
  const { client, happens, ask } = setUp();
  const answer = Promise.withResolvers<never>();
  const reading = client.fetchQuery({
    queryKey: inboxCountQuery.queryKey,
    queryFn: () => answer.promise,
    retry: false,
  });
  happens('resource.updated', { id: 'device-a', name: 'Gate sensor', machine_type: 'pc' });
  expect(ask).not.toHaveBeenCalled();
  happens('invitation.withdrawn', { id: 'b', swarm_id: 'levels', resource_id: 'device-b' });
  expect(ask).toHaveBeenCalledOnce();
  answer.reject(new Error('late'));
  await expect(reading).rejects.toThrow('late');
});

test('what was read about when it happened may know of it already: it is asked for, and not counted on', () => {
  const { client, rows, happens, ask } = setUp();
  client.setQueryData(inboxCountQuery.queryKey, { received: { ...counts(), new: 1 }, sent: counts(), at: minuteOf(9) });
  happens('invitation.withdrawn', { id: 'b', swarm_id: 'levels', resource_id: 'device-b' });
  expect(ids(rows('new'))).toEqual(['a']);
  expect(ask).toHaveBeenCalledOnce();
});

test('a history that was read when the counts were not yet makes them ask', () => {
  const { client, happens, ask } = setUp();
  const past = itemOf('a', 4, { status: 'rejected', rejected_at: minuteOf(9), changed_at: minuteOf(9) });
  const answered = { ...pageOf([past]), at: minuteOf(9) };
  client.setQueryData(invitationPagesQuery(query('answered')).queryKey, { pages: [answered], pageParams: [null] });
  const { swarm: _swarm, device: _device, changed_at: _at, ...invitation } = past;
  happens('invitation.updated', invitation);
  expect(ask).toHaveBeenCalledOnce();
});

test('what is to be read anew stays so when some of it changes', async () => {
  const { client, happens } = setUp();
  await askForNews(client);
  happens('invitation.withdrawn', { id: 'b', swarm_id: 'levels', resource_id: 'device-b' });
  expect(client.getQueryState(headQuery(query('new')).queryKey)?.isInvalidated).toBe(true);
});

test('a list that is on its way for the first time is read once more', async () => {
  const client = new FreshClient();
  clients.push(client);
  const asked: PromiseWithResolvers<InvitationPage>[] = [];
  const observer = new InfiniteQueryObserver(client, {
    ...invitationPagesQuery(query('new')),
    queryFn: () => asked[asked.push(Promise.withResolvers()) - 1]!.promise,
  });
  const stop = observer.subscribe(() => undefined);
  const news = askForNews(client);
  asked[0]!.resolve(pageOf([]));
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  asked[1]!.resolve(pageOf([itemOf('c', 9)]));
  await news;
  expect(observer.getCurrentResult().data?.pages[0]?.items).toHaveLength(1);
  stop();
});

test('what no list holds makes them ask', () => {
  const { happens, ask } = setUp();
  happens('invitation.withdrawn', { id: 'unknown' });
  expect(ask).toHaveBeenCalledOnce();
});

test('a device that is renamed or destroyed, and a swarm that is renamed, are so in every row', () => {
  const { rows, happens } = setUp();
  happens('resource.updated', { id: 'device-a', name: 'Gate sensor', machine_type: 'pc' });
  happens('swarm.updated', { id: 'levels', name: 'Levels', description: 'all', public: true });
  expect(rows('new')[1]).toMatchObject({
    device: { name: 'Gate sensor' },
    swarm: { name: 'Levels', member_count: 14 },
  });
  happens('resource.destroyed', { id: 'device-past' });
  expect(rows('answered')[0]?.device).toBeNull();
});

test('events of other things change nothing', () => {
  const { rows, happens, ask } = setUp();
  const before = rows('new');
  happens('swarm.created', { id: 'other' });
  expect(rows('new')).toEqual(before);
  expect(ask).not.toHaveBeenCalled();
});
