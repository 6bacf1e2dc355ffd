import { QueryClient } from '@tanstack/react-query';
import type { GatewayEvent, InvitationItem } from '@swarmdeck/bff/contract';
import { afterEach, expect, test } from 'vitest';
import { inboxCountQuery, setAnsweringCount } from './inbox-count.api.ts';
import { itemOf, minuteOf, pageOf } from './invitation.fixture.ts';
import { applyInvitationEvent } from './invitations.live.ts';
import type { Side } from './invitations.api.ts';
import { headQuery, invitationPagesQuery } from './invitations.api.ts';

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
  client.setQueryData(inboxCountQuery.queryKey, { received: counts(), sent: counts(), at: minuteOf(9) });
  const rows = (side: Side) =>
    client.getQueryData(invitationPagesQuery(query(side)).queryKey)?.pages.flatMap(({ items }) => items) ?? [];
  const happens = (type: GatewayEvent['type'], data: object) =>
    applyInvitationEvent(client, { id: '1', type, at: minuteOf(9), data } as GatewayEvent);
  const isAsked = (key: readonly unknown[]) => client.getQueryState(key)?.isInvalidated;
  return { client, rows, happens, isAsked };
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

test('while an answer waits with Undo nothing is taken from under it: the newest rows are asked for', () => {
  const { client, rows, happens, isAsked } = setUp();
  setAnsweringCount(client, 1);
  happens('invitation.withdrawn', { id: 'b', swarm_id: 'levels', resource_id: 'device-b' });
  happens('resource.destroyed', { id: 'device-a' });
  expect(ids(rows('new'))).toEqual(['b', 'a']);
  expect(rows('new').every(({ device }) => device !== null)).toBe(true);
  expect(isAsked(headQuery(query('new')).queryKey)).toBe(true);
});

test('a new one comes without its swarm: the newest rows and the counts are asked for', () => {
  const { happens, isAsked } = setUp();
  happens('invitation.received', { id: 'c' });
  expect(isAsked(headQuery(query('new')).queryKey)).toBe(true);
  expect(isAsked(inboxCountQuery.queryKey)).toBe(true);
});

test('what no list holds makes them ask', () => {
  const { happens, isAsked } = setUp();
  happens('invitation.withdrawn', { id: 'unknown' });
  expect(isAsked(headQuery(query('new')).queryKey)).toBe(true);
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

test('after a gap everything is read again', () => {
  const { happens, isAsked } = setUp();
  happens('reset', {});
  expect(isAsked(invitationPagesQuery(query('new')).queryKey)).toBe(true);
});

test('events of other things change nothing', () => {
  const { rows, happens, isAsked } = setUp();
  const before = rows('new');
  happens('swarm.created', { id: 'other' });
  expect(rows('new')).toEqual(before);
  expect(isAsked(inboxCountQuery.queryKey)).toBe(false);
});
