import type { InvitationItem } from '@swarmdeck/bff/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWaiting } from '../../ui/waiting.ts';
import { createBoardJobs } from './board-jobs.ts';
import type { BoardEnd } from './board-jobs.ts';

const invitation = (id: string) => ({ id, to: 'ben', resource_id: id, status: 'new' }) as InvitationItem;
const [one, two, three] = [invitation('1'), invitation('2'), invitation('3')];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function board({ refuse = [] as string[] } = {}) {
  let made = 0;
  const sent: string[] = [];
  const ends: BoardEnd[] = [];
  const waiting = createWaiting();
  const jobs = createBoardJobs({
    waiting,
    send: async ({ act, item, key }) => {
      sent.push(`${act} ${item.id} ${key}`);
      if (refuse.includes(item.id)) throw new Error('no');
    },
    label: (key) => key,
    newKey: () => String((made += 1)),
    onEnd: (end) => ends.push(end),
    pause: async () => undefined,
  });
  return { jobs, sent, ends, waiting };
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
  expect(ends).toEqual([{ act: 'withdraw', items: [one, two, three], failed: 1, error: new Error('no') }]);
});

test('what is on its way cannot be undone', async () => {
  const { jobs, waiting } = board();
  jobs.add({ act: 'withdraw', items: [one] });
  waiting.flush({ keepalive: true });
  jobs.undo('1');
  expect(jobs.jobOf('1')?.state).toBe('sending');
  await vi.advanceTimersByTimeAsync(0);
});
