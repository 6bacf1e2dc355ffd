/** Tiles from a real server that behaves well. */
import { expect, test, vi } from 'vitest';
import { dayMs, hourMs } from '../../core/limits/durations.ts';
import { png, sendTile } from './tile-server.fixture.ts';
import { createTestTiles } from './tiles.fixture.ts';

test('a tile is fetched once, with the headers that tile servers require, and served as an image', async () => {
  await using tiles = await createTestTiles();
  const answer = await tiles.request('/5/16/10');
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, max-age=604800',
  });
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(png());
  const [{ path, headers }] = tiles.server.asked as [(typeof tiles.server.asked)[0]];
  expect(path).toBe('/5/16/10.png');
  expect(headers).toMatchObject({
    referer: 'https://devices.example.org/',
    'user-agent': 'Swarmdeck/1.2.3',
    'accept-encoding': 'identity',
  });
  expect(headers).not.toHaveProperty('cookie');
  expect(headers).not.toHaveProperty('traceparent');

  expect(await tiles.outcome('/5/16/10')).toBe('200');
  const etag = answer.headers.get('etag')!;
  expect((await tiles.request('/5/16/10', { headers: { 'if-none-match': etag } })).status).toBe(304);
  expect(tiles.server.asked).toHaveLength(1);
});

test('@2x tiles are served if the URL template has them', async () => {
  await using tiles = await createTestTiles();
  expect(await (await tiles.request('')).json()).toMatchObject({ retina: true });
  expect(await tiles.outcome('/5/16/10@2x')).toBe('200');
  expect(tiles.server.asked.map(({ path }) => path)).toEqual(['/5/16/10@2x.png']);
  tiles.restart({ url: `${tiles.server.origin}/{z}/{x}/{y}.png` });
  expect(await (await tiles.request('')).json()).toMatchObject({ retina: false });
  expect(await tiles.outcome('/5/16/10@2x')).toBe('404 tile.not_found');
});

test('the attribution is text, and the host by default', async () => {
  await using tiles = await createTestTiles();
  const host = new URL(tiles.server.origin).host;
  const attributed = { name: host, kind: 'raster', attribution: { text: host }, retina: true };
  expect(await (await tiles.request('')).json()).toEqual(attributed);
  const attribution = { text: '© Somebody', url: 'https://example.org/' };
  tiles.restart({ attribution });
  expect(await (await tiles.request('')).json()).toMatchObject({ attribution });
});

test.each([
  '/-1/0/0',
  '/0/0/1',
  '/1/2/0',
  '/23/0/0',
  '/3/8/0',
  '/3/0/8',
  '/03/0/0',
  '/3/1.5/0',
  '/3/1e0/0',
  '/3/0x1/0',
  '/3/0/0@3x',
  '/3/0/..%2f..%2fsecret',
  '/3/..%2f..%2f..%2fetc/passwd',
  '/3/%00/0',
  '/%2e%2e/%2e%2e/0',
  '/3/0/0%0d%0ahost:%20x',
  `/3/0/${'9'.repeat(400)}`,
])('%s is not a tile and is not fetched', async (path) => {
  await using tiles = await createTestTiles();
  expect(await tiles.outcome(path)).toMatch(/^404 /);
  expect(tiles.server.asked).toEqual([]);
});

test('a tile is fetched once for concurrent requests, even if one of them disconnects', async () => {
  await using tiles = await createTestTiles();
  const held: (() => void)[] = [];
  tiles.server.answer = (_, response) => void held.push(() => sendTile(response));
  const leaving = new AbortController();
  const left = tiles.outcome('/5/16/10', { signal: leaving.signal });
  const others = Array.from({ length: 50 }, () => tiles.outcome('/5/16/10'));
  await vi.waitUntil(() => held.length > 0, { timeout: 60_000 });
  leaving.abort();
  held[0]!();
  await left;
  expect(await Promise.all(others)).toEqual(Array.from({ length: 50 }, () => '200'));
  expect(tiles.server.asked).toHaveLength(1);
  expect(tiles.failed).toEqual([]);
});

test('a tile that waits for its turn is not fetched if its client disconnects', async () => {
  await using tiles = await createTestTiles({ atOnce: 1 });
  const held: (() => void)[] = [];
  tiles.server.answer = (_, response) => void held.push(() => sendTile(response));
  const first = tiles.outcome('/5/1/10');
  await vi.waitUntil(() => held.length > 0, { timeout: 60_000 });
  const leaving = new AbortController();
  const left = [2, 3, 4].map((x) => tiles.outcome(`/5/${x}/10`, { signal: leaving.signal }));
  const last = tiles.outcome('/5/5/10');
  leaving.abort();
  expect(await Promise.all(left)).toEqual(Array.from({ length: 3 }, () => '400 request.aborted'));
  held[0]!();
  await vi.waitUntil(() => held.length > 1, { timeout: 60_000 });
  held[1]!();
  expect(await Promise.all([first, last])).toEqual(['200', '200']);
  expect(tiles.server.asked.map(({ path }) => path)).toEqual(['/5/1/10.png', '/5/5/10.png']);
  expect(tiles.warned).toEqual([]);
});

test('fetches are limited and queued, and refused if the queue is full', async () => {
  // The last place is for another user.
  await using tiles = await createTestTiles({ atOnce: 3, waiting: 3 });
  const held: (() => void)[] = [];
  tiles.server.answer = (_, response) => void held.push(() => sendTile(response));
  const asked = Array.from({ length: 8 }, (_, x) => tiles.outcome(`/5/${x}/10`));
  expect(await Promise.all(asked.slice(5))).toEqual(Array.from({ length: 3 }, () => '503 tile.away'));
  for (let sent = 0; sent < 5; sent += 1) {
    await vi.waitUntil(() => held.length > 0, { timeout: 60_000 });
    held.shift()!();
  }
  expect(await Promise.all(asked.slice(0, 5))).toEqual(Array.from({ length: 5 }, () => '200'));
  expect(tiles.server.most).toBe(2);
});

test('fetches are limited per user, but not cached tiles', async () => {
  await using tiles = await createTestTiles({ burst: 3 });
  for (const x of [0, 1, 2]) expect(await tiles.outcome(`/5/${x}/10`)).toBe('200');
  const refused = await tiles.request('/5/3/10');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await tiles.outcome('/5/2/10')).toBe('200');
  expect((await tiles.request('/5/3/10', { user: 'ben' })).status).toBe(200);
  expect(tiles.server.asked).toHaveLength(4);
});

test.each([
  ['no cache header', {}, 7 * dayMs],
  ['a max-age and an age', { 'cache-control': 'public, max-age=7200', age: '1800' }, 1.5 * hourMs],
  ['an Expires header', { expires: new Date(Date.now() + 2 * dayMs).toUTCString() }, 2 * dayMs],
  ['an s-maxage', { 'cache-control': 'max-age=60, s-maxage=14400' }, 4 * hourMs],
  ['a max-age of 0', { 'cache-control': 'max-age=0' }, hourMs],
  ['no-cache', { 'cache-control': 'no-cache' }, hourMs],
  ['a max-age of a year', { 'cache-control': 'max-age=31536000' }, 30 * dayMs],
])('a tile with %s is cached for the right time', async (_, headers, ms) => {
  await using tiles = await createTestTiles();
  tiles.server.answer = (__, response) => sendTile(response, headers);
  await tiles.request('/5/16/10');
  tiles.wait(ms - 60_000);
  expect(await tiles.outcome('/5/16/10')).toBe('200');
  expect(tiles.server.asked).toHaveLength(1);
  tiles.wait(120_000);
  expect((await tiles.request('/5/16/10')).headers.get('cache-control')).toBe('private, max-age=60');
  await vi.waitUntil(() => tiles.server.asked.length === 2, { timeout: 60_000 });
});

test('a tile with no-store is served and not cached', async () => {
  await using tiles = await createTestTiles();
  tiles.server.answer = (_, response) => sendTile(response, { 'cache-control': 'no-store' });
  expect((await tiles.request('/5/16/10')).headers.get('cache-control')).toBe('no-store');
  expect(await tiles.outcome('/5/16/10')).toBe('200');
  expect(tiles.server.asked).toHaveLength(2);
});

test('an expired tile is served immediately and fetched again', async () => {
  await using tiles = await createTestTiles();
  await tiles.request('/5/16/10');
  tiles.server.answer = (_, response) => sendTile(response, {}, png({ grey: 7 }));
  tiles.wait(8 * dayMs);
  const expired = await tiles.request('/5/16/10');
  expect([expired.status, expired.headers.get('cache-control')]).toEqual([200, 'private, max-age=60']);
  expect(Buffer.from(await expired.arrayBuffer())).toEqual(png());
  await vi.waitUntil(
    async () => Buffer.from(await (await tiles.request('/5/16/10')).arrayBuffer()).equals(png({ grey: 7 })),
    { timeout: 60_000 },
  );
  expect((await tiles.request('/5/16/10')).headers.get('cache-control')).toBe('private, max-age=604800');
  expect(tiles.server.asked).toHaveLength(2);
});

test('the cache never exceeds its limit and evicts the least recently used tile', async () => {
  const size = png({ comment: 12_000 }).length + 500;
  await using tiles = await createTestTiles({ capacity: 10 * size });
  tiles.server.answer = (_, response) => sendTile(response, {}, png({ comment: 12_000 }));
  for (let x = 1; x < 40; x += 1) {
    await tiles.outcome(`/6/${x}/10`);
    await tiles.outcome('/6/0/10');
  }
  expect(tiles.server.asked).toHaveLength(40);
  await tiles.server.stop();
  const outcomes = await Promise.all(Array.from({ length: 40 }, (_, x) => tiles.outcome(`/6/${x}/10`)));
  const cached = outcomes.flatMap((outcome, x) => (outcome === '200' ? [x] : []));
  expect(cached).toEqual([0, 31, 32, 33, 34, 35, 36, 37, 38, 39]);
});

test('the trace of the request that fetches a tile is passed on, if it is valid', async () => {
  await using tiles = await createTestTiles();
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  await tiles.request('/5/16/10', { headers: { traceparent } });
  await tiles.request('/5/16/11', { headers: { traceparent: 'mine' } });
  expect(tiles.server.asked.map(({ headers }) => headers['traceparent'])).toEqual([traceparent, undefined]);
});
