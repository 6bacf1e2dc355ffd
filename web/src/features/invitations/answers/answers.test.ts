import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OfflineError, ProblemError } from '../../../api/problem.ts';
import { createWaiting } from '../../../ui/waiting.ts';
import { itemOf } from '../../../api/invitation.fixture.ts';
import { createAnswers } from './answers.ts';
import type { KeptAnswer } from './answers.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const withdrawn = new ProblemError({
  problem: { type: '', title: '', status: 404, detail: '', code: 'invitation.not_found', request_id: '' },
});

function setUp(refuse: (id: string) => Error | null = () => null) {
  const waiting = createWaiting();
  const sent: { id: string; answer: string; keepalive: boolean }[] = [];
  const answered: string[] = [];
  const ended: string[] = [];
  const happened: string[] = [];
  const kept = {
    prepare: () => undefined,
    begin: ({ rows }: { rows: unknown[] }) => happened.push(`begin ${rows.length}`),
    change: (_key: string, { paused }: KeptAnswer) => happened.push(paused ? 'pause' : 'resume'),
    add: (_key: string, ends: readonly unknown[]) => happened.push(`add ${ends.length}`),
    end: () => happened.push('end'),
  };
  let keys = 0;
  let counted = 0;
  const answers = createAnswers({
    waiting,
    send: async ({ item, answer, keepalive }) => {
      const error = refuse(item.id);
      if (error) throw error;
      sent.push({ id: item.id, answer, keepalive });
      return { ...itemOf(item.id, 1), status: answer === 'accept' ? 'accepted' : 'rejected' };
    },
    show: ({ total }) => ({ label: `${total}` }),
    kept: () => kept,
    newKey: () => `${(keys += 1)}`,
    onAnswered: (done) => answered.push(...done.map(({ item }) => item.id)),
    onRefused: () => undefined,
    onEnd: ({ answer, done, refused }) => ended.push(`${answer} ${done} ${refused}`),
    onCount: (count) => (counted = count),
    pause: (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000)),
  });
  return { waiting, answers, sent, answered, ended, happened, counted: () => counted };
}
const items = [itemOf('1', 3), itemOf('2', 2), itemOf('3', 1)];
const [one, two] = items as [(typeof items)[0], (typeof items)[0]];

test('an answer waits ten seconds and is then sent', async () => {
  const { answers, sent, answered, ended, counted } = setUp();
  answers.add({ answer: 'accept', items: [one] });
  expect(answers.jobOf('1')).toMatchObject({ answer: 'accept', state: 'waiting' });
  expect(counted()).toBe(1);
  await vi.advanceTimersByTimeAsync(9000);
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(sent).toEqual([{ id: '1', answer: 'accept', keepalive: false }]);
  expect([answered, ended, answers.jobOf('1'), counted()]).toEqual([['1'], ['accept 1 0'], undefined, 0]);
});

test('undone, nothing is sent', async () => {
  const { answers, sent, counted } = setUp();
  answers.add({ answer: 'reject', items: [one] });
  answers.undo('1');
  await vi.advanceTimersByTimeAsync(20_000);
  expect([sent, answers.jobOf('1'), counted()]).toEqual([[], undefined, 0]);
});

test('one of many is taken out, or all of them', async () => {
  const { answers, sent } = setUp();
  answers.add({ answer: 'accept', items });
  answers.undo('2');
  expect(answers.jobs()[0]).toMatchObject({ total: 2 });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sent.map(({ id }) => id)).toEqual(['1', '3']);
  answers.add({ answer: 'accept', items });
  answers.undoJob(answers.jobs()[0]?.key ?? '');
  expect(answers.jobs()).toEqual([]);
});

test('what is answered already is not answered again', () => {
  const { answers, counted } = setUp();
  answers.add({ answer: 'accept', items: [one] });
  answers.add({ answer: 'reject', items: [one, two] });
  expect(answers.jobOf('1')?.answer).toBe('accept');
  expect(answers.jobOf('2')?.answer).toBe('reject');
  expect(counted()).toBe(2);
});

test('what was refused is back with the reason, until it has been read', async () => {
  const { answers } = setUp((id) => (id === '1' ? withdrawn : null));
  answers.add({ answer: 'accept', items });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(answers.refusalOf('1')).toEqual({ answer: 'accept', error: withdrawn });
  expect(answers.refusalOf('2')).toBeUndefined();
  answers.dismiss('1');
  expect(answers.refusalOf('1')).toBeUndefined();
});

test('one that nobody takes is back at once, many wait until somebody does', async () => {
  let away = true;
  const { answers, sent } = setUp(() => (away ? new OfflineError() : null));
  answers.add({ answer: 'accept', items: [one] });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(answers.refusalOf('1')?.error).toBeInstanceOf(OfflineError);
  answers.add({ answer: 'accept', items });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(answers.jobs()[0]).toMatchObject({ state: 'sending', done: 0 });
  away = false;
  await vi.advanceTimersByTimeAsync(4000);
  expect(sent.map(({ id }) => id).sort()).toEqual(['1', '2', '3']);
  expect(answers.jobs()).toEqual([]);
});

test('a page that is left sends what waits in requests that outlive it', async () => {
  const { waiting, answers, sent } = setUp();
  answers.add({ answer: 'accept', items });
  void waiting.flush({ keepalive: true });
  await vi.advanceTimersByTimeAsync(0);
  expect(sent.map(({ keepalive }) => keepalive)).toEqual([true, true, true]);
});

test('more than can outlive a page holds it by the browser’s own question', () => {
  const { waiting, answers } = setUp();
  const page = {
    window: new EventTarget(),
    document: Object.assign(new EventTarget(), { visibilityState: 'visible' }),
  };
  const stop = waiting.watch(page);
  const asks = () => {
    const event = new Event('beforeunload', { cancelable: true });
    page.window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  answers.add({ answer: 'accept', items });
  expect(asks()).toBe(false);
  answers.add({ answer: 'accept', items: Array.from({ length: 300 }, (_, at) => itemOf(`m${at}`, 1)) });
  expect(asks()).toBe(true);
  stop();
});

test('what is stopped stays open', async () => {
  const { answers, sent } = setUp(() => new OfflineError());
  answers.add({ answer: 'accept', items });
  await vi.advanceTimersByTimeAsync(10_000);
  answers.stop(answers.jobs()[0]?.key ?? '');
  await vi.advanceTimersByTimeAsync(5000);
  expect([sent, answers.jobs(), answers.jobOf('1')]).toEqual([[], [], undefined]);
});

test('many are kept while they are sent, one alone is not', async () => {
  const { answers, happened, ended } = setUp((id) => (id === '2' ? withdrawn : null));
  answers.add({ answer: 'accept', items: [one] });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(happened).toEqual([]);
  answers.add({ answer: 'accept', items });
  await vi.advanceTimersByTimeAsync(9000);
  expect(happened, 'a browser that dies now has sent nothing').toEqual([]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(happened).toEqual(['begin 3', 'add 3', 'end']);
  expect(ended).toEqual(['accept 1 0', 'accept 3 1']);
});

const keptJob = { key: 'answer:9', rows: items, ends: new Map([[0, true]]) };

test('what a closed page left behind is sent at once, but for what has ended', async () => {
  const { answers, sent, ended } = setUp();
  answers.goOn({ ...keptJob, about: { answer: 'reject', paused: false } });
  expect(answers.jobOf('1')).toBeUndefined();
  expect(answers.jobOf('2')).toMatchObject({ state: 'sending', total: 3, done: 1 });
  await vi.advanceTimersByTimeAsync(100);
  expect(sent.map(({ id }) => id)).toEqual(['2', '3']);
  expect(ended).toEqual(['reject 3 0']);
});

test('what was paused stays paused, until it is resumed or stopped', async () => {
  const { answers, sent, happened } = setUp();
  answers.goOn({ ...keptJob, about: { answer: 'reject', paused: true } });
  await vi.advanceTimersByTimeAsync(10_000);
  expect([answers.jobs()[0]?.state, sent]).toEqual(['paused', []]);
  answers.resume('answer:9');
  await vi.advanceTimersByTimeAsync(100);
  expect(sent.length).toBe(2);
  expect(happened).toEqual(['resume', 'add 2', 'end']);
  answers.goOn({ ...keptJob, key: 'answer:10', about: { answer: 'reject', paused: true } });
  answers.stop('answer:10');
  await vi.advanceTimersByTimeAsync(100);
  expect([answers.jobs(), answers.jobOf('2'), sent.length]).toEqual([[], undefined, 2]);
});
