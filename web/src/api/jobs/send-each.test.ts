import { expect, test } from 'vitest';
import { OfflineError, ProblemError } from '../problem.ts';
import { patienceForMany, patienceForOne, sendEach } from './send-each.ts';

const problem = (status: number, retryAfter: number | null = null, code = `http.${status}`) =>
  new ProblemError({
    problem: { type: '', title: '', status, detail: '', code, request_id: '' },
    retryAfter,
  });
const items = Array.from({ length: 40 }, (_, at) => at);
const nothing = () => undefined;

function run(send: (item: number) => Promise<void>, more: Partial<Parameters<typeof sendEach<number>>[0]> = {}) {
  const pauses: number[] = [];
  const pause = async (seconds: number) => void pauses.push(seconds);
  const done = sendEach({
    items,
    send,
    onRefused: nothing,
    stopped: () => false,
    patience: patienceForMany,
    pause,
    ...more,
  });
  return { done, pauses };
}

test('each is sent once, eight at a time', async () => {
  let [now, most] = [0, 0];
  const sent: number[] = [];
  await run(async (item) => {
    now += 1;
    most = Math.max(most, now);
    await new Promise((resolve) => setTimeout(resolve, 1));
    sent.push(item);
    now -= 1;
  }).done;
  expect(most).toBe(8);
  expect(sent.sort((a, b) => a - b)).toEqual(items);
});

test('a busy server is given the time it asks for, one that starts anew is waited for', async () => {
  const tries = new Map<number, number>();
  const { done, pauses } = run(async (item) => {
    tries.set(item, (tries.get(item) ?? 0) + 1);
    if (item === 3 && tries.get(item) === 1) throw problem(429, 7);
    if (item === 5 && (tries.get(item) ?? 0) < 4) throw new OfflineError();
  });
  await done;
  expect(pauses.sort((a, b) => a - b)).toEqual([3, 3, 3, 7]);
  expect(tries.get(3)).toBe(2);
  expect(tries.get(5)).toBe(4);
});

test('what is refused concerns one alone', async () => {
  const refused: number[] = [];
  const sent: number[] = [];
  const send = async (item: number) => {
    if (item === 4) throw problem(404);
    sent.push(item);
  };
  await run(send, { onRefused: (item) => void refused.push(item) }).done;
  expect(refused).toEqual([4]);
  expect(sent).toHaveLength(39);
});

test('what is stopped sends no more', async () => {
  let sent = 0;
  const send = async () => {
    sent += 1;
  };
  await run(send, { stopped: () => sent >= 10 }).done;
  expect(sent).toBeLessThan(20);
});

test('one alone is told at once that nobody answers', () => {
  expect(patienceForOne(new OfflineError())).toBeNull();
  expect(patienceForOne(problem(429))).toBe(1);
  expect(patienceForMany(problem(503))).toBe(3);
  expect(patienceForMany(problem(409))).toBeNull();
  expect(patienceForMany(problem(409, 2, 'idempotency.in_flight'))).toBe(2);
});

test('what is still being read is sent as it comes', async () => {
  async function* reading() {
    yield* [1, 2, 3];
  }
  const sent: number[] = [];
  await sendEach({
    items: reading(),
    send: async (item) => void sent.push(item),
    onRefused: nothing,
    stopped: () => false,
    patience: patienceForMany,
    pause: async () => {},
  });
  expect(sent).toEqual([1, 2, 3]);
});
