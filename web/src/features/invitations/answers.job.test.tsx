import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answeringCount, isAnswering, setAnswering } from '../../api/cached-invitations.ts';
import { createPendingActions, pendingActionsOf } from '../../api/pending-actions.ts';
import { itemOf } from '../../api/invitation.fixture.ts';
import { OfflineError, ProblemError } from '../../api/problem.ts';
import { createAnswers, sendAnswer, UndoAnswer } from './answers.job.tsx';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { ToastProvider } from '../../ui/toast.tsx';
import type { AnswerJob } from './answers.job.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  setAnswering();
});

const withdrawn = new ProblemError({
  problem: { type: '', title: '', status: 404, detail: '', code: 'invitation.not_found', request_id: '' },
});

function setUp(fail: (id: string) => Error | null = () => null) {
  const pending = createPendingActions();
  const sent: { id: string; answer: string; keepalive: boolean }[] = [];
  const shown: unknown[] = [];
  const stored: unknown[] = [];
  let keys = 0;
  let take: ((job: unknown) => void) | undefined;
  const answers = createAnswers({
    client: new QueryClient(),
    show: ({ title }) => shown.push(title),
    pending,
    newKey: () => `${(keys += 1)}`,
    store: {
      prepare: () => undefined,
      begin: async ({ source }) => void stored.push(...source),
      change: async () => undefined,
      add: async () => undefined,
      end: () => undefined,
      watch(watcher) {
        take = watcher.take as typeof take;
        return () => undefined;
      },
    },
    send: async ({ row: { id }, answer, keepalive }) => {
      const error = fail(id);
      if (error) throw error;
      sent.push({ id, answer, keepalive });
      return { ...itemOf(id, 1), status: answer === 'accept' ? 'accepted' : 'rejected' };
    },
  });
  answers.resumeStored();
  return { pending, answers, sent, shown, stored, take: (job: unknown) => take?.(job) };
}
const items = [itemOf('1', 3), itemOf('2', 2), itemOf('3', 1)];
const [one, two] = items as [(typeof items)[0], (typeof items)[0]];

test('an answer is sent after ten seconds; until then the badge does not count its invitation', async () => {
  const { answers, sent } = setUp();
  answers.add({ answer: 'accept', items: [one] });
  expect(answers.jobOf('1')).toMatchObject({ about: { answer: 'accept' }, state: 'pending' });
  expect([answeringCount('received'), isAnswering('1')]).toEqual([1, true]);
  await vi.advanceTimersByTimeAsync(9000);
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(1500);
  expect(sent).toEqual([{ id: '1', answer: 'accept', keepalive: false }]);
  expect([answers.jobOf('1'), answeringCount('received'), isAnswering('1')]).toEqual([undefined, 0, false]);
});

test('an undone answer is not sent', async () => {
  const { answers, sent } = setUp();
  answers.add({ answer: 'reject', items: [one] });
  answers.undo('1');
  await vi.advanceTimersByTimeAsync(20_000);
  expect([sent, answers.jobOf('1'), answeringCount('received')]).toEqual([[], undefined, 0]);
});

test('one of many answers or all of them can be undone', async () => {
  const { answers, pending, sent } = setUp();
  answers.add({ answer: 'accept', items });
  answers.undo('2');
  expect(answers.jobs()[0]).toMatchObject({ total: 2 });
  await vi.advanceTimersByTimeAsync(11_000);
  expect(sent.map(({ id }) => id)).toEqual(['1', '3']);
  answers.add({ answer: 'accept', items });
  pending.undo(answers.jobs()[0]?.key ?? '');
  expect(answers.jobs()).toEqual([]);
});

test('an invitation with a pending answer is not answered again', () => {
  const { answers } = setUp();
  answers.add({ answer: 'accept', items: [one] });
  answers.add({ answer: 'reject', items: [one, two] });
  expect(answers.jobOf('1')?.about.answer).toBe('accept');
  expect(answers.jobOf('2')?.about.answer).toBe('reject');
  expect([answeringCount('received'), answeringCount('sent')]).toEqual([2, 0]);
});

test('a failed answer has its error until the user dismisses it', async () => {
  const { answers } = setUp((id) => (id === '1' ? withdrawn : null));
  answers.add({ answer: 'accept', items });
  await vi.advanceTimersByTimeAsync(11_000);
  expect(answers.failureOf('1')).toEqual({ answer: 'accept', error: withdrawn });
  expect([answers.failureOf('2'), isAnswering('1')]).toEqual([undefined, true]);
  answers.dismissFailure('1');
  expect([answers.failureOf('1'), isAnswering('1')]).toEqual([undefined, false]);
});

test('a single answer fails immediately if the server cannot be reached; a job of many waits', async () => {
  let away = true;
  const { answers, sent, shown } = setUp(() => (away ? new OfflineError() : null));
  answers.add({ answer: 'accept', items: [one] });
  await vi.advanceTimersByTimeAsync(10_600);
  expect(answers.failureOf('1')?.error).toBeInstanceOf(OfflineError);
  expect(shown, 'a toast is shown because its row is not on the screen').toHaveLength(1);
  answers.add({ answer: 'accept', items });
  expect(answers.failureOf('1')).toBeUndefined();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(answers.jobs()[0]).toMatchObject({ state: 'running', results: new Map() });
  away = false;
  await vi.advanceTimersByTimeAsync(4000);
  expect(sent.map(({ id }) => id).sort()).toEqual(['1', '2', '3']);
  expect(answers.jobs()).toEqual([]);
});

test('an answer is sent again after as many seconds as the server asks for', async () => {
  const problem = { type: '', title: '', status: 429, detail: '', code: 'rate.limited', request_id: '' };
  let isThrottled = true;
  const { answers, sent } = setUp(() => (isThrottled ? new ProblemError({ problem, retryAfter: 5 }) : null));
  answers.add({ answer: 'accept', items: [one] });
  await vi.advanceTimersByTimeAsync(14_000);
  expect(answers.jobOf('1')?.state).toBe('running');
  isThrottled = false;
  await vi.advanceTimersByTimeAsync(2000);
  expect([sent.length, answers.jobOf('1'), answers.failureOf('1')]).toEqual([1, undefined, undefined]);
});

test('the browser asks before closing if more answers are pending than keepalive allows', () => {
  const { pending, answers } = setUp();
  const stop = pending.watch();
  const asks = () => {
    const event = new Event('beforeunload', { cancelable: true });
    dispatchEvent(event);
    return event.defaultPrevented;
  };
  answers.add({ answer: 'accept', items });
  expect(asks()).toBe(false);
  answers.add({ answer: 'accept', items: Array.from({ length: 300 }, (_, at) => itemOf(`m${at}`, 1)) });
  expect(asks()).toBe(true);
  stop();
});

test('stopped answers are not sent', async () => {
  const { answers, sent } = setUp(() => new OfflineError());
  answers.add({ answer: 'accept', items });
  await vi.advanceTimersByTimeAsync(11_000);
  answers.stop(answers.jobs()[0]?.key ?? '');
  await vi.advanceTimersByTimeAsync(5000);
  expect([sent, answers.jobs(), answers.jobOf('1')]).toEqual([[], [], undefined]);
});

test('only what is needed to send many answers is stored; they continue after a closed tab', async () => {
  const first = setUp();
  first.answers.add({ answer: 'reject', items });
  await vi.advanceTimersByTimeAsync(11_000);
  const { resource_id, swarm_id } = one;
  expect(first.stored[0]).toEqual({ id: '1', resource_id, swarm_id, device: 'Sensor 1', swarm: 'River levels' });

  const { answers, sent, shown, take } = setUp();
  const results = new Map([[0, 'sent']]);
  take({ key: 'answers:9', about: { answer: 'reject', paused: false }, source: first.stored, results, at: 0 });
  expect(answers.jobOf('1')).toBeUndefined();
  expect(answers.jobOf('2')).toMatchObject({ state: 'running', total: 3 });
  await vi.advanceTimersByTimeAsync(600);
  expect(sent.map(({ id }) => id)).toEqual(['2', '3']);
  expect(shown, 'a toast is shown because the inbox is not on the screen').toHaveLength(1);
});

test('withdrawing an invitation that does not exist fails', async () => {
  const headers = { 'content-type': 'application/problem+json' };
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(withdrawn.problem), { status: 404, headers }));
  const row = { id: 'i1', resource_id: 'r1', swarm_id: 's1' };
  await expect(sendAnswer({ row, answer: 'withdraw', key: 'k', keepalive: false })).rejects.toThrow(ProblemError);
  vi.unstubAllGlobals();
});

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.useFakeTimers();
});
afterEach(() => {
  vi.runOnlyPendingTimers();
  vi.useRealTimers();
});

test('an answer is sent after its focused Undo button has been removed with its page', async () => {
  const client = new QueryClient();
  const pending = pendingActionsOf({ client });
  const job = { key: 'answers:1', about: { answer: 'reject' }, state: 'pending' } as AnswerJob;
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  const render = (shown: boolean) =>
    act(async () =>
      root.render(
        <QueryClientProvider client={client}>
          <ToastProvider label="Notices">{shown && <UndoAnswer job={job} id="1" />}</ToastProvider>
        </QueryClientProvider>,
      ),
    );
  await render(true);
  const send = vi.fn<() => Promise<void>>(async () => undefined);
  await act(async () => pending.add({ key: 'answers:1', label: 'Rejecting', send, onError: () => undefined }));
  await act(async () => container.querySelector<HTMLElement>('button')!.focus());
  await act(async () => vi.advanceTimersByTimeAsync(60_000));
  expect(send).not.toHaveBeenCalled();

  await render(false);
  await act(async () => vi.advanceTimersByTimeAsync(10_000));
  expect(send).toHaveBeenCalledOnce();
  await act(async () => root.unmount());
  container.remove();
});
