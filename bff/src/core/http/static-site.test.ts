import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testBindings } from '../../tests/bindings.fixture.ts';
import { onError } from './problem-response.ts';
import { createStaticSite } from './static-site.ts';

let folder: string;
let site: Hono;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swarmdeck-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>the app</title>');
  await writeFile(join(folder, 'assets/app-1.js'), 'export {};');
  site = createStaticSite({ folder });
  site.onError(onError(() => undefined));
});
afterAll(() => rm(folder, { recursive: true }));

const get = async (path: string, headers = {}) => site.request(`http://localhost${path}`, { headers }, testBindings());

it.each([
  '/',
  '/devices/1',
  '/swarms/1/map',
  '/swarms/',
  '/Swarms',
  '/join/a.b',
  '/sign-in?next=%2Faccount%23recovery',
])('serves the app for %s', async (path) => {
  const answer = await get(path);
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-cache']);
  expect(await answer.text()).toContain('the app');
});

it.each(['//service/resources', '/service//', '/a//b', '/api', '/auth/x', '/assets/app-0.js'])(
  'responds to %s with a problem, because there is no such page',
  async (path) => {
    const answer = await get(path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
  },
);

it.each([
  '/service-desk',
  '/wp-login.php',
  '/swarms/1/map/2',
  '/devices',
  '/.well-known/change-password',
  '/view%23',
  '/sign-in%23',
])('responds 404 to %s, and shows a browser the page of the app that says so', async (path) => {
  const ofProgram = await get(path, { accept: '*/*' });
  expect([ofProgram.status, ofProgram.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
  const shown = await get(path, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'if-none-match': '*' });
  expect([shown.status, shown.headers.get('cache-control')]).toEqual([404, 'no-store']);
  expect(await shown.text()).toContain('the app');
  const asset = await get('/assets/app-0.js', { accept: 'text/html' });
  expect([asset.status, asset.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
});

const code = 'a-_9'.repeat(8);
const mailed = `ann.1796000000000.${'m'.repeat(43)}`;
it.each([
  [`/view%23${code}`, `/view#${code}`],
  [`/view/%23${code}.`, `/view#${code}.`],
  [`/view%2523${code}%3E`, `/view#${code}`],
  [`/view?utm_source=mail%23${code}&x=1`, `/view#${code}`],
  [`/sign-in%23link=${mailed}`, `/sign-in#link=${mailed}`],
  [`/sign-in?utm_source=mail%23address%3D${mailed}`, `/sign-in#address=${mailed}`],
])('leads from %s to the link as it was made', async (path, link) => {
  const { status, headers } = await get(path);
  expect([status, headers.get('location'), headers.get('cache-control')]).toEqual([302, link, 'no-store']);
  expect([headers.get('x-robots-tag'), headers.get('referrer-policy')]).toEqual(['noindex, nofollow', 'no-referrer']);
});

it.each(['/view', '/view/'])('serves the page of a link at %s for no index, and without a referrer', async (path) => {
  const { headers } = await get(path);
  expect([headers.get('x-robots-tag'), headers.get('referrer-policy')]).toEqual(['noindex, nofollow', 'no-referrer']);
  expect((await get('/')).headers.get('x-robots-tag')).toBeNull();
});

it('responds 304 to every form of the ETag', async () => {
  const etag = (await get('/assets/app-1.js')).headers.get('etag')!;
  for (const held of [etag, `W/${etag}`, `"another", W/${etag}`, '*']) {
    const answer = await get('/assets/app-1.js', { 'if-none-match': held });
    expect([answer.status, answer.headers.get('etag'), await answer.text()]).toEqual([304, etag, '']);
  }
  expect((await get('/assets/app-1.js', { 'if-none-match': 'W/"another"' })).status).toBe(200);
});

it('has a different ETag for each encoding of a file', async () => {
  const encodings = ['identity', 'gzip', 'br'];
  const answers = await Promise.all(encodings.map((encoding) => get('/', { 'accept-encoding': encoding })));
  expect(answers.map(({ headers }) => headers.get('content-encoding') ?? 'identity')).toEqual(encodings);
  const etags = answers.map(({ headers }) => headers.get('etag')!);
  expect(new Set(etags).size).toBe(3);
  for (const [held, etag] of etags.entries()) {
    const statuses = await Promise.all(
      encodings.map((encoding) => get('/', { 'accept-encoding': encoding, 'if-none-match': etag })),
    );
    expect(statuses.map(({ status }) => status)).toEqual(encodings.map((_, at) => (at === held ? 304 : 200)));
  }
});
