import { afterEach, describe, expect, test, vi } from 'vitest';
import { maskPasswords } from './config/mask-passwords.ts';
import type { AnsweredRequest } from './http/request-bindings.ts';
import { createLog, createOutput, createReport, createRequestLine } from './log.ts';
import { Problem } from './problem.ts';

function recorded() {
  const lines: string[] = [];
  const log = createLog({ level: 'info', now: () => new Date(0), write: (line) => lines.push(line) });
  return { log, lines, records: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

test('passwords in URLs are masked everywhere in a line, which remains valid JSON', () => {
  const { log, lines, records } = recorded();
  const error = new Error('cannot connect to postgres://ann:hidden@db/swarm', {
    cause: new Error('postgres://db/swarm?password=hidden'),
  });
  createReport(log)(error);
  log.info('postgres://ann:hidden@db/swarm', { url: 'https://ann:hidden@db', mail: 'ann@example.org' });
  log.info('smtp://ann@example.org:hidden@mail');
  expect(lines.join('')).not.toContain('hidden');
  expect(records()).toMatchObject([
    {
      error: 'cannot connect to postgres://ann:***@db/swarm',
      cause: { error: 'postgres://db/swarm?password=***' },
    },
    { message: 'postgres://ann:***@db/swarm', url: 'https://ann:***@db', mail: 'ann@example.org' },
    { message: 'smtp://ann@example.org:***@mail' },
  ]);
});

test('the codes of links are masked in addresses, and ids are not', () => {
  const { log, lines, records } = recorded();
  const [code, id] = ['a-_9'.repeat(11).slice(0, 43), '019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d10'];
  const paths = [`/join/${code}`, `/service/links/${code}x`, `/api/swarms/${id}/links/${id}`];
  for (const path of paths) log.info('request failed', { path, url: `https://swarms.example${path}?code=${code}` });
  expect(lines.join('')).not.toContain(code);
  expect(records().map(({ path }) => path)).toEqual(['/join/***', '/service/links/***', paths[2]]);
});

test('what follows an escaped # in an address is masked: it is the code of a link that another program has rewritten', () => {
  const { log, records } = recorded();
  for (const path of ['/view%23abc', '/view%2523abc/x', '/sign-in%23link=ann.1.abc']) log.info('request', { path });
  expect(records().map(({ path }) => path)).toEqual(['/view%23***', '/view%23***', '/sign-in%23***']);
});

test('long texts are cut, after their passwords were masked', () => {
  const { log, lines, records } = recorded();
  const path = `/service/postgres://ann:${'hidden'.repeat(100)}@db/${'a'.repeat(900)}`;
  log.info('request failed', { path, cause: { error: 'b'.repeat(60_000) } });
  expect(lines[0]).not.toContain('hidden');
  const [line] = records();
  expect(line!['path']).toBe(`${path.replace(/:h.*@/, ':***@').slice(0, 200)}…`);
  expect((line!['cause'] as { error: string }).error).toHaveLength(8001);
});

test('passwords are masked in linear time', () => {
  const attacks = ['a', 'a://b:', '://', '?password=', '@', ' ', ':'].map((part) => part.repeat(100_000));
  const before = process.threadCpuUsage();
  for (const attack of attacks) maskPasswords(`${attack} `);
  const { user, system } = process.threadCpuUsage(before);
  // In µs. Quadratic time is minutes.
  expect(user + system).toBeLessThan(2_000_000);
});

test('a failed request is logged once with its causes; its level depends on who caused it', () => {
  const { log, records } = recorded();
  const report = createReport(log);
  const request = { request_id: 'r1', method: 'GET', path: '/api/x' };
  report(new Problem('route.not_found'), { ...request, status: 404, code: 'route.not_found' });
  report(new Problem('service.away', { cause: new Error('refused') }), {
    ...request,
    status: 503,
    code: 'service.away',
  });
  report(new Error('a mistake'), { ...request, status: 500, code: 'server.failed' });
  report(new Error('a timer'));
  expect(records()).toMatchObject([
    { level: 'info', message: 'request failed', ...request, status: 404, code: 'route.not_found' },
    { level: 'warn', message: 'request failed', ...request, code: 'service.away', cause: { error: 'refused' } },
    { level: 'error', message: 'request failed', ...request, error: 'a mistake' },
    { level: 'error', message: 'background work failed', error: 'a timer' },
  ]);
});

describe('errors of a client', () => {
  const refusal = (more: object) => ({ request_id: 'r', status: 429, code: 'rate.exceeded' as const, ...more });
  function refused() {
    vi.useFakeTimers();
    const { log, records } = recorded();
    const report = createReport(log);
    return {
      records,
      refuse: (more: object) => report(new Problem('rate.exceeded'), refusal(more)),
    };
  }

  test('because of a rate have one line a minute for each device and code, with how often', () => {
    const { refuse, records } = refused();
    for (let n = 0; n < 1000; n++) refuse({ device: 'd1', user: 'ann', request_id: `r${n}` });
    refuse({ device: 'd2', user: 'ann', request_id: 'other' });
    expect(records().map(({ request_id }) => request_id)).toEqual(['r0', 'other']);
    vi.advanceTimersByTime(60_000);
    expect(records().slice(2)).toEqual([expect.objectContaining({ ...refusal({}), request_id: 'r999', times: 999 })]);
    for (let n = 0; n < 10; n++) refuse({ device: 'd1', request_id: `again ${n}` });
    expect(records()).toHaveLength(3);
    vi.advanceTimersByTime(60_000);
    expect(records().slice(3)).toMatchObject([{ request_id: 'again 9', times: 10 }]);
    vi.advanceTimersByTime(120_000);
    expect(vi.getTimerCount()).toBe(0);
    refuse({ device: 'd1', request_id: 'later' });
    expect(records().slice(4)).toMatchObject([{ request_id: 'later' }]);
  });

  test('of another kind have ten lines a minute, and then one with how often', () => {
    vi.useFakeTimers();
    const { log, records } = recorded();
    const report = createReport(log);
    const fail = (n: number, code: 'key.invalid' | 'route.not_found') =>
      report(new Problem(code), { request_id: `r${n}`, status: 401, code, address: '192.0.2.1' });
    for (let n = 0; n < 500; n++) fail(n, 'key.invalid');
    fail(0, 'route.not_found');
    expect(records()).toHaveLength(11);
    vi.advanceTimersByTime(60_000);
    expect(records().slice(11)).toMatchObject([{ request_id: 'r499', code: 'key.invalid', times: 490 }]);
    for (let n = 0; n < 20; n++) fail(n, 'key.invalid');
    expect(records()).toHaveLength(21);
    report(new Error('a mistake'), { request_id: 'r', status: 500, code: 'server.failed' });
    expect(records()).toHaveLength(22);
  });

  test('of very many users and addresses are counted together', () => {
    const { refuse, records } = refused();
    for (let n = 0; n < 5000; n++) refuse({ address: `192.0.2.${n}` });
    expect(records()).toHaveLength(1001);
    vi.advanceTimersByTime(60_000);
    expect(records().slice(1001)).toMatchObject([{ times: 3999 }]);
  });
});

const answered: AnsweredRequest = {
  method: 'GET',
  operation: 'getResource',
  status: 200,
  ms: 1.234,
  bytes: 42,
  code: undefined,
  user: 'ann',
  keyId: 'k1',
  traceId: 'a'.repeat(32),
  requestId: () => 'r1',
  address: () => '192.0.2.1',
};

function requestLines(which: 'failed' | 'slow' | 'all', level: 'info' | 'warn' = 'info') {
  const lines: string[] = [];
  const write = createRequestLine({ which, level, now: () => new Date(0), write: (line) => lines.push(line) });
  return { write, lines };
}

test('a line of a request is JSON with what is known of it', () => {
  const { write, lines } = requestLines('all');
  write!(answered);
  write!({ ...answered, bytes: undefined, user: undefined, keyId: undefined, traceId: undefined });
  const known = { at: '1970-01-01T00:00:00.000Z', level: 'info', message: 'request', request_id: 'r1' };
  const ofAll = { ...known, method: 'GET', operation: 'getResource', status: 200, ms: 1.2, address: '192.0.2.1' };
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { ...ofAll, trace_id: 'a'.repeat(32), bytes: 42, user: 'ann', key_id: 'k1' },
    ofAll,
  ]);
  expect(lines.every((line) => line.endsWith('}\n'))).toBe(true);
});

test('LOG_REQUESTS says which requests have a line', () => {
  expect(requestLines('failed').write).toBeUndefined();
  expect(requestLines('all', 'warn').write).toBeUndefined();
  const { write, lines } = requestLines('slow');
  write!({ ...answered, ms: 999 });
  expect(lines).toEqual([]);
  write!({ ...answered, ms: 1000 });
  expect(lines).toHaveLength(1);
});

afterEach(() => {
  vi.useRealTimers();
});

test('buffered lines are written together, before any other line, and after 64 KiB', () => {
  vi.useFakeTimers();
  const written: string[] = [];
  const output = createOutput((text) => written.push(text));
  output.writeSoon('a\n');
  output.writeSoon('b\n');
  expect(written).toEqual([]);
  vi.advanceTimersByTime(200);
  expect(written).toEqual(['a\nb\n']);

  output.writeSoon('c\n');
  output.write('d\n');
  expect(written).toEqual(['a\nb\n', 'c\n', 'd\n']);

  output.writeSoon('e'.repeat(65_537));
  expect(written).toHaveLength(4);
  output.writeSoon('f');
  output.flush();
  output.flush();
  expect(written.slice(4)).toEqual(['f']);
  expect(vi.getTimerCount()).toBe(0);
});
