import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testBindings } from '../tests/bindings.fixture.ts';
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

it.each(['/', '/devices/1', '/swarms/1/map', '/service-desk'])('serves the app for %s', async (path) => {
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
