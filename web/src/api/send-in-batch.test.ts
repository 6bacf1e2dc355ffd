import { beforeEach, expect, test, vi } from 'vitest';
import type { BatchRequest, BatchResponse } from '@swarmdeck/bff/contract';
import { OfflineError, ProblemError } from './problem.ts';
import { sendInBatch } from './send-in-batch.ts';
import type { BatchedWrite } from './send-in-batch.ts';

interface Sent {
  path: string;
  init: RequestInit;
  requests: BatchRequest[];
}
let sent: Sent[];
let answer: (request: BatchRequest) => BatchResponse;
const problem = (status: number, code: string) => ({
  status,
  body: JSON.stringify({ type: '', title: '', status, detail: '', code, request_id: '' }),
});

beforeEach(() => {
  sent = [];
  answer = ({ path }) => ({ status: 200, body: JSON.stringify({ path }) });
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    const { requests = [] } = JSON.parse((init.body as string | undefined) ?? '{}') as { requests?: BatchRequest[] };
    sent.push({ path, init, requests });
    return new Response(JSON.stringify({ responses: requests.map(answer) }));
  });
});

const write = (number: number, more: Partial<BatchedWrite & { keepalive: boolean }> = {}) =>
  sendInBatch({ method: 'PUT', path: `/api/resources/${number}`, key: `k${number}`, keepalive: false, ...more });
const many = (count: number, more: Partial<BatchedWrite> = {}) =>
  Promise.all(Array.from({ length: count }, (_, number) => write(number, more)));

test('writes of the same moment are sent together, a hundred at most', async () => {
  const results = await many(250, { body: { name: 'a' } });
  expect(sent.map(({ path, requests }) => [path, requests.length])).toEqual([
    ['/api/batch', 100],
    ['/api/batch', 100],
    ['/api/batch', 50],
  ]);
  expect(sent[0]!.requests[7]).toEqual({ method: 'PUT', path: '/api/resources/7', body: '{"name":"a"}' });
  expect(results[249]).toEqual({ path: '/api/resources/249' });
});

test('a batch is not larger than the server accepts', async () => {
  await many(30, { body: { description: 'é"'.repeat(1000) } });
  expect(sent.length).toBeGreaterThan(1);
  for (const { init } of sent) expect(new TextEncoder().encode(init.body as string).length).toBeLessThan(65_536);
  expect(sent.flatMap(({ requests }) => requests)).toHaveLength(30);
});

test('a single write, and one that outlives the page, is a request of its own', async () => {
  await write(1, { method: 'POST', body: { name: 'a' } });
  await Promise.all([write(2, { keepalive: true }), write(3, { keepalive: true })]);
  expect(sent.map(({ path }) => path)).toEqual([1, 2, 3].map((number) => `/api/resources/${number}`));
  expect(sent[0]!.init.headers).toMatchObject({ 'idempotency-key': 'k1' });
  expect(sent[1]!.init).toMatchObject({ keepalive: true });
  expect(sent[1]!.init.headers).not.toHaveProperty('idempotency-key');
});

test('each write has its own error; to delete what does not exist is none', async () => {
  answer = ({ path }) => (path.endsWith('1') ? problem(404, 'resource.not_found') : { status: 204, body: '' });
  expect(await Promise.allSettled([write(0), write(1)])).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: { code: 'resource.not_found' } },
  ]);
  expect(await many(2, { method: 'DELETE' })).toEqual([undefined, undefined]);
});

test('a write over the rate limit says when to send it again', async () => {
  answer = () => ({ ...problem(429, 'rate.exceeded'), retry_after: 3 });
  const [first] = await Promise.allSettled([write(0), write(1)]);
  expect((first as PromiseRejectedResult).reason).toBeInstanceOf(ProblemError);
  expect((first as PromiseRejectedResult).reason).toMatchObject({ retryAfter: 3 });
});

test('if the batch fails, all of its writes fail', async () => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch');
  });
  const results = await Promise.allSettled([write(0), write(1)]);
  for (const result of results) expect((result as PromiseRejectedResult).reason).toBeInstanceOf(OfflineError);
});
