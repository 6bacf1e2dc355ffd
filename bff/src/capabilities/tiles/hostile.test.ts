/** Tile servers that misbehave: each case must end in time, with a problem response and without a cached tile. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { dayMs } from '../../core/limits/durations.ts';
import { png, sendTile } from './tile-server.fixture.ts';
import { createTestTiles } from './tiles.fixture.ts';

const MB = 1024 * 1024;
/** A short timeout, so that the tests do not wait long. */
const impatient = { ms: 500 };

type Answer = (response: ServerResponse, request: IncomingMessage) => void;
const image = { 'content-type': 'image/png' };
const raw = (response: ServerResponse, text: string | Buffer) => response.socket!.end(text);
const rawPng = (head: string) => (response: ServerResponse) =>
  raw(response, Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n`), png()]));

const refused: [what: string, answer: Answer][] = [
  ['500', (response) => response.writeHead(500, image).end(png())],
  ['an AVIF', (response) => response.writeHead(200, { 'content-type': 'image/avif' }).end(png())],
  ['429', (response) => response.writeHead(429, { 'retry-after': '90' }).end()],
  ...[401, 407, 408, 425].map((status): [string, Answer] => [
    `${status}`,
    (response) => response.writeHead(status).end(),
  ]),
  ['HTML instead of an image', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<b>hi</b>')],
  ['HTML with an image type', (response) => response.writeHead(200, image).end('<script>alert(1)</script>')],
  ['SVG', (response) => response.writeHead(200, { 'content-type': 'image/svg+xml' }).end('<svg onload="x()"/>')],
  ['SVG with a PNG type', (response) => response.writeHead(200, image).end('<svg onload="x()"/>')],
  ['an image with an HTML type', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(png())],
  ['an image without a type', (response) => response.writeHead(200).end(png())],
  ['a GIF', (response) => response.writeHead(200, { 'content-type': 'image/gif' }).end('GIF89a')],
  ['nothing', (response) => response.writeHead(200, image).end()],
  ['a truncated image', (response) => response.writeHead(200, image).end(png().subarray(0, -20))],
  ['50 MB with a Content-Length', (response) => sendTile(response, {}, Buffer.concat([png(), Buffer.alloc(50 * MB)]))],
  ['50 MB without a Content-Length', (response) => pour(response, 50 * MB)],
  [
    'a gzip bomb',
    (response) =>
      response.writeHead(200, { ...image, 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(20 * MB))),
  ],
  ['an image with too many pixels', (response) => sendTile(response, {}, png({ size: 8192 }))],
  ['less than its Content-Length', rawPng(`content-type: image/png\r\ncontent-length: ${png().length + 1000}`)],
  ['more than its Content-Length', rawPng(`content-type: image/png\r\ncontent-length: ${png().length - 10}`)],
  ['two Content-Length headers', rawPng('content-type: image/png\r\ncontent-length: 10\r\ncontent-length: 20')],
  ['an invalid Content-Length', rawPng('content-type: image/png\r\ncontent-length: -5')],
  [
    'chunks with a Content-Length',
    rawPng('content-type: image/png\r\ncontent-length: 10\r\ntransfer-encoding: chunked'),
  ],
  ['a header of 1 MB', (response) => raw(response, `HTTP/1.1 200 OK\r\nx-long: ${'x'.repeat(MB)}\r\n\r\n`)],
  ['data that is not HTTP', (response) => raw(response, 'hello\r\n')],
  [
    'another protocol',
    (response) => raw(response, 'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
  ],
  ['304', (response) => response.writeHead(304).end()],
  ['a redirect to an invalid URL', (response) => response.writeHead(302, { location: 'http://[' }).end()],
  ['an endless redirect', (response, { url }) => response.writeHead(302, { location: `${url}x` }).end()],
  ['a redirect to a file', (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end()],
  ['a connection closed before the header', (response) => response.socket!.destroy()],
  [
    'a connection closed in the body',
    (response) => {
      response.writeHead(200, { ...image, 'content-length': png().length });
      response.write(png().subarray(0, 100), () => response.socket!.destroy());
    },
  ],
  ['no answer', () => undefined],
  ['a header without a body', (response) => response.writeHead(200, image).flushHeaders()],
  ['one byte at a time, endlessly', (response) => drip(response.writeHead(200, image), png())],
  [
    'a header, one byte at a time',
    (response) => drip(response.socket!, Buffer.from(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(999)}`)),
  ],
];

test.each(refused)('a tile server that sends %s causes a 503 in time, and nothing is stored', async (_, answer) => {
  await using tiles = await createTestTiles(impatient);
  tiles.server.answer = (request, response) => answer(response, request);
  const got = await tiles.request('/5/16/10');
  expect(got.status).toBe(503);
  expect(got.headers.get('content-type')).toBe('application/problem+json');
  expect(Number(got.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await tiles.outcome('/5/16/10')).toBe('503 tile.away');
  expect(tiles.failed).toEqual([]);
  // No request continues.
  await vi.waitUntil(() => tiles.server.open === 0, { timeout: 60_000 });
});

test('a redirect to another host is not followed', async () => {
  const asked: string[] = [];
  const elsewhere = createServer(({ url }, response) => {
    asked.push(url!);
    sendTile(response);
  });
  await new Promise<void>((resolve) => void elsewhere.listen(0, '127.0.0.1', resolve));
  await using tiles = await createTestTiles();
  const { port } = elsewhere.address() as AddressInfo;
  tiles.server.answer = (_, response) => response.writeHead(302, { location: `http://127.0.0.1:${port}/x.png` }).end();
  expect(await tiles.outcome('/5/16/10')).toBe('503 tile.away');
  expect(asked).toEqual([]);
  await new Promise((resolve) => elsewhere.close(resolve));
});

test('a redirect within the host is followed', async () => {
  await using tiles = await createTestTiles();
  tiles.server.answer = ({ url }, response) =>
    url!.startsWith('/v2') ? sendTile(response) : response.writeHead(301, { location: `/v2${url}` }).end();
  expect(await tiles.outcome('/5/16/10')).toBe('200');
  expect(tiles.server.asked.map(({ path }) => path)).toEqual(['/5/16/10.png', '/v2/5/16/10.png']);
});

test.each([204, 400, 403, 404, 410])('a %i is cached for an hour and is not a failure', async (status) => {
  await using tiles = await createTestTiles();
  tiles.server.answer = (_, response) => response.writeHead(status).end('<h1>nothing</h1>');
  for (let x = 0; x < 10; x += 1) expect(await tiles.outcome(`/5/${x}/10`)).toBe('404 tile.not_found');
  expect(await tiles.outcome('/5/0/10')).toBe('404 tile.not_found');
  expect(tiles.server.asked).toHaveLength(10);
  expect(tiles.warned).toEqual([]);
  tiles.wait(3600_001);
  tiles.server.answer = (_, response) => sendTile(response);
  expect(await tiles.outcome('/5/0/10')).toBe('200');
});

test('a failing server is not asked for a while, and logged once', async () => {
  await using tiles = await createTestTiles();
  tiles.server.answer = (_, response) => response.writeHead(500).end();
  for (let x = 0; x < 20; x += 1) expect(await tiles.outcome(`/5/${x}/10`)).toBe('503 tile.away');
  expect(tiles.server.asked).toHaveLength(4);
  const source = new URL(tiles.server.origin).host;
  expect(tiles.warned.map(({ facts }) => facts)).toEqual([{ source, reason: 'answers 500' }]);

  tiles.server.answer = (_, response) => sendTile(response);
  tiles.wait(15_001);
  expect(await tiles.outcome('/5/19/10')).toBe('200');
  tiles.wait(15_001);
  expect(await tiles.outcome('/5/0/10')).toBe('200');
});

test('tiles that always fail for one user do not stop those of others', async () => {
  await using tiles = await createTestTiles();
  tiles.server.answer = ({ url }, response) =>
    url!.startsWith('/5/') ? response.writeHead(500).end() : sendTile(response);
  for (let x = 0; x < 6; x += 1) expect((await tiles.request(`/5/${x}/10`, { user: 'eve' })).status).toBe(503);
  expect(tiles.server.asked).toHaveLength(4);
  expect((await tiles.request('/6/1/10', { user: 'ben' })).status).toBe(200);
  expect((await tiles.request('/6/2/10', { user: 'eve' })).status).toBe(503);
});

test('if the server fails for all, each user asks it once more', async () => {
  await using tiles = await createTestTiles();
  tiles.server.answer = (_, response) => response.writeHead(500).end();
  for (let x = 0; x < 6; x += 1) await tiles.request(`/5/${x}/10`, { user: 'ann' });
  for (let x = 0; x < 6; x += 1) await tiles.request(`/5/${x}/10`, { user: 'ben' });
  expect(tiles.server.asked).toHaveLength(5);
  expect(tiles.warned).toHaveLength(1);
});

test('a server that sends Retry-After is not asked until then', async () => {
  await using tiles = await createTestTiles();
  tiles.server.answer = (_, response) => response.writeHead(429, { 'retry-after': '90' }).end();
  expect(await tiles.outcome('/5/1/10')).toBe('503 tile.away');
  tiles.server.answer = (_, response) => sendTile(response);
  tiles.wait(89_000);
  const answer = await tiles.request('/5/2/10');
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
  tiles.wait(2000);
  expect(await tiles.outcome('/5/2/10')).toBe('200');
});

test('a server that sends Retry-After to one user is asked for others a little later', async () => {
  await using tiles = await createTestTiles();
  tiles.server.answer = (_, response) => response.writeHead(429, { 'retry-after': '600' }).end();
  const statusFor = async (user: string, x: number) => (await tiles.request(`/5/${x}/10`, { user })).status;
  expect(await statusFor('eve', 1)).toBe(503);
  tiles.server.answer = (_, response) => sendTile(response);
  expect(await statusFor('ben', 2)).toBe(503);
  tiles.wait(15_001);
  expect(await statusFor('ben', 2)).toBe(200);
  expect(await statusFor('eve', 3)).toBe(503);
  tiles.wait(585_000);
  expect(await statusFor('eve', 3)).toBe(200);
});

test('cached tiles are served while the server is unavailable, and refreshed afterwards', async () => {
  await using tiles = await createTestTiles();
  await tiles.request('/5/16/10');
  tiles.server.answer = (_, response) => response.socket!.destroy();
  tiles.wait(8 * dayMs);
  for (let times = 0; times < 3; times += 1) expect(await tiles.outcome('/5/16/10')).toBe('200');
  await vi.waitUntil(() => tiles.server.asked.length === 2, { timeout: 60_000 });
  expect(await tiles.outcome('/5/17/10')).toBe('503 tile.away');

  tiles.server.answer = (_, response) => sendTile(response, {}, png({ grey: 7 }));
  tiles.wait(31_000);
  await vi.waitUntil(
    async () => Buffer.from(await (await tiles.request('/5/16/10')).arrayBuffer()).equals(png({ grey: 7 })),
    { timeout: 60_000 },
  );
});

test('a slow server is not a failure', async () => {
  await using tiles = await createTestTiles();
  tiles.server.answer = (_, response) => {
    response.writeHead(200, image);
    drip(response, png(), { piece: 64, endsAfter: true });
  };
  expect(await tiles.outcome('/5/16/10')).toBe('200');
});

/** Writes until it is stopped, with backpressure. */
function pour(response: ServerResponse, size: number) {
  response.writeHead(200, image);
  let left = size;
  const more = () => {
    while (left > 0) {
      left -= 65_536;
      if (!response.write(Buffer.alloc(65_536))) return;
    }
    response.end();
  };
  response.on('drain', more);
  response.write(png());
  more();
}

function drip(
  to: NodeJS.WritableStream & { destroyed: boolean },
  bytes: Buffer,
  { piece = 1, endsAfter = false }: { piece?: number; endsAfter?: boolean } = {},
) {
  let at = 0;
  const timer = setInterval(() => {
    if (to.destroyed) clearInterval(timer);
    else if (at < bytes.length) to.write(bytes.subarray(at, (at += piece)));
    else if (endsAfter) {
      clearInterval(timer);
      to.end();
    } else to.write('x');
  }, 20);
}
