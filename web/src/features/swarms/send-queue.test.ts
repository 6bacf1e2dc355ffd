import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OfflineError, ProblemError } from '../../api/problem.ts';
import { createWaiting } from '../../ui/waiting.ts';
import { createSendQueue, fromStored, toStored } from './send-queue.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const refusal = new ProblemError({
  problem: { type: '', title: '', status: 400, detail: '', code: 'body.invalid', request_id: '' },
});
const inFlight = new ProblemError({
  problem: { type: '', title: '', status: 409, detail: '', code: 'idempotency.in_flight', request_id: '' },
});
const about = { swarm: { id: 's1', name: 'River levels' } };
const rows = ['a', 'b', 'c'].map((to) => ({ to }));

function setUp(refuse: (to: string) => Error | null = () => null) {
  const waiting = createWaiting();
  const sent: string[] = [];
  const happened: string[] = [];
  let keys = 0;
  const queue = createSendQueue<typeof about, (typeof rows)[number]>({
    name: 'invite',
    waiting,
    kept: {
      prepare: () => undefined,
      begin: (job) => happened.push(`begin ${job.rows.length}`),
      change: (_key, { paused }) => happened.push(paused ? 'pause' : 'resume'),
      add: (_key, ends) => happened.push(`add ${ends.length}`),
      end: () => happened.push('end'),
    },
    newKey: () => `${(keys += 1)}`,
    send: async ({ to }, { key }) => {
      const error = refuse(to);
      if (error) throw error;
      sent.push(`${to} ${key}`);
    },
    show: () => ({ label: 'Sending', progress: null }),
    onEnd: () => happened.push('told'),
    pause: (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000)),
  });
  return { waiting, queue, sent, happened };
}

test('each is sent with a key made of job and row, and kept until the last has ended', async () => {
  const { waiting, queue, sent, happened } = setUp();
  queue.start({ about, rows });
  expect(queue.job()).toMatchObject({ state: 'sending', done: 0, lines: [{ end: null }, {}, {}] });
  expect(waiting.items()).toMatchObject([{ key: 'invite:1', state: 'sending' }]);
  await vi.advanceTimersByTimeAsync(100);
  expect(sent).toEqual(['a invite:1-0', 'b invite:1-1', 'c invite:1-2']);
  expect(happened).toEqual(['begin 3', 'add 3', 'end', 'told']);
  expect(queue.job()).toMatchObject({ state: 'ended', done: 3 });
  expect(waiting.items()).toEqual([]);
  queue.next();
  expect(queue.job()).toBeNull();
});

test('what is refused says why', async () => {
  const { queue } = setUp((to) => (to === 'b' ? refusal : null));
  queue.start({ about, rows });
  await vi.advanceTimersByTimeAsync(100);
  const job = queue.job()!;
  expect(job.lines.map(({ end }) => end)).toEqual([{ ok: true }, { ok: false, error: refusal }, { ok: true }]);
});

test('what a closed page left behind goes on with the same keys, but for what has ended', async () => {
  const { queue, sent } = setUp();
  const ends = new Map([[1, toStored({ ok: false, error: refusal })]]);
  queue.goOn({ key: 'invite:9', about: { ...about, paused: false }, rows, ends });
  await vi.advanceTimersByTimeAsync(100);
  expect(sent).toEqual(['a invite:9-0', 'c invite:9-2']);
  expect(queue.job()).toMatchObject({ about, state: 'ended', done: 3 });
  expect(queue.job()?.lines[1]?.end).toMatchObject({ ok: false, error: { code: 'body.invalid' } });
});

test('many wait for a service that is away, and for an answer that is on its way', async () => {
  let error: Error | null = new OfflineError();
  const { queue, sent } = setUp(() => error);
  queue.start({ about, rows });
  await vi.advanceTimersByTimeAsync(10_000);
  error = inFlight;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(queue.job()).toMatchObject({ state: 'sending', done: 0 });
  error = null;
  await vi.advanceTimersByTimeAsync(5000);
  expect(sent.length).toBe(3);
});

test('paused, it stays so until it is resumed; stopped, the rest is not sent', async () => {
  const { queue, sent, happened } = setUp();
  queue.goOn({ key: 'invite:9', about: { ...about, paused: true }, rows, ends: new Map([[0, 'sent']]) });
  await vi.advanceTimersByTimeAsync(5000);
  expect([queue.job()?.state, sent]).toEqual(['paused', []]);
  queue.resume();
  queue.pause();
  await vi.advanceTimersByTimeAsync(5000);
  expect(happened).toEqual(['resume', 'pause']);
  queue.stop();
  await vi.advanceTimersByTimeAsync(100);
  expect(queue.job()?.lines.map(({ end }) => end)).toEqual([
    { ok: true },
    { ok: false, stopped: true },
    { ok: false, stopped: true },
  ]);
});

test('how a line ended is kept in a form that the browser can keep', () => {
  expect(fromStored(toStored({ ok: true }))).toEqual({ ok: true });
  expect(fromStored(structuredClone(toStored({ ok: false, error: refusal })))).toMatchObject({
    ok: false,
    error: { code: 'body.invalid' },
  });
  expect(fromStored(toStored({ ok: false, error: new OfflineError() }))).toEqual({ ok: false, error: null });
});
