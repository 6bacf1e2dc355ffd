import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDemoTalk, type DemoTalk } from './demo-talk.ts';

type Options = Parameters<typeof createDemoTalk>[0];

let sent: string[];
let moved: string[];
let heard: string[];
let devices: object[];
let reads: number;
/** While the database does not answer. */
let isAway: Promise<void> | undefined;
let talk: DemoTalk;
beforeEach(() => {
  vi.useFakeTimers();
  [sent, moved, heard, reads, isAway] = [[], [], [], 0, undefined];
  devices = Array.from({ length: 30 }, (_, n) => ({
    id: `device-${String(n).padStart(4, '0')}`,
    user_id: n < 10 ? 'ann' : 'harbour-demo',
    machine_type: ['pc', 'bug', 'smartphone'][n % 3],
    ...(n % 2 === 0 ? { longitude: 8, latitude: 54 } : { longitude: null, latitude: null }),
  }));
  talk = createDemoTalk({
    db: {
      async read<R>() {
        reads += 1;
        await isAway;
        return devices as R[];
      },
    },
    send: (async ({ userId, id }: { userId: string; id: string }) =>
      void sent.push(`${userId} ${id}`)) as unknown as Options['send'],
    updateResource: (async ({ userId, id }: { userId: string; id: string }) =>
      void moved.push(`${userId} ${id}`)) as unknown as Options['updateResource'],
    heard: (device) => void heard.push(device),
    now: () => new Date(),
    report: (error) => {
      throw error;
    },
  });
});
afterEach(() => {
  talk.close();
  vi.useRealTimers();
});

test('the demo talks while a page of its user is open, each device in turn as its owner', async () => {
  await vi.advanceTimersByTimeAsync(60_000);
  expect([sent, reads]).toEqual([[], 0]);
  const [first, second] = [talk.watch('ann'), talk.watch('ann')];
  await vi.advanceTimersByTimeAsync(20_000);
  expect(sent).toHaveLength(30);
  expect(new Set(sent).size).toBe(30);
  expect(heard).toEqual(sent.map((text) => text.split(' ')[1]));
  expect(sent.filter((text) => text.startsWith('ann '))).toHaveLength(10);
  // Three vans of others, never a device of the user.
  expect(new Set(moved)).toEqual(new Set([14, 20, 26].map((n) => `harbour-demo device-00${n}`)));
  first();
  await vi.advanceTimersByTimeAsync(2000);
  expect(sent).toHaveLength(33);
  second();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toHaveLength(33);
  expect(reads).toBe(1);
});

test('a user without a demo costs one read, until the demo is added', async () => {
  const all = devices;
  devices = [];
  talk.watch('ann');
  await vi.advanceTimersByTimeAsync(60_000);
  expect([sent, reads]).toEqual([[], 1]);
  devices = all;
  talk.isChanged('ann');
  await vi.advanceTimersByTimeAsync(2000);
  expect([sent.length, reads]).toEqual([3, 2]);
});

test('at most fifty demos talk at the same time', async () => {
  const ends = Array.from({ length: 60 }, (_, n) => talk.watch(`user-${n}`));
  await vi.advanceTimersByTimeAsync(2000);
  expect(reads).toBe(50);
  ends.forEach((end) => end());
  await vi.advanceTimersByTimeAsync(2000);
  expect(reads).toBe(50);
});

test('turns do not pile up while the database does not answer', async () => {
  const away = Promise.withResolvers<void>();
  isAway = away.promise;
  talk.watch('ann');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reads).toBe(1);
  away.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toHaveLength(6);
});
