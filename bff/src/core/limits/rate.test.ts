import { expect, it } from 'vitest';
import type { Problem } from '../../contract.ts';
import { createTestServer } from '../../tests/test-server.fixture.ts';
import { hourMs } from './durations.ts';
import { createRate } from './rate.ts';

it('allows a burst, then refills over time', () => {
  let at = 0;
  const rate = createRate({ perSecond: 2, burst: 3, now: () => new Date(at) });
  expect([1, 2, 3, 4].map(() => rate.take('ann'))).toEqual([0, 0, 0, 1]);
  expect(rate.take('ben')).toBe(0);
  at += 500;
  expect([rate.take('ann'), rate.take('ann')]).toEqual([0, 1]);
  at += hourMs;
  expect([1, 2, 3, 4].map(() => rate.take('ann'))).toEqual([0, 0, 0, 1]);
});

it('allows one request with any factor, and returns the time until the next one', () => {
  let at = 0;
  const rate = createRate({ perSecond: 0.01, burst: 0.3, now: () => new Date(at) });
  expect([rate.take('ann'), rate.take('ann')]).toEqual([0, 100]);
  at += 100_000;
  expect(rate.take('ann')).toBe(0);
});

it('takes a token back, and never has more than the burst', () => {
  const rate = createRate({ perSecond: 0.5, burst: 1, now: () => new Date(0) });
  expect([rate.take('ann'), rate.take('ann')]).toEqual([0, 2]);
  rate.giveBack('ann');
  rate.giveBack('ann');
  expect([rate.take('ann'), rate.take('ann')]).toEqual([0, 2]);
});

it('takes more for a request that has taken one, however small the burst is, and says when it gets both', () => {
  for (const burst of [100, 50, 49.5, 1]) {
    const rate = createRate({ perSecond: 0.1, burst, now: () => new Date(0) });
    expect([rate.take('ann'), rate.takeMore('ann', 49)]).toEqual([0, 0]);
  }
  let at = 0;
  const rate = createRate({ perSecond: 0.1, burst: 30, now: () => new Date(at) });
  rate.charge('ann', 20);
  expect([rate.take('ann'), rate.takeMore('ann', 14)]).toEqual([0, 60]);
  at += 60_000;
  expect([rate.take('ann'), rate.takeMore('ann', 14), rate.take('ann')]).toEqual([0, 0, 10]);
});

it('charges more than is left, which the next ones wait for', () => {
  let at = 0;
  const rate = createRate({ perSecond: 1, burst: 3, now: () => new Date(at) });
  expect(rate.take('ann')).toBe(0);
  rate.charge('ann', 8);
  expect([rate.take('ann'), rate.take('ben')]).toEqual([7, 0]);
  at += 7000;
  expect([rate.take('ann'), rate.take('ann')]).toEqual([0, 1]);
});

it('does not refill a used bucket when many other keys fill the table', () => {
  const rate = createRate({ perSecond: 0.001, burst: 1, now: () => new Date(0) });
  rate.take('ann');
  const waits: number[] = [];
  for (let other = 0; other < 60_000; other++) {
    rate.take(`other-${other}`);
    if (other % 10_000 === 0) waits.push(rate.take('ann'));
  }
  expect(waits).not.toContain(0);
});

it('limits a user’s requests over all screens, without affecting other users', async () => {
  await using server = await createTestServer({ rateLimit: 0.025, isRepeatable: true });
  const ann = await server.signUp('ann');
  server.wait(hourMs);
  const ben = await server.signUp('ben');
  server.wait(hourMs);
  const paths = ['/devices', '/map?bbox=-180,-85,180,85&zoom=3', '/inbox/count', '/swarm-list', '/account', '/demo'];
  const request = (who: typeof ann, path: string) => server.request('gateway', who, { path });
  const statuses: number[] = [];
  let refused = await request(ann, '/devices');
  while (refused.status === 200) {
    statuses.push(refused.status);
    refused = await request(ann, paths[statuses.length % paths.length]!);
  }
  expect(refused.status).toBe(429);
  expect(statuses.length, 'at once').toBeGreaterThanOrEqual(10);
  expect((await refused.json()) as Problem).toMatchObject({ code: 'rate.exceeded' });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await request(ben, '/devices')).status).toBe(200);
  server.wait(1000);
  expect((await request(ann, '/devices')).status).toBe(200);
});
