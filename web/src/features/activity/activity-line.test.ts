import { expect, test } from 'vitest';
import type { Activity } from '@swarmdeck/bff/contract';
import { groupsOf } from './activity-line.tsx';

let id = 1000;
/** An entry that is `seconds` older than the newest one. */
function entry(seconds: number, change: Partial<Activity> = {}): Activity {
  id -= 1;
  const at = new Date(Date.UTC(2026, 0, 2) - seconds * 1000).toISOString();
  const resource = { id: `device-${id}`, name: `Buoy ${id}`, user_id: 'ann' };
  return {
    id,
    at,
    kind: 'member.added',
    actor: 'ann',
    resource,
    swarm: { id: 'harbour', name: 'Harbour' },
    detail: 'producer',
    ...change,
  };
}
const sizes = (...entries: Activity[]) => groupsOf(entries).map(({ kind, entries: { length } }) => [kind, length]);

test('the devices of a bulk action are one group', () => {
  expect(sizes(entry(0), entry(1), entry(100))).toEqual([['member.added', 3]]);
});

test('another action, user, swarm or role begins a new group', () => {
  expect(sizes(entry(0), entry(1, { kind: 'member.removed' }), entry(2), entry(3, { actor: 'ben' }))).toEqual([
    [null, 1],
    [null, 1],
    [null, 1],
    [null, 1],
  ]);
  expect(sizes(entry(0), entry(1, { swarm: { id: 'port', name: 'Port' } }))).toHaveLength(2);
  expect(sizes(entry(0), entry(1, { detail: 'consumer' }))).toHaveLength(2);
});

test('an invitation for both roles is one entry', () => {
  const invited = { kind: 'invitation.sent' as const, resource: { id: 'a', name: 'Buoy', user_id: 'ann' } };
  const pair = (resource = invited.resource) => [
    entry(0, { ...invited, resource, detail: 'producer' }),
    entry(0, { ...invited, resource, detail: 'consumer' }),
  ];
  expect(groupsOf(pair()).map(({ entries }) => entries.map(({ detail }) => detail))).toEqual([['both']]);
  // Also of many devices, and not if something else happened between them.
  expect(sizes(...pair(), ...pair({ ...invited.resource, id: 'b' }))).toEqual([['invitation.sent', 2]]);
  expect(sizes(pair()[0]!, entry(0), pair()[1]!)).toHaveLength(3);
});

test('entries that are minutes apart are not grouped', () => {
  expect(sizes(entry(0), entry(121))).toHaveLength(2);
});

test('sign-ins and renamed devices are never grouped', () => {
  expect(sizes(entry(0, { kind: 'resource.renamed' }), entry(1, { kind: 'resource.renamed' }))).toHaveLength(2);
});
