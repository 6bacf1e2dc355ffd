import { describe, expect, it } from 'vitest';
import { createJobQueue } from './job-queue.ts';

/** A job that the test ends. */
function job() {
  let end: () => void = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { run: () => ended, end };
}
const full = () => new Error('the queue is full');
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a queue for slow jobs', () => {
  it('runs a limited number at a time, in order, and continues after a failure', async () => {
    const inTurn = createJobQueue({ atOnce: 2, waitingAtMost: 10, full });
    const started: number[] = [];
    const jobs = Array.from({ length: 5 }, job);
    const all = jobs.map(({ run }, at) =>
      inTurn(async () => {
        started.push(at);
        await run();
        if (at === 1) throw new Error('failed');
      }).catch(() => {}),
    );
    await settled();
    expect(started).toEqual([0, 1]);
    jobs[1]!.end();
    await settled();
    expect(started).toEqual([0, 1, 2]);
    for (const { end } of jobs) end();
    await Promise.all(all);
    expect(started).toEqual([0, 1, 2, 3, 4]);
  });

  it('refuses jobs beyond its limit', async () => {
    const inTurn = createJobQueue({ atOnce: 1, waitingAtMost: 1, full });
    const jobs = Array.from({ length: 2 }, job);
    const all = jobs.map(({ run }) => inTurn(run));
    await expect(inTurn(async () => {})).rejects.toThrow('the queue is full');
    for (const { end } of jobs) end();
    await Promise.all(all);
    await expect(inTurn(async () => 'free again')).resolves.toBe('free again');
  });

  it('drops a queued job whose signal is aborted', async () => {
    const inTurn = createJobQueue({ atOnce: 1, waitingAtMost: 1, full });
    const first = job();
    const running = inTurn(first.run);
    const leaving = new AbortController();
    const queued = inTurn(async () => 'ran', leaving.signal);
    leaving.abort(new Error('left'));
    await expect(queued).rejects.toThrow('left');
    const next = inTurn(async () => 'next');
    first.end();
    await running;
    await expect(next).resolves.toBe('next');
  });
});
