import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OfflineError, ProblemError } from '../../../api/problem.ts';
import { createWaiting } from '../../../ui/waiting.ts';
import { endOf, leftOf, problemOf } from './invite-ends.ts';
import { createInvites } from './invites.ts';
import type { KeptAbout } from './invites.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const refusal = new ProblemError({
  problem: { type: '', title: '', status: 400, detail: '', code: 'body.invalid', request_id: '' },
});
const inFlight = new ProblemError({
  problem: { type: '', title: '', status: 409, detail: '', code: 'idempotency.in_flight', request_id: '' },
});
const about = { swarm: { id: 's1', name: 'River levels' }, role: 'consumer' as const, message: 'please' };
const rows = ['a', 'b', 'c'].map((to, index) => ({ line: index + 1, code: { to, resource_id: 'r' }, again: false }));
const text = 'a/r\nb/r\nc/r';

function setUp(refuse: (to: string) => Error | null = () => null) {
  const waiting = createWaiting();
  const sent: string[] = [];
  const happened: string[] = [];
  let keys = 0;
  const invites = createInvites({
    waiting,
    kept: {
      prepare: () => undefined,
      begin: (job) => happened.push(`begin ${job.rows.length}`),
      change: (_key, { paused }: KeptAbout) => happened.push(paused ? 'pause' : 'resume'),
      add: (_key, ends) => happened.push(`add ${ends.length}`),
      end: () => happened.push('end'),
    },
    newKey: () => `${(keys += 1)}`,
    send: async ({ code }, { key }) => {
      const error = refuse(code.to);
      if (error) throw error;
      sent.push(`${code.to} ${key}`);
    },
    show: () => ({ label: 'Sending', progress: null }),
    onEnd: () => happened.push('told'),
    pause: (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000)),
  });
  return { waiting, invites, sent, happened };
}

test('each is sent with a key made of job and row, and kept until the last has ended', async () => {
  const { waiting, invites, sent, happened } = setUp();
  invites.start({ ...about, rows, text });
  expect(invites.job()).toMatchObject({ state: 'sending', done: 0, lines: [{ end: null }, {}, {}] });
  expect(waiting.items()).toMatchObject([{ key: 'invite:1', state: 'sending' }]);
  await vi.advanceTimersByTimeAsync(100);
  expect(sent).toEqual(['a invite:1-0', 'b invite:1-1', 'c invite:1-2']);
  expect(happened).toEqual(['begin 3', 'add 3', 'end', 'told']);
  expect(invites.job()).toMatchObject({ state: 'ended', done: 3 });
  expect(waiting.items()).toEqual([]);
  invites.next();
  expect(invites.job()).toBeNull();
});

test('what is refused says why, and stays in the list with what was stopped', async () => {
  const { invites } = setUp((to) => (to === 'b' ? refusal : null));
  invites.start({ ...about, rows, text });
  await vi.advanceTimersByTimeAsync(100);
  const job = invites.job()!;
  expect(job.lines.map(({ end }) => end)).toEqual([{ ok: true }, { ok: false, error: refusal }, { ok: true }]);
  expect(leftOf({ text, job })).toBe('b/r');
  expect(leftOf({ text: `${text}\nd/r`, job }), 'typed meanwhile').toBe(`${text}\nd/r`);
  expect(leftOf({ text: '', job: { ...job, text: null } }), 'sent by another page').toBe('b/r');
});

test('what was in the list twice and is sent leaves it twice', () => {
  const code = { to: 'ann', resource_id: '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b' };
  const line = `${code.to}/${code.resource_id}`;
  const pasted = `${line}\nnonsense\nhttps://deck.example/invite?to=${code.to}&resource=${code.resource_id}`;
  const lines = [{ line: 1, code, end: { ok: true as const } }];
  expect(leftOf({ text: pasted, job: { text: pasted, lines } })).toBe('nonsense');
});

test('what a closed page left behind goes on with the same keys, but for what has ended', async () => {
  const { invites, sent } = setUp();
  const ends = new Map([[1, problemOf({ ok: false, error: refusal })]]);
  invites.goOn({ key: 'invite:9', about: { ...about, paused: false }, rows, ends });
  await vi.advanceTimersByTimeAsync(100);
  expect(sent).toEqual(['a invite:9-0', 'c invite:9-2']);
  expect(invites.job()).toMatchObject({ ...about, state: 'ended', done: 3, text: null });
  expect(invites.job()?.lines[1]?.end).toMatchObject({ ok: false, error: { code: 'body.invalid' } });
});

test('many wait for a service that is away, and for an answer that is on its way', async () => {
  let error: Error | null = new OfflineError();
  const { invites, sent } = setUp(() => error);
  invites.start({ ...about, rows, text });
  await vi.advanceTimersByTimeAsync(10_000);
  error = inFlight;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(invites.job()).toMatchObject({ state: 'sending', done: 0 });
  error = null;
  await vi.advanceTimersByTimeAsync(5000);
  expect(sent.length).toBe(3);
});

test('paused, it stays so until it is resumed; stopped, the rest is not sent', async () => {
  const { invites, sent, happened } = setUp();
  invites.goOn({ key: 'invite:9', about: { ...about, paused: true }, rows, ends: new Map([[0, 'sent']]) });
  await vi.advanceTimersByTimeAsync(5000);
  expect([invites.job()?.state, sent]).toEqual(['paused', []]);
  invites.resume();
  invites.pause();
  await vi.advanceTimersByTimeAsync(5000);
  expect(happened).toEqual(['resume', 'pause']);
  invites.stop();
  await vi.advanceTimersByTimeAsync(100);
  expect(invites.job()?.lines.map(({ end }) => end)).toEqual([
    { ok: true },
    { ok: false, stopped: true },
    { ok: false, stopped: true },
  ]);
});

test('how a line ended is kept in a form that the browser can keep', () => {
  expect(endOf(problemOf({ ok: true }))).toEqual({ ok: true });
  expect(endOf(structuredClone(problemOf({ ok: false, error: refusal })))).toMatchObject({
    ok: false,
    error: { code: 'body.invalid' },
  });
  expect(endOf(problemOf({ ok: false, error: new OfflineError() }))).toEqual({ ok: false, error: null });
});
