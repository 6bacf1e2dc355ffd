/** Tiles from a real server that behaves well. */
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { png, sendTile } from './tile-server.fixture.ts';
import { createTileRoom } from './tiles.fixture.ts';

const hour = 3600_000;
const day = 24 * hour;

test('a tile is fetched once, with the headers that tile servers require, and served as an image', async () => {
  await using room = await createTileRoom();
  const answer = await room.ask('/5/16/10');
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, max-age=86400',
  });
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(png());
  const [{ path, headers }] = room.server.asked as [(typeof room.server.asked)[0]];
  expect(path).toBe('/5/16/10.png');
  expect(headers).toMatchObject({
    referer: 'https://devices.example.org/',
    'user-agent': 'Swarmdeck/1.2.3',
    'accept-encoding': 'identity',
  });
  expect(headers).not.toHaveProperty('cookie');

  expect(await room.outcome('/5/16/10')).toBe('200');
  const etag = answer.headers.get('etag')!;
  expect((await room.ask('/5/16/10', { headers: { 'if-none-match': etag } })).status).toBe(304);
  expect(room.server.asked).toHaveLength(1);
});

test('@2x tiles are served if the URL template has them', async () => {
  await using room = await createTileRoom();
  expect(await (await room.ask('')).json()).toMatchObject({ fine: true });
  expect(await room.outcome('/5/16/10@2x')).toBe('200');
  expect(room.server.asked.map(({ path }) => path)).toEqual(['/5/16/10@2x.png']);
  room.restart({ url: `${room.server.origin}/{z}/{x}/{y}.png` });
  expect(await (await room.ask('')).json()).toMatchObject({ fine: false });
  expect(await room.outcome('/5/16/10@2x')).toBe('404 tile.not_found');
});

test('the attribution is text, and the host by default', async () => {
  await using room = await createTileRoom();
  const host = new URL(room.server.origin).host;
  expect(await (await room.ask('')).json()).toEqual({ host, attribution: { text: host }, fine: true });
  const attribution = { text: '© Somebody', url: 'https://example.org/' };
  room.restart({ attribution });
  expect(await (await room.ask('')).json()).toMatchObject({ attribution });
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
  await using room = await createTileRoom();
  expect(await room.outcome(path)).toMatch(/^404 /);
  expect(room.server.asked).toEqual([]);
  expect((await room.kept()).files).toEqual([]);
});

test('a tile is fetched once for concurrent requests, even if one of them disconnects', async () => {
  await using room = await createTileRoom();
  const held: (() => void)[] = [];
  room.server.answer = (_, response) => void held.push(() => sendTile(response));
  const leaving = new AbortController();
  const left = room.outcome('/5/16/10', { signal: leaving.signal });
  const others = Array.from({ length: 50 }, () => room.outcome('/5/16/10'));
  await vi.waitUntil(() => held.length > 0);
  leaving.abort();
  expect(await left).toBe('503 tile.away');
  held[0]!();
  expect(await Promise.all(others)).toEqual(Array.from({ length: 50 }, () => '200'));
  expect(room.server.asked).toHaveLength(1);
  expect(room.failed).toEqual([]);
});

test('a fetch is cancelled when its last client disconnects, which is not a failure', async () => {
  await using room = await createTileRoom();
  room.server.answer = () => undefined;
  const leaving = new AbortController();
  const asked = [1, 2, 3, 4, 5, 6].map((x) => room.outcome(`/5/${x}/10`, { signal: leaving.signal }));
  await vi.waitUntil(() => room.server.open === 6);
  leaving.abort();
  await Promise.all(asked);
  await vi.waitUntil(() => room.server.open === 0);
  room.server.answer = (_, response) => sendTile(response);
  expect(await room.outcome('/5/1/10')).toBe('200');
  expect(room.warned).toEqual([]);
});

test('fetches are limited and queued, and refused if the queue is full', async () => {
  await using room = await createTileRoom({ atOnce: 2, waiting: 3 });
  const held: (() => void)[] = [];
  room.server.answer = (_, response) => void held.push(() => sendTile(response));
  const asked = Array.from({ length: 8 }, (_, x) => room.outcome(`/5/${x}/10`));
  expect(await Promise.all(asked.slice(5))).toEqual(Array.from({ length: 3 }, () => '503 tile.away'));
  for (let sent = 0; sent < 5; sent += 1) {
    await vi.waitUntil(() => held.length > 0);
    held.shift()!();
  }
  expect(await Promise.all(asked.slice(0, 5))).toEqual(Array.from({ length: 5 }, () => '200'));
  expect(room.server.most).toBe(2);
});

test('fetches are limited per user, but not cached tiles', async () => {
  await using room = await createTileRoom({ burst: 3 });
  for (const x of [0, 1, 2]) expect(await room.outcome(`/5/${x}/10`)).toBe('200');
  const refused = await room.ask('/5/3/10');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await room.outcome('/5/2/10')).toBe('200');
  expect((await room.ask('/5/3/10', { user: 'ben' })).status).toBe(200);
  expect(room.server.asked).toHaveLength(4);
});

test.each([
  ['no cache header', {}, 7 * day],
  ['a max-age and an age', { 'cache-control': 'public, max-age=7200', age: '1800' }, 1.5 * hour],
  ['an Expires header', { expires: new Date(Date.now() + 2 * day).toUTCString() }, 2 * day],
  ['an s-maxage', { 'cache-control': 'max-age=60, s-maxage=14400' }, 4 * hour],
  ['a max-age of 0', { 'cache-control': 'max-age=0' }, hour],
  ['no-cache', { 'cache-control': 'no-cache' }, hour],
  ['a max-age of a year', { 'cache-control': 'max-age=31536000' }, 30 * day],
])('a tile with %s is cached for the right time', async (_, headers, ms) => {
  await using room = await createTileRoom();
  room.server.answer = (__, response) => sendTile(response, headers);
  await room.ask('/5/16/10');
  room.wait(ms - 60_000);
  expect(await room.outcome('/5/16/10')).toBe('200');
  expect(room.server.asked).toHaveLength(1);
  room.wait(120_000);
  expect((await room.ask('/5/16/10')).headers.get('cache-control')).toBe('private, max-age=60');
  await vi.waitUntil(() => room.server.asked.length === 2);
});

test('a tile with no-store is served and not cached', async () => {
  await using room = await createTileRoom();
  room.server.answer = (_, response) => sendTile(response, { 'cache-control': 'no-store' });
  expect((await room.ask('/5/16/10')).headers.get('cache-control')).toBe('no-store');
  expect(await room.outcome('/5/16/10')).toBe('200');
  expect(room.server.asked).toHaveLength(2);
  expect((await room.kept()).files).toEqual([]);
});

test('an expired tile is served immediately and revalidated', async () => {
  await using room = await createTileRoom();
  const since = 'Thu, 01 Jan 2026 00:00:00 GMT';
  room.server.answer = (_, response) => sendTile(response, { etag: '"v1"', 'last-modified': since });
  await room.ask('/5/16/10');
  room.server.answer = (_, response) => response.writeHead(304, { 'cache-control': 'max-age=86400' }).end();
  room.wait(8 * day);
  expect(await room.outcome('/5/16/10')).toBe('200');
  await vi.waitUntil(() => room.server.asked.length === 2);
  expect(room.server.asked[1]!.headers).toMatchObject({ 'if-none-match': '"v1"', 'if-modified-since': since });
  await vi.waitUntil(async () => (await room.ask('/5/16/10')).headers.get('cache-control') !== 'private, max-age=60');

  room.server.answer = (_, response) => sendTile(response, {}, png({ grey: 7 }));
  room.wait(2 * day);
  await vi.waitUntil(async () =>
    Buffer.from(await (await room.ask('/5/16/10')).arrayBuffer()).equals(png({ grey: 7 })),
  );
  expect(room.server.asked).toHaveLength(3);
});

test('tiles survive a restart; those of another server are deleted', async () => {
  await using room = await createTileRoom();
  await room.ask('/5/16/10');
  const [own] = await readdir(room.folder);
  await writeFile(join(room.folder, own!, 'half.new'), 'cut off');
  room.restart();
  await room.server.stop();
  expect(await room.outcome('/5/16/10')).toBe('200');
  expect((await room.kept()).files).toEqual(['5-16-10']);

  room.restart({ url: 'http://127.0.0.1:9/{z}/{x}/{y}.png' });
  expect(await room.outcome('/5/16/10')).toBe('503 tile.away');
  expect((await room.kept()).files).toEqual([]);
});

test('a file that was truncated by a crash is fetched again', async () => {
  await using room = await createTileRoom();
  await room.ask('/5/16/10');
  const [own] = await readdir(room.folder);
  for (const rest of ['', '{"type":"image/png"}', '{"type":"image/png","size":3,"etag":"x"}\nabc', 'a\u0000b\n']) {
    await writeFile(join(room.folder, own!, '5-16-10'), rest);
    const answer = await room.ask('/5/16/10');
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(png());
  }
  expect(room.server.asked).toHaveLength(5);
});

test('the folder never exceeds its limit and evicts the least recently used tile', async () => {
  const capacity = 10 * 16_384;
  await using room = await createTileRoom({ capacity, atOnce: 3 });
  room.server.answer = (_, response) => sendTile(response, {}, png({ comment: 12_000 }));
  let largest = 0;
  for (let x = 0; x < 40; x += 4) {
    await Promise.all([0, 1, 2, 3].map((more) => room.outcome(`/6/${x + more}/10`)));
    await room.ask('/6/0/10');
    largest = Math.max(largest, (await room.kept()).bytes);
  }
  expect(largest).toBeLessThanOrEqual(capacity);
  expect(largest).toBeGreaterThan(capacity / 2);
  const { files } = await room.kept();
  expect(files).toContain('6-0-10');
  expect(files).toContain('6-39-10');
  expect(files).not.toContain('6-4-10');

  // A smaller limit, from the next start on.
  room.restart({ limits: { capacity: 3 * 16_384 } });
  await room.tidy();
  expect((await room.kept()).bytes).toBeLessThanOrEqual(3 * 16_384);
});

test('a tile that was not revalidated for three months is not served and is deleted', async () => {
  await using room = await createTileRoom();
  await room.ask('/5/16/10');
  await room.ask('/5/17/10');
  await room.server.stop();
  room.wait(60 * day);
  expect(await room.outcome('/5/16/10')).toBe('200');
  room.wait(40 * day);
  expect(await room.outcome('/5/16/10')).toBe('503 tile.away');
  await room.tidy();
  expect((await room.kept()).files).toEqual([]);
});

test('tiles are served if they cannot be stored', async () => {
  await using room = await createTileRoom();
  // Otherwise a cleanup could delete the file.
  await room.tidy();
  await writeFile(join(room.folder, 'file'), '');
  room.restart({ folder: join(room.folder, 'file') });
  expect(await room.outcome('/5/16/10')).toBe('200');
  expect(room.warned[0]?.message).toBe('a tile could not be cached');
});
