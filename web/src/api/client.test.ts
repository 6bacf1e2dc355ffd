import { afterEach, expect, test, vi } from 'vitest';
import { send } from './client.ts';
import { OfflineError, ProblemError, errorSentence, isOutcomeUnknown, isUnreachable, isSignedOut } from './problem.ts';
import { observeServerTime, serverNow } from './server-clock.ts';

afterEach(() => observeServerTime({ date: new Date().toUTCString(), now: Date.now() }));

const answer = (body: unknown, init: ResponseInit = {}) =>
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response(body === null ? null : JSON.stringify(body), init)),
  );
const problem = { type: 'urn:x', title: 'No', status: 400, detail: 'No.', code: 'body.invalid', request_id: 'r1' };
const asProblem = (over: object, headers: Record<string, string> = {}) => {
  const body = { ...problem, ...over };
  answer(body, { status: body.status, headers: { 'content-type': 'application/problem+json', ...headers } });
};
const sendError = async (): Promise<unknown> =>
  send({ path: '/api/x' }).then(
    () => null,
    (error: unknown) => error,
  );

test('a response has its data, its ETag and the server’s time', async () => {
  answer({ id: '1' }, { headers: { etag: '"7"', date: 'Fri, 20 Nov 2026 12:00:00 GMT' } });
  const { data, etag, at } = await send<{ id: string }>({ path: '/api/resources/1' });
  expect(data).toEqual({ id: '1' });
  expect(etag).toBe('"7"');
  expect(at).toMatch(/^2026-11-20T12:00:0/);
});

test('the data of an empty response is undefined', async () => {
  answer(null, { status: 204 });
  expect((await send({ method: 'DELETE', path: '/api/x' })).data).toBeUndefined();
});

test('a long body is not sent with keepalive, which browsers refuse', async () => {
  answer({});
  for (const length of [10, 30_000]) {
    await send({ method: 'POST', path: '/api/x', body: 'x'.repeat(length), keepalive: true });
  }
  expect(vi.mocked(fetch).mock.calls.map(([, init]) => init?.keepalive)).toEqual([true, false]);
});

test('only a request with a body has a JSON content type', async () => {
  answer({});
  await send({ method: 'POST', path: '/api/x', body: { name: 'n' }, headers: { 'if-match': '"1"' } });
  await send({ path: '/api/x' });
  const [[, posted], [, got]] = vi.mocked(fetch).mock.calls as [string, RequestInit][] as [
    [string, RequestInit],
    [string, RequestInit],
  ];
  expect(posted.body).toBe('{"name":"n"}');
  expect(posted.headers).toMatchObject({ 'content-type': 'application/json', 'if-match': '"1"' });
  expect(got.headers).not.toHaveProperty('content-type');
});

test('a problem is thrown with the message of each field', async () => {
  asProblem({ errors: [{ pointer: '/name', code: 'name.too_long', detail: 'must have at most 128 characters' }] });
  const error = await sendError();
  expect(error).toBeInstanceOf(ProblemError);
  expect((error as ProblemError).problem.request_id).toBe('r1');
  expect((error as ProblemError).field('/name')).toBe('must have at most 128 characters');
  expect((error as ProblemError).field('/position')).toBeUndefined();
});

test('Retry-After is converted to seconds from a number or a date', async () => {
  asProblem({ status: 429, code: 'rate.exceeded' }, { 'retry-after': '7' });
  expect(((await sendError()) as ProblemError).retryAfter).toBe(7);
  const inTen = new Date(Date.now() + 10_000).toUTCString();
  asProblem({ status: 429, code: 'rate.exceeded' }, { 'retry-after': inTen });
  expect(((await sendError()) as ProblemError).retryAfter).toBeGreaterThanOrEqual(9);
});

test('after a write without an answer it is not known whether it was executed', async () => {
  const errorOf = (method: 'GET' | 'PUT') => send({ method, path: '/api/x' }).catch((error: unknown) => error);
  const cases = [
    async () => Promise.reject(new TypeError('Failed to fetch')),
    async () => new Response('<h1>Bad gateway</h1>', { status: 502 }),
  ];
  for (const lost of cases) {
    vi.stubGlobal('fetch', lost);
    const error = await errorOf('PUT');
    expect([isOutcomeUnknown(error), isUnreachable(error)]).toEqual([true, true]);
    expect(errorSentence(error)).toMatch(/may have been made or not/);
    expect(isOutcomeUnknown(await errorOf('GET'))).toBe(false);
  }
  vi.stubGlobal('navigator', { onLine: false });
  vi.stubGlobal('fetch', cases[0]);
  expect(isOutcomeUnknown(await errorOf('PUT')), 'a browser without a network has sent nothing').toBe(false);
  vi.unstubAllGlobals();
});

test('a response of a proxy that is not JSON becomes a problem', async () => {
  vi.stubGlobal('fetch', async () => new Response('<h1>Bad gateway</h1>', { status: 502 }));
  const error = await sendError();
  expect((error as ProblemError).code).toBe('http.502');
  expect(isUnreachable(error)).toBe(true);
});

test('a failed connection is an OfflineError', async () => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch');
  });
  const error = await sendError();
  expect(error).toBeInstanceOf(OfflineError);
  expect(isUnreachable(error)).toBe(true);
});

test('an aborted request is an AbortError, not an OfflineError', async () => {
  vi.stubGlobal('fetch', async (_path: string, { signal }: RequestInit) => signal?.throwIfAborted());
  const error = await send({ path: '/api/x', signal: AbortSignal.abort() }).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect((error as Error).name).toBe('AbortError');
});

test('a missing session means signed out, a wrong password does not', async () => {
  asProblem({ status: 401, code: 'session.missing' });
  expect(isSignedOut(await sendError())).toBe(true);
  asProblem({ status: 401, code: 'sign_in.wrong_password' });
  expect(isSignedOut(await sendError())).toBe(false);
});

test('the time follows the server’s clock, except for differences below one second', () => {
  const now = Date.parse('2026-11-20T12:00:00.900Z');
  observeServerTime({ date: 'Fri, 20 Nov 2026 12:00:00 GMT', now });
  expect(serverNow(now)).toBe(now);
  observeServerTime({ date: 'Fri, 20 Nov 2026 13:00:00 GMT', now });
  expect(serverNow(now)).toBe(Date.parse('2026-11-20T13:00:00Z'));
  observeServerTime({ date: 'not a date', now });
  expect(serverNow(now)).toBe(Date.parse('2026-11-20T13:00:00Z'));
});
