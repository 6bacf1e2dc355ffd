import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, test, vi } from 'vitest';
import { knownQuery, swarmListQuery } from './swarms.api.ts';
import { applySwarmEvents } from './swarms.live.ts';

const keys = {
  list: ['swarms', 'list', ''],
  overview: ['swarm', 's1', 'overview'],
  members: ['swarm', 's1', 'members', {}],
  board: ['swarm', 's1', 'board', 'all', '100'],
  other: ['swarm', 's2', 'overview'],
  otherMembers: ['swarm', 's2', 'members', {}],
  map: ['map', 'anything'],
  device: ['resource', 'r1', 'swarms'],
} as const;
let client: QueryClient;

beforeEach(() => {
  client = new QueryClient();
  for (const key of Object.values(keys)) client.setQueryData(key, {});
});

/** What is read anew for it. */
function changedBy(...events: Parameters<typeof applySwarmEvents>[1][number][]): string[] {
  applySwarmEvents(client, events);
  return Object.entries(keys).flatMap(([name, key]) => (client.getQueryState(key)?.isInvalidated ? [name] : []));
}

test('a membership concerns its swarm, the lists, the map and the device', () => {
  const data = { swarm_id: 's1', resource_id: 'r1', resource_type: 'both' };
  expect(changedBy({ type: 'membership.changed', data })).toEqual(['list', 'overview', 'members', 'map', 'device']);
});

test.each(['invitation.sent', 'invitation.updated', 'invitation.withdrawn'] as const)(
  '%s concerns the board',
  (type) => {
    expect(changedBy({ type, data: { id: 'i1', swarm_id: 's1', resource_id: 'r1' } })).toEqual([
      'list',
      'overview',
      'board',
    ]);
  },
);

test('a swarm that is edited is read again, and no other one', () => {
  expect(changedBy({ type: 'swarm.updated', data: { id: 's2' } })).toEqual(['list', 'other']);
});

test('a swarm that is gone takes all that was shown of it', () => {
  expect(changedBy({ type: 'swarm.destroyed', data: { id: 's1' } })).toEqual([
    'list',
    'overview',
    'members',
    'board',
    'map',
    'device',
  ]);
});

test('a device that is another one concerns the members wherever they are shown', () => {
  expect(changedBy({ type: 'resource.updated', data: { id: 'r1' } })).toEqual(['members', 'otherMembers']);
});

test('after a gap everything about swarms is read again', () => {
  expect(changedBy({ type: 'reset', data: {} })).toEqual([
    'list',
    'overview',
    'members',
    'board',
    'other',
    'otherMembers',
  ]);
});

test('only queries that exist are invalidated', () => {
  const ask = vi.spyOn(client, 'invalidateQueries');
  const others = [swarmListQuery('').queryKey, knownQuery('s1').queryKey, ['devices', 'pages'], ['account']];
  const existing = [...Object.values(keys), ...others].map((key) => JSON.stringify(key).slice(0, -1));
  for (const type of ['swarm.destroyed', 'invitation.updated', 'membership.changed', 'reset'] as const) {
    applySwarmEvents(client, [{ type, data: { id: 's1', swarm_id: 's1', resource_id: 'r1' } }]);
  }
  const asked = ask.mock.calls.map(([filters]) => JSON.stringify(filters?.queryKey).slice(0, -1));
  expect(asked.filter((key) => !existing.some((known) => known.startsWith(key)))).toEqual([]);
});

test('what concerns no swarm changes nothing', () => {
  expect(changedBy({ type: 'resource.created', data: { id: 'r9' } })).toEqual([]);
});

test('a thousand answers that came together are read once', () => {
  const ask = vi.spyOn(client, 'invalidateQueries');
  const data = (resource_id: string) => ({ id: `i-${resource_id}`, swarm_id: 's1', resource_id });
  const many = Array.from({ length: 1000 }, (_, index) => [
    { type: 'invitation.updated' as const, data: data(`r${index}`) },
    { type: 'membership.changed' as const, data: data(`r${index}`) },
  ]);
  expect(changedBy(...many.flat())).toEqual(['list', 'overview', 'members', 'board', 'map', 'device']);
  expect(ask.mock.calls.length).toBeLessThan(20);
});
