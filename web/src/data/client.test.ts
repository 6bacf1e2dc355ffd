import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { loadBytes, send } from './client.ts';
import { confirmation } from './confirmation.ts';
import { foreignResponse } from './responses.fixture.ts';
import {
  OfflineError,
  ProblemError,
  asksForSignIn,
  errorSentence,
  isOtherPage,
  isOutcomeUnknown,
  isUnreachable,
  isSignedOut,
} from './problem.ts';
import { observeServerTime, serverTime } from './server-clock.ts';

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
    async () => foreignResponse('<h1>Bad gateway</h1>', { status: 502 }),
  ];
  for (const lost of cases) {
    vi.stubGlobal('fetch', lost);
    const error = await errorOf('PUT');
    expect([isOutcomeUnknown(error), isUnreachable(error)]).toEqual([true, true]);
    expect(errorSentence(error)).toMatch(/may have been made or not/);
    expect(isOutcomeUnknown(await errorOf('GET'))).toBe(false);
  }
  const network = { onLine: true };
  vi.stubGlobal('navigator', network);
  vi.stubGlobal('fetch', async () => {
    network.onLine = false;
    return cases[0]!();
  });
  expect(isOutcomeUnknown(await errorOf('PUT')), 'the network has gone while the request was under way').toBe(true);
  expect(isOutcomeUnknown(await errorOf('PUT')), 'a browser without a network has sent nothing').toBe(false);
  vi.unstubAllGlobals();
});

test.each([
  ['the page of a network that asks to sign in', 200, 'text/html', '<h1>Welcome to our hotel</h1>'],
  ['an empty one', 204, '', null],
  ['JSON', 200, 'application/json', '{"items":[]}'],
  ['a page that is not found', 404, 'text/html', '<h1>Not found</h1>'],
  ['a problem', 401, 'application/problem+json', '{"code":"session.missing"}'],
  ['a proxy without a server', 502, 'text/html', '<h1>Bad gateway</h1>'],
])('what another server has sent is no response: %s', async (_, status, type, body) => {
  vi.stubGlobal('fetch', async () => foreignResponse(body, { status, headers: { 'content-type': type } }));
  const errors = await Promise.all([sendError(), loadBytes('/api/x').catch((error: unknown) => error)]);
  for (const error of errors) expect([isUnreachable(error), isSignedOut(error)]).toEqual([true, false]);
});

test.each([
  { status: 200, isUnknown: true },
  { status: 404, isUnknown: false },
])('a page with status $status in place of the answer to a write', async ({ status, isUnknown }) => {
  vi.stubGlobal('fetch', async () => foreignResponse('<h1>Welcome</h1>', { status }));
  const error = await send({ method: 'PUT', path: '/api/x' }).catch((thrown: unknown) => thrown);
  expect([isUnreachable(error), isOutcomeUnknown(error)]).toEqual([true, isUnknown]);
});

test.each([
  ['data', 200, 'application/json'],
  ['a problem', 409, 'application/problem+json'],
])('%s that a network has cut, or put something into, is no response', async (_, status, type) => {
  for (const body of ['{"items":[{"id":"1","na', '<script src="//ads"></script>{"items":[]}']) {
    vi.stubGlobal('fetch', async () => new Response(body, { status, headers: { 'content-type': type } }));
    expect(isUnreachable(await sendError())).toBe(true);
    const error = await send({ method: 'PUT', path: '/api/x' }).catch((thrown: unknown) => thrown);
    expect([isUnreachable(error), isOutcomeUnknown(error)]).toEqual([true, true]);
  }
});

test('what is not answered within a minute is no response, except to a long body, and ends when it is aborted', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal(
    'fetch',
    (_path: string, { signal }: { signal: AbortSignal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
  );
  const read = sendError();
  const write = send({ method: 'PUT', path: '/api/x', body: {} }).catch((error: unknown) => error);
  const uploading = new AbortController();
  let failure: unknown;
  const upload = { method: 'PUT', path: '/api/x', body: 'x'.repeat(100_000), signal: uploading.signal } as const;
  void send(upload).catch((error: unknown) => (failure = error));
  await vi.advanceTimersByTimeAsync(61_000);
  expect([isUnreachable(await read), isUnreachable(await write), isOutcomeUnknown(await write)]).toEqual([
    true,
    true,
    true,
  ]);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(failure).toBeUndefined();
  uploading.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect((failure as Error).name).toBe('AbortError');
  vi.useRealTimers();
});

test('a response whose rest does not arrive within five minutes is no response', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', async (_path: string, { signal }: { signal: AbortSignal }) => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"items":['));
        signal.addEventListener('abort', () => controller.error(new DOMException('', 'AbortError')));
      },
    });
    return new Response(body, { headers: { 'x-swarmdeck': '1' } });
  });
  const read = sendError();
  let hasEnded = false;
  void read.then(() => (hasEnded = true));
  await vi.advanceTimersByTimeAsync(290_000);
  expect(hasEnded).toBe(false);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(isUnreachable(await read)).toBe(true);
  vi.useRealTimers();
});

test.each([
  { name: 'a redirect to another site', status: 0, type: 'opaqueredirect', expected: true },
  { name: '401', status: 401, expected: true },
  { name: '511', status: 511, expected: true },
  { name: '403', status: 403, expected: false },
  { name: '502', status: 502, expected: false },
])('what is before the server asks for a sign-in: $name', async ({ status, type = 'basic', expected }) => {
  const sent: (string | undefined)[] = [];
  vi.stubGlobal('fetch', async (_path: string, init: RequestInit) => {
    sent.push(init.redirect);
    const response = foreignResponse('', { status: status || 200 });
    return Object.defineProperties(response, {
      status: { value: status },
      ok: { value: false },
      type: { value: type },
    });
  });
  const error = await sendError();
  expect([isUnreachable(error), isOtherPage(error), asksForSignIn(error)]).toEqual([true, expected, expected]);
  expect(sent).toEqual(['manual']);
});

test('what a proxy refuses does not count as an absence of the server', async () => {
  vi.stubGlobal('fetch', async () => foreignResponse('<h1>Too large</h1>', { status: 413 }));
  const error = await sendError();
  expect((error as ProblemError).code).toBe('http.413');
  expect(isUnreachable(error)).toBe(false);
});

test('the time does not follow the clock of another server', async () => {
  const before = serverTime(0);
  vi.stubGlobal('fetch', async () => foreignResponse('', { headers: { date: 'Fri, 20 Nov 2020 12:00:00 GMT' } }));
  await sendError();
  expect(serverTime(0)).toBe(before);
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
  expect(serverTime(now)).toBe(now);
  observeServerTime({ date: 'Fri, 20 Nov 2026 13:00:00 GMT', now });
  expect(serverTime(now)).toBe(Date.parse('2026-11-20T13:00:00Z'));
  observeServerTime({ date: 'not a date', now });
  expect(serverTime(now)).toBe(Date.parse('2026-11-20T13:00:00Z'));
});

test('the time of an answer is of the middle of its request, and that of the quickest answer counts', () => {
  const now = Date.parse('2026-11-20T12:00:00Z');
  const seconds = 1000;
  const answers = (at: number, took: number, ahead: number) =>
    observeServerTime({
      date: new Date(at - took / 2 + ahead).toUTCString(),
      sent: at - took,
      now: at,
    });
  answers(now, 10 * seconds, 0);
  expect(serverTime(now)).toBe(now);
  answers(now, 4 * seconds, 60 * seconds);
  expect(serverTime(now)).toBe(now + 60 * seconds);
  // Of an answer that comes back more slowly than its request went, the middle is wrong by up to half of what both took.
  answers(now + 30 * seconds, 8 * seconds, 57 * seconds);
  expect(serverTime(now)).toBe(now + 60 * seconds);
  answers(now + 400 * seconds, 8 * seconds, 57 * seconds);
  expect(serverTime(now)).toBe(now + 57 * seconds);
  // A clock was set.
  answers(now + 401 * seconds, 2 * seconds, 0);
  answers(now + 402 * seconds, 10 * seconds, 3600 * seconds);
  expect(serverTime(now)).toBe(now + 3600 * seconds);
});

test.each([
  { isConfirmed: true, repeated: 2, outcome: { data: { id: 'k' } } },
  { isConfirmed: false, repeated: 0, outcome: { code: 'session.confirm' } },
])('a request that needs a confirmation asks for it: $isConfirmed', async ({ isConfirmed, repeated, outcome }) => {
  onTestFinished(confirmation.subscribe(() => {}));
  asProblem({ status: 403, code: 'session.confirm' }, { 'x-swarmdeck': '1' });
  const sending = send({ method: 'POST', path: '/api/account/keys', body: { name: 'k' } }).catch(
    (error: unknown) => error,
  );
  const another = send({ path: '/api/x' }).catch((error: unknown) => error);
  await vi.waitFor(() => expect(confirmation.isAsked()).toBe(true));
  const refused = vi.mocked(fetch);
  await vi.waitFor(() => expect(refused).toHaveBeenCalledTimes(2));
  answer({ id: 'k' }, { headers: { 'x-swarmdeck': '1' } });
  confirmation.settle(isConfirmed);
  expect(await sending).toMatchObject(outcome);
  expect(await another).toMatchObject(outcome);
  expect(fetch).toHaveBeenCalledTimes(repeated);
  expect(confirmation.isAsked()).toBe(false);
});

test('a request that needs a confirmation fails on a page that cannot ask for it', async () => {
  asProblem({ status: 403, code: 'session.confirm' }, { 'x-swarmdeck': '1' });
  expect(await sendError()).toMatchObject({ code: 'session.confirm' });
  expect(confirmation.isAsked()).toBe(false);
});
