/** Tiles over real HTTP in the whole server: access, and disconnected browsers. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { png, sendTile, startTileServer, type TileServer } from './tile-server.fixture.ts';
import { browse, startHttpServer, type Browser, type HttpTestServer } from '../../tests/http-server.fixture.ts';

let tiles: TileServer;
let server: HttpTestServer;
let ann: Browser;
beforeAll(async () => {
  tiles = await startTileServer();
  const attribution = { text: 'Somebody' };
  server = await startHttpServer({
    opened: { tiles: { url: tiles.template, attribution, userAgent: 'Swarmdeck/1' } },
  });
  ann = browse(server.url);
  await ann.send('POST', '/auth/sign-up', { username: 'ann', password: 'a good password', name: 'ann' });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await tiles[Symbol.asyncDispose]();
});

test('tiles require a session', async () => {
  const answer = await ann.send('GET', '/api/tiles/5/16/10');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(png());
  expect(await (await ann.send('GET', '/api/tiles')).json()).toMatchObject({ attribution: { text: 'Somebody' } });

  const asked = tiles.asked.length;
  for (const path of ['/api/tiles', '/api/tiles/5/16/10', '/api/tiles/5/16/11']) {
    expect((await fetch(`${server.url}${path}`)).status).toBe(401);
  }
  expect(tiles.asked).toHaveLength(asked);
});

test('the tile server receives no data of the user', async () => {
  await ann.send('GET', '/api/tiles/6/16/10', undefined, { 'x-forwarded-for': '192.0.2.7', 'user-agent': 'Ann 1.0' });
  const sent = JSON.stringify(tiles.asked.at(-1));
  for (const secret of ['192.0.2.7', 'Ann 1.0', 'cookie', 'swarmdeck.session']) expect(sent).not.toContain(secret);
});

test('a disconnected browser leaves no error in the log', async () => {
  let finish = () => {};
  tiles.answer = (_, response) => void (finish = () => sendTile(response));
  const leaving = new AbortController();
  const left = fetch(`${server.url}/api/tiles/7/16/10`, { headers: { cookie: ann.cookie }, signal: leaving.signal });
  await vi.waitUntil(() => tiles.open === 1, 30_000);
  leaving.abort();
  await expect(left).rejects.toThrow('aborted');
  finish();
  expect((await ann.send('GET', '/api/tiles/7/16/10')).status).toBe(200);
  expect(server.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});
