import { describe, expect, it } from 'vitest';
import { createJobQueue, createPasswordHash } from './password-hash.ts';

/** A job that the test ends. */
function job() {
  let end: () => void = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { run: () => ended, end };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a queue for slow jobs', () => {
  it('runs a limited number at a time, in order, and continues after a failure', async () => {
    const line = createJobQueue({ atOnce: 2, waitingAtMost: 10 });
    const started: number[] = [];
    const jobs = Array.from({ length: 5 }, job);
    const all = jobs.map(({ run }, at) =>
      line(async () => {
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
    const line = createJobQueue({ atOnce: 1, waitingAtMost: 1 });
    const jobs = Array.from({ length: 2 }, job);
    const all = jobs.map(({ run }) => line(run));
    await expect(line(async () => {})).rejects.toMatchObject({ code: 'service.away' });
    for (const { end } of jobs) end();
    await Promise.all(all);
    await expect(line(async () => 'free again')).resolves.toBe('free again');
  });
});

describe('the hash of a password', () => {
  it('verifies only its password in any Unicode normalization, and is salted', async () => {
    const { hash, verify } = createPasswordHash();
    const [one, two] = await Promise.all([hash('pässword'), hash('pässword')]);
    expect(one).not.toBe(two);
    expect(await verify({ hash: one, password: 'pa\u0308ssword' })).toBe(true);
    expect(await verify({ hash: one, password: 'password' })).toBe(false);
  });
});
