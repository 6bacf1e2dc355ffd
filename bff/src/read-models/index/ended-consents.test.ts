import { expect, test } from 'vitest';
import { createEndedConsents } from './ended-consents.store.ts';
import type { Change } from './viewed-audience.ts';

/** A database at a time, with the end of one member. */
function create(end: string | null) {
  const times = { db: '2026-01-01T00:00:00.000Z', clock: 0 };
  const state = { end, reads: 0 };
  const ended = createEndedConsents({
    clock: () => times.clock,
    async read<R>({ sql, params = [] }: { sql: string; params?: readonly unknown[] }) {
      state.reads += 1;
      const isBetween = state.end !== null && state.end <= String(params[0]) && state.end > String(params[1]);
      if (sql.startsWith('SELECT time_now()')) return [{ now: times.db }] as R[];
      if (sql.startsWith('SELECT min'))
        return [{ next: state.end !== null && state.end > String(params[0]) ? state.end : null }] as R[];
      const isOfMembers = sql.includes('FROM memberships');
      return (isBetween && isOfMembers ? [{ ref: 7, swarm_id: 's', user_id: 'ann' }] : []) as R[];
    },
  });
  return { ended, times, state };
}
async function take({ takeAll }: ReturnType<typeof createEndedConsents>) {
  const taken: Change[] = [];
  await takeAll((changes) => void taken.push(...changes));
  return taken;
}
const both = [
  { resource: 7, swarm: 's' },
  { user: 'ann', swarm: 's' },
];

test('a member that ends is a change once, at its time', async () => {
  const { ended, times, state } = create('2026-01-01T00:00:00.500Z');
  expect(await take(ended)).toEqual([]);
  const { reads } = state;
  times.clock = 499;
  expect(await take(ended)).toEqual([]);
  expect(state.reads).toBe(reads);
  [times.clock, times.db] = [500, '2026-01-01T00:00:00.500Z'];
  expect(await take(ended)).toEqual(both);
  times.clock = 5000;
  expect(await take(ended)).toEqual([]);
});

test('without an end, nothing is read until a change is noted', async () => {
  const { ended, times, state } = create(null);
  await take(ended);
  const { reads } = state;
  times.clock = 1e9;
  expect(await take(ended)).toEqual([]);
  expect(state.reads).toBe(reads);
  state.end = '2026-01-01T00:00:00.100Z';
  ended.noteChange();
  await take(ended);
  [times.clock, times.db] = [1e9 + 100, '2026-01-01T00:00:00.200Z'];
  expect(await take(ended)).toEqual(both);
});

test('a clock of the database that was set forward is noticed within a second', async () => {
  const { ended, times } = create('2026-01-01T05:00:00.000Z');
  await take(ended);
  [times.clock, times.db] = [1000, '2026-01-01T06:00:00.000Z'];
  expect(await take(ended)).toEqual(both);
});

test('after a failure, it is read again', async () => {
  let isAway = true;
  const ended = createEndedConsents({
    clock: () => 0,
    async read<R>({ sql }: { sql: string }) {
      if (isAway) throw new Error('away');
      return [sql.startsWith('SELECT time') ? { now: 'a' } : { next: null }] as R[];
    },
  });
  await expect(take(ended)).rejects.toThrow('away');
  isAway = false;
  expect(await take(ended)).toEqual([]);
});
