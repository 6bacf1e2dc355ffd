import type { InvitationItem } from '@swarmdeck/bff/contract';
import { expect, test } from 'vitest';
import { itemOf } from '../../../data/cache/invitation.fixture.ts';
import { consentOf, lastEndOf, summarise, summariseAnswered } from './bulk-summary.ts';

const air = { id: 'air', user_id: 'air-watch', name: 'Air quality', description: '', public: true, member_count: 212 };

test('invitations are grouped by swarm, and each swarm’s members count once', () => {
  const summary = summarise([
    itemOf('1', 3),
    itemOf('2', 2, { resource_type: 'producer' }),
    itemOf('3', 1, { swarm: air, swarm_id: 'air' }),
  ]);
  expect(summary.swarms.map(({ swarm, devices }) => [swarm.name, devices.length])).toEqual([
    ['River levels', 2],
    ['Air quality', 1],
  ]);
  expect(summary).toMatchObject({ devices: 3, members: 226 });
});

test('a device that two swarms invited counts once', () => {
  const summary = summarise([
    itemOf('1', 2, { resource_id: 'gate' }),
    itemOf('2', 1, { resource_id: 'gate', swarm: air, swarm_id: 'air' }),
  ]);
  expect(summary).toMatchObject({ devices: 1, members: 226 });
  expect(summary.swarms).toHaveLength(2);
});

test('invitations of a device as consumer and as producer are one line with both roles', () => {
  const { swarms } = summarise([
    itemOf('1', 2, { resource_id: 'gate' }),
    itemOf('2', 1, { resource_id: 'gate', resource_type: 'producer' }),
  ]);
  expect(swarms[0]?.devices.map(({ role }) => role)).toEqual(['both']);
});

test('the messages of invitations are those of the swarm if they are the same, otherwise of each device', () => {
  const [first, second] = [itemOf('1', 2, { description: 'Hello' }), itemOf('2', 1)];
  const messages = (...items: InvitationItem[]) =>
    summarise(items).swarms.map(({ message, devices }) => [message, ...devices.map((each) => each.messages)]);
  expect(messages(first, { ...second, description: 'Hello' })).toEqual([['Hello', ['Hello'], ['Hello']]]);
  expect(messages(first, { ...second, description: 'Please' })).toEqual([[undefined, ['Hello'], ['Please']]]);
  expect(messages(first, second)).toEqual([[undefined, ['Hello'], []]]);
  expect(messages(second)).toEqual([[undefined, []]]);
});

test('the summary of an empty selection is empty', () => {
  expect(summarise([])).toEqual({ swarms: [], devices: 0, members: 0 });
});

test('each of ten thousand invitations is read a few times', () => {
  let reads = 0;
  const items = Array.from({ length: 10_000 }, (_, at) => {
    const item = itemOf(String(at), at % 60);
    const { resource_id } = item;
    return Object.defineProperty(item, 'resource_id', {
      get() {
        reads += 1;
        return resource_id;
      },
    });
  });
  expect(summarise(items)).toMatchObject({ devices: 10_000, members: 14 });
  expect(reads).toBeLessThan(50_000);
});

test('invitations whose time is over are left out and counted, and the others stay the same until the next end', () => {
  const [never, early, late] = [
    itemOf('1', 3),
    itemOf('2', 2, { ends_at: '2026-01-02T00:00:00.000Z' }),
    itemOf('3', 1, { ends_at: '2026-01-04T00:00:00.000Z' }),
  ];
  const items = [never, early, late];
  const lastEndAt = (day: number) => lastEndOf(items, Date.parse(`2026-01-0${day}T00:00:00.000Z`));
  const [earlyEnd, lateEnd] = [Date.parse(early.ends_at!), Date.parse(late.ends_at!)];
  expect([1, 2, 3, 4].map(lastEndAt)).toEqual([null, earlyEnd, earlyEnd, lateEnd]);
  expect(summariseAnswered(items, lastEndAt(1))).toMatchObject({ answered: items, over: 0 });
  expect(summariseAnswered(items, lastEndAt(3))).toMatchObject({ answered: [never, late], over: 1 });
  expect(summariseAnswered(items, lastEndAt(4))).toMatchObject({ answered: [never], over: 2, swarms: [{}] });
});

test('devices that stay longer do not join, and their swarms count only for them', () => {
  const ends_at = '2026-01-04T00:00:00.000Z';
  const later = itemOf('2', 2, { swarm: air, swarm_id: 'air', ends_at, is_later_end: true });
  const { joining, ...all } = summariseAnswered([itemOf('1', 3), later], null);
  expect(all).toMatchObject({ devices: 2, staying: 1 });
  expect(joining).toMatchObject({ devices: 1, swarms: [{ swarm: { name: 'River levels' } }] });
});

test.each<[given: Parameters<typeof itemOf>[2], agreed: string[]]>([
  [{ resource_type: 'producer' }, ['sends']],
  [{ resource_type: 'consumer' }, ['receives']],
  [{ resource_type: 'both', ends_at: '2026-01-04T00:00:00.000Z' }, ['sends', 'receives', 'ends']],
  [{ resource_type: 'consumer', other_role_ends_at: '2026-01-04T00:00:00.000Z' }, ['receives', 'ends']],
  [{ resource_type: 'consumer', other_role_ends_at: null }, ['receives']],
  [{ is_later_end: true, ends_at: '2026-01-04T00:00:00.000Z' }, []],
])('the owner of %o agrees to %j', (given, agreed) => {
  expect(consentOf(summariseAnswered([itemOf('1', 1, given)], null).joining)).toEqual(agreed);
});
