import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWaiting } from '../../../ui/waiting.ts';
import type { BoardJob, BoardRow, KeptBoard } from './board-job.ts';
import { createBoardJobs } from './board-jobs.ts';

const invitation = (id: string): BoardRow => ({
  id,
  to: 'ben',
  resource_id: id,
  resource_type: 'consumer',
  swarm: { id: 'levels' },
});
const [one, two, three] = [invitation('1'), invitation('2'), invitation('3')];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function board({ refuse = [] as string[] } = {}) {
  let made = 0;
  const sent: string[] = [];
  const ends: BoardJob[] = [];
  const store: unknown[] = [];
  const kept: Omit<KeptBoard, 'watch'> = {
    prepare: () => undefined,
    begin: ({ key, rows }) => store.push(['begin', key, rows.map(({ id }) => id)]),
    change: (key, { paused }) => store.push(['change', key, paused]),
    add: (key, all) => store.push(['add', key, ...all]),
    end: (key) => store.push(['end', key]),
  };
  const held = { here: Promise.withResolvers<void>(), ids: [] as string[] };
  const waiting = createWaiting();
  const jobs = createBoardJobs({
    waiting,
    send: async ({ act, item, key }) => {
      sent.push(`${act} ${item.id} ${key}`);
      if (held.ids.includes(item.id)) await held.here.promise;
      if (refuse.includes(item.id)) throw new Error('no');
    },
    kept: () => kept,
    show: ({ key }) => ({ label: key }),
    newKey: () => String((made += 1)),
    onEnd: (end) => ends.push(end),
    pause: async () => undefined,
  });
  return { jobs, sent, ends, waiting, store, held };
}
const tenSeconds = () => vi.advanceTimersByTimeAsync(10_000);

test('many wait as one, and each is sent with a key of its own', async () => {
  const { jobs, sent, waiting } = board();
  jobs.add({ act: 'withdraw', items: [one, two] });
  expect(waiting.items()).toHaveLength(1);
  expect(jobs.jobOf('2')).toMatchObject({ act: 'withdraw', state: 'waiting' });
  expect(sent).toEqual([]);
  await tenSeconds();
  expect(sent).toEqual(['withdraw 1 board:1:1', 'withdraw 2 board:1:2']);
  expect(jobs.jobOf('2')).toBeUndefined();
});

test('one is taken out of many, and the last one takes the job with it', async () => {
  const { jobs, sent, waiting, ends } = board();
  jobs.add({ act: 'send_again', items: [one, two] });
  jobs.undo('1');
  expect(jobs.jobOf('1')).toBeUndefined();
  expect([...(jobs.jobOf('2')?.items.keys() ?? [])]).toEqual(['2']);
  jobs.undo('2');
  expect(waiting.items()).toEqual([]);
  await tenSeconds();
  expect([sent, ends]).toEqual([[], []]);
});

test('the Undo of the notice takes back all of it', () => {
  const { jobs, waiting } = board();
  jobs.add({ act: 'withdraw', items: [one, two] });
  waiting.undo(waiting.items()[0]!.key);
  expect([jobs.jobOf('1'), jobs.jobOf('2')]).toEqual([undefined, undefined]);
});

test('what waits already is not asked for twice', () => {
  const { jobs, waiting } = board();
  jobs.add({ act: 'withdraw', items: [one] });
  jobs.add({ act: 'send_again', items: [one, three] });
  jobs.add({ act: 'withdraw', items: [one] });
  expect(waiting.items()).toHaveLength(2);
  expect(jobs.jobOf('1')?.act).toBe('withdraw');
  expect([...(jobs.jobOf('3')?.items.keys() ?? [])]).toEqual(['3']);
});

test('what is refused stops nobody, and is counted with the reason', async () => {
  const { jobs, ends } = board({ refuse: ['2'] });
  jobs.add({ act: 'withdraw', items: [one, two, three] });
  await tenSeconds();
  expect(ends).toMatchObject([{ act: 'withdraw', total: 3, done: 3, failed: 1, error: new Error('no') }]);
});

test('what is on its way cannot be undone', async () => {
  const { jobs, waiting } = board();
  jobs.add({ act: 'withdraw', items: [one] });
  void waiting.flush({ keepalive: true });
  jobs.undo('1');
  expect(jobs.jobOf('1')?.state).toBe('sending');
  await vi.advanceTimersByTimeAsync(0);
});

test('many are kept from when they are sent until they have ended; one alone is not', async () => {
  const { jobs, store } = board({ refuse: ['2'] });
  jobs.add({ act: 'withdraw', items: [one] });
  jobs.add({ act: 'withdraw', items: [two, three] });
  expect(store).toEqual([]);
  await tenSeconds();
  expect(store).toEqual([
    ['begin', 'board:2', ['2', '3']],
    ['add', 'board:2', [1, true], [0, false]],
    ['end', 'board:2'],
  ]);
});

test('what another page has begun goes on, without what had come to an end', async () => {
  const { jobs, sent, ends } = board();
  const rows = [one, two, three];
  const left = {
    key: 'board:9',
    about: { act: 'withdraw', paused: false } as const,
    rows,
    ends: new Map([[1, false]]),
  };
  jobs.goOn(left);
  jobs.goOn(left);
  expect(jobs.jobOf('2')).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1000);
  expect(sent).toEqual(['withdraw 1 board:9:1', 'withdraw 3 board:9:3']);
  expect(ends).toMatchObject([{ total: 3, done: 3, failed: 1 }]);
});

test('it is paused, goes on, and is stopped: what is not sent yet is not done', async () => {
  const { jobs, sent, ends, store, held } = board();
  const many = Array.from({ length: 12 }, (_, at) => invitation(`${at}`));
  held.ids = many.map(({ id }) => id);
  jobs.add({ act: 'send_again', items: many });
  await tenSeconds();
  expect(sent).toHaveLength(8);
  jobs.pause('board:1');
  jobs.pause('board:1');
  expect(jobs.job('board:1')?.state).toBe('paused');
  held.here.resolve();
  await vi.advanceTimersByTimeAsync(1000);
  expect([sent.length, jobs.job('board:1')?.done]).toEqual([8, 8]);
  jobs.stop('board:1');
  await vi.advanceTimersByTimeAsync(1000);
  expect(ends).toMatchObject([{ total: 12, done: 8, failed: 0 }]);
  expect(store).toContainEqual(['change', 'board:1', true]);
  expect(jobs.jobOf('11')).toBeUndefined();
});
