import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { browse, startHttpServer, type Browser, type HttpTestServer } from '../../tests/http-server.fixture.ts';
import { createMetrics } from './metrics.ts';

const metrics = createMetrics({ version: '1.2.3' });
let server: HttpTestServer;
let ann: Browser;
let key: string;
let id: string;

beforeAll(async () => {
  server = await startHttpServer({ onAnswered: metrics.count, quotas: 0.02 });
  ann = browse(server.url);
  await ann.send('POST', '/auth/sign-up', { username: 'ann', password: 'a good password', name: 'ann' });
  ({ key } = (await (await ann.send('POST', '/api/account/keys', { name: 'test' })).json()) as { key: string });
  const made = await ann.send('POST', '/api/resources', { name: 'Hub', machine_type: 'pc' });
  ({ id } = (await made.json()) as { id: string });
});
afterAll(() => server[Symbol.asyncDispose]());

/** The series of a scrape, by name and labels. Repeated if a busy machine could not read a part in time. */
async function scrape({ withIndex = false } = {}): Promise<Map<string, number>> {
  const measured = await vi.waitUntil(async () => {
    const read = await server.measure();
    return read.feed && (read.index || !withIndex) ? read : undefined;
  }, 30_000);
  const text = metrics.text(measured);
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line): [string, number] => [line.replace(/ \S+$/, ''), Number(line.split(' ').at(-1))]));
}

const requests = (operation: string, method: string, status: number) =>
  `swarmdeck_http_request_duration_seconds_count{operation="${operation}",method="${method}",status="${status}"}`;

test('requests are counted by operation or route, never by a path that a client has chosen', async () => {
  const headers = { 'x-serviceapikey': key };
  await fetch(`${server.url}/service/resources/${id}?q=secret`, { headers });
  await fetch(`${server.url}/service/resources/nothing`, { headers });
  await fetch(`${server.url}/service/resources/${id}`, { headers: { 'x-serviceapikey': 'wrong-key' } });
  await fetch(`${server.url}/service/chosen`, { headers });
  await ann.send('GET', `/api/resources/${id}`);
  await ann.send('GET', '/api/devices');
  await ann.send('GET', '/api/chosen');
  await fetch(`${server.url}/readyz`);
  await fetch(`${server.url}/assets/chosen.js`);
  const series = await scrape();
  expect(series.get(requests('getResource', 'GET', 200))).toBe(2);
  expect(series.get(requests('getResource', 'GET', 404))).toBe(1);
  expect(series.get(requests('createResource', 'POST', 201))).toBe(1);
  expect(series.get(requests('/api/devices', 'GET', 200))).toBe(1);
  expect(series.get(requests('/readyz', 'GET', 200))).toBe(1);
  expect(series.get(requests('other', 'GET', 401))).toBe(1);
  expect(series.get(requests('other', 'GET', 404))).toBe(3);
  const text = [...series.keys()].join('\n');
  for (const chosen of ['secret', 'chosen', 'ann', id, key, 'nothing']) expect(text).not.toContain(chosen);
  expect(text).toContain('swarmdeck_build_info{version="1.2.3"}');
});

test('buckets are cumulative, and the last one has all', async () => {
  const series = await scrape();
  const ofWrites = [...series].filter(([name]) => name.startsWith('swarmdeck_commit_writes_bucket'));
  const counts = ofWrites.map(([, count]) => count);
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  expect(counts.at(-1)).toBe(series.get('swarmdeck_commit_writes_count'));
  expect(counts.at(-1)).toBeGreaterThan(2);
  expect(ofWrites.at(-1)![0]).toContain('le="+Inf"');
  expect(series.get('swarmdeck_commit_writes_sum')).toBeGreaterThanOrEqual(counts.at(-1)!);
  expect(series.get('swarmdeck_commit_wait_seconds_count')).toBe(counts.at(-1));
});

test('sign-ins have an outcome, and refusals a code', async () => {
  const browser = browse(server.url);
  const signIn = (password: unknown) => browser.send('POST', '/auth/sign-in/username', { username: 'ann', password });
  expect((await signIn('a good password')).status).toBe(200);
  expect((await signIn('a wrong password')).status).toBe(401);
  expect((await signIn(1)).status).toBe(400);
  const response = { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' };
  const credential = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', clientExtensionResults: {}, response };
  expect((await browser.send('POST', '/auth/sign-in/passkey', { credential })).status).toBe(401);
  expect((await browser.send('POST', '/auth/second-factor', { code: '123456' })).status).toBe(401);
  await fetch(`${server.url}/auth/sign-out`, { method: 'POST', headers: { origin: 'https://other.example' } });
  // 1,000 swarms with the factor 0.02.
  for (let made = 0; made < 21; made++) await ann.send('POST', '/api/swarms', { name: 'Ring', description: '' });
  const series = await scrape();
  const outcome = (name: string) => series.get(`swarmdeck_sign_ins_total{way="password",outcome="${name}"}`);
  expect(['succeeded', 'wrong', 'refused', 'failed'].map(outcome)).toEqual([1, 1, 1, 0]);
  for (const way of ['passkey', 'second_factor'])
    expect(series.get(`swarmdeck_sign_ins_total{way="${way}",outcome="wrong"}`)).toBe(1);
  expect(series.get('swarmdeck_refused_total{code="swarm.too_many"}')).toBe(1);
  expect(series.get('swarmdeck_refused_total{code="origin.refused"}')).toBe(1);
  expect(series.get('swarmdeck_refused_total{code="rate.exceeded"}')).toBe(0);
});

test('streams, the index, the queues and the feed are read for each scrape', async () => {
  const before = await scrape();
  const streamed = await fetch(`${server.url}/service/events`, { headers: { 'x-serviceapikey': key } });
  await ann.send('GET', '/api/devices');
  await ann.send('PUT', `/api/resources/${id}`, { name: 'Other hub' });
  const open = await scrape({ withIndex: true });
  expect(open.get('swarmdeck_streams{way="key"}')).toBe(1);
  expect(open.get('swarmdeck_streams{way="session"}')).toBe(0);
  expect(open.get(requests('streamEvents', 'GET', 200))).toBe(1);
  expect(open.get('swarmdeck_index_audiences')).toBe(1);
  expect(open.get('swarmdeck_index_bytes')).toBeGreaterThan(0);
  expect(open.get('swarmdeck_feed_entry')).toBeGreaterThan(before.get('swarmdeck_feed_entry')!);
  expect(open.get('swarmdeck_feed_lag_entries')).toBe(0);
  for (const queue of ['reader', 'index', 'passwords']) {
    expect(open.get(`swarmdeck_queue_waiting{queue="${queue}"}`)).toBe(0);
    expect(open.get(`swarmdeck_queue_wait_seconds_count{queue="${queue}"}`)).toBeGreaterThan(0);
  }
  expect(open.get('swarmdeck_thread_restarts_total{thread="index"}')).toBe(0);
  await streamed.body!.cancel();
  await expect.poll(async () => (await scrape()).get('swarmdeck_streams_ended_total{reason="client"}')).toBe(1);
  await expect.poll(async () => (await scrape()).get('swarmdeck_streams{way="key"}')).toBe(0);
});

test('the age of the last round of presence and the bytes of all messages are told', async () => {
  const ben = browse(server.url);
  await ben.send('POST', '/auth/sign-up', { username: 'ben', password: 'a good password', name: 'ben' });
  const made = await ben.send('POST', '/api/resources', { name: 'Buoy', machine_type: 'bug' });
  const buoy = (await made.json()) as { id: string };
  const resources = [{ resource_id: buoy.id, resource_type: 'producer' }];
  await ben.send('POST', '/api/swarms', { name: 'Ring', description: '', resources });
  const payload = 'Öl';
  const bytesOfRow = 512;
  const properties = { user_properties: { 'sent-by-user': 'ben' } };
  expect((await ben.send('POST', `/api/resources/${buoy.id}/messages`, { payload })).status).toBe(201);
  await server.presence.round();
  server.wait(90_000);
  const series = await scrape();
  expect(series.get('swarmdeck_message_bytes')).toBe(
    Buffer.byteLength(JSON.stringify(payload) + JSON.stringify(properties)) + bytesOfRow,
  );
  const age = series.get('swarmdeck_presence_round_age_seconds')!;
  expect(age).toBeGreaterThanOrEqual(90);
  await server.presence.round();
  expect((await scrape()).get('swarmdeck_presence_round_age_seconds')).toBeLessThan(age);
});

test('a part that cannot be read has no series, and the others have', async () => {
  const measured = await server.measure();
  const backup = { ageMs: 1500, hasFailed: true };
  const values = { behind: 12, missed: 3 };
  const text = metrics.text({
    ...measured,
    feed: undefined,
    index: undefined,
    queues: { index: undefined },
    backup,
    values,
  });
  expect(text).toContain('# TYPE swarmdeck_feed_entry gauge\n# HELP');
  expect(text).toContain('swarmdeck_streams{way="key"}');
  expect(text).toContain('\nswarmdeck_backup_age_seconds 1.5\n');
  expect(text).toContain('\nswarmdeck_backup_failed 1\n');
  expect(text).toContain('\nswarmdeck_values_behind 12\n');
  expect(text).toContain('\nswarmdeck_values_missed_total 3\n');
  expect(metrics.text(measured)).not.toMatch(/^swarmdeck_backup/m);
  expect(text).not.toMatch(/^swarmdeck_(feed_entry|queue_waiting) /m);
});

test('while the database cannot be read, the other numbers are told', async () => {
  vi.spyOn(server.db, 'read').mockRejectedValue(new Error('the database is away'));
  // The sum of the bytes is read again after a while.
  server.wait(60_000);
  const text = metrics.text(await server.measure());
  expect(text).toContain('\nswarmdeck_commit_wait_seconds_count ');
  expect(text).toContain('\nswarmdeck_presence_round_age_seconds ');
  expect(text).not.toMatch(/^swarmdeck_(feed_entry|message_bytes|values_behind|values_missed_total) /m);
});

test('the board asks only for metrics that exist', async () => {
  const board = readFileSync(join(import.meta.dirname, '../../../deploy/grafana.json'), 'utf8');
  const types = [...metrics.text(await server.measure()).matchAll(/^# TYPE (\w+) (\w+)$/gm)];
  const names = new Set(
    types.flatMap(([, name, type]) =>
      type === 'histogram' ? ['bucket', 'sum', 'count'].map((part) => `${name}_${part}`) : [name],
    ),
  );
  const { panels } = JSON.parse(board) as { panels: { targets: { expr: string }[] }[] };
  expect(panels).toHaveLength(12);
  const asked = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const used = new Set(asked.flatMap((expr) => expr.match(/\b(swarmdeck|process|nodejs)_\w+/g) ?? []));
  expect(used.size).toBeGreaterThanOrEqual(panels.length);
  expect([...used].filter((name) => !names.has(name))).toEqual([]);
});

test('every own metric is explained to operators', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../../deploy/README.md'), 'utf8');
  const own = [...metrics.text(await server.measure()).matchAll(/^# TYPE (swarmdeck_\w+)/gm)].map(([, name]) => name!);
  expect(own.filter((name) => !page.includes(`\`${name}`))).toEqual([]);
});
