import { expect, test } from 'vitest';
import { maskPasswords } from './config/config.ts';
import { createLog, createReport } from './log.ts';
import { Problem } from './http/problem.ts';

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
  expect(lines.join('')).not.toContain('hidden');
  expect(records()).toMatchObject([
    {
      error: 'cannot connect to postgres://ann:***@db/swarm',
      cause: { error: 'postgres://db/swarm?password=***' },
    },
    { message: 'postgres://ann:***@db/swarm', url: 'https://ann:***@db', mail: 'ann@example.org' },
  ]);
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
  report(new Problem('tile.away', { cause: new Error('refused') }), { ...request, status: 503, code: 'tile.away' });
  report(new Error('a mistake'), { ...request, status: 500, code: 'server.failed' });
  report(new Error('a timer'));
  expect(records()).toMatchObject([
    { level: 'info', message: 'request failed', ...request, status: 404, code: 'route.not_found' },
    { level: 'warn', message: 'request failed', ...request, code: 'tile.away', cause: { error: 'refused' } },
    { level: 'error', message: 'request failed', ...request, error: 'a mistake' },
    { level: 'error', message: 'background work failed', error: 'a timer' },
  ]);
});
