import { beforeAll, expect, test } from 'vitest';
import type { Activity } from '@swarmdeck/bff/contract';
import { loadTexts } from '../../text/text.ts';
import { blocksOf, groupsOf, moreOf } from './activity-groups.ts';
import { sentenceOf } from './activity-line.tsx';

beforeAll(() => loadTexts('en'));

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

test('of a group whose end is not loaded, the server knows the number, unless it has pairs', () => {
  expect(moreOf(groupsOf([entry(0), entry(1)])[0]!, { more: 7 })).toBe(7);
  expect(moreOf(groupsOf([entry(0, { detail: 'both' })])[0]!, { more: 7 })).toBeUndefined();
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

test('an invitation for both roles that was accepted until a time is one entry, with this time', () => {
  const resource = { id: 'a', name: 'Buoy', user_id: 'ann' };
  const accepted = (detail: string) => entry(0, { kind: 'invitation.accepted', resource, detail });
  const details = (...entries: Activity[]) =>
    groupsOf(entries).flatMap((group) => group.entries.map((each) => each.detail));
  const [at, later] = ['2026-11-29T08:39:00.000Z', '2026-11-29T09:39:00.000Z'];
  expect(details(accepted(`producer\n${at}`), accepted(`consumer\n${at}`))).toEqual([`both\n${at}`]);
  expect(details(accepted(`producer\n${at}`), accepted(`consumer\n${later}`))).toHaveLength(2);
});

test('entries that are minutes apart are not grouped', () => {
  expect(sizes(entry(0), entry(121))).toHaveLength(2);
});

test('sign-ins and renamed devices are never grouped', () => {
  expect(sizes(entry(0, { kind: 'resource.renamed' }), entry(1, { kind: 'resource.renamed' }))).toHaveLength(2);
});

test('a line stays in its block when newer or older entries follow', () => {
  const entries = Array.from({ length: 200 }, (_, number) => entry(number, { kind: 'resource.renamed' }));
  const read = entries[60]!.id;
  const numbers = (from: number, to: number) => {
    const blocks = [...blocksOf(groupsOf(entries.slice(from, to)), read)];
    return blocks.flatMap(([number, groups]) => groups.map((group) => [group.entries[0].id, number] as const));
  };
  const all = new Map(numbers(0, 200));
  expect(all.size).toBe(200);
  expect(numbers(0, 60).every(([id, number]) => number < 0 && all.get(id) === number)).toBe(true);
  expect(numbers(13, 87)).toEqual([...all].slice(13, 87));
  const sizes = [...blocksOf(groupsOf(entries), read).values()].map(({ length }) => length);
  expect(sizes).toEqual([10, 50, 50, 50, 40]);
});

test('the end of what was offered to a name that nobody had says why', () => {
  const taken = { kind: 'resource.offer_withdrawn' as const, actor: '(server)', detail: 'ben' };
  expect(sentenceOf(entry(0, taken), 'ann')).toMatch(
    /^You offered {device} to {detail}\. The offer has ended: when you made it, nobody had/,
  );
  const { resource: _, ...many } = entry(0, { ...taken, amount: 3 });
  expect(sentenceOf(many, 'ann')).toMatch(/^You offered 3 devices to {detail}\. The offers have ended/);
  expect(sentenceOf(entry(0, { ...taken, kind: 'swarm.watcher_withdrawn' }), 'ann')).toMatch(
    /to watch {swarm}\. The request has/,
  );
  expect(sentenceOf(entry(0, { ...taken, actor: 'cleo' }), 'ann')).toBe('{actor} withdrew the offer of {device}');
});

test('a key of a device is named with its device', () => {
  const made = { kind: 'account.key_created' as const };
  expect(sentenceOf(entry(0, made), 'ann')).toBe('You created the API key {detail} of {device}');
  const { resource: _, ...ofAccount } = entry(0, made);
  expect(sentenceOf(ofAccount, 'ann')).toBe('You created the API key {detail}');
});

test('the sentence of replaced keys fits one key and many', () => {
  const { resource: _, ...many } = entry(0, { kind: 'account.key_replaced', detail: 'Buoy 1 +11' });
  expect(sentenceOf(many, 'ann')).toBe(
    'The app revoked and replaced the API key {detail}, because the answer of the server did not reach your browser',
  );
});
