import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Request } from 'playwright/test';
import { expect, serverTest, test } from '../fixtures.ts';

const budget = 186_000;
const laterBudget = 60_000;
const dist = join(import.meta.dirname, '../../web/dist');

test('the interactive map needs at most 186.0 kB of JS and CSS, gzipped', async ({ page, user, home }) => {
  await user.add({ name: 'Buoy 1', machine_type: 'bug', position: { longitude: 10, latitude: 54 } });
  const code = new Map<string, Request>();
  page.on('request', (request) => {
    if (/\.(js|css)$/.test(new URL(request.url()).pathname)) code.set(request.url(), request);
  });
  // On a slow machine the pause before the page prefetches (ui/use-is-settled.ts) may come before the map's own request.
  await page.addInitScript(() => {
    // in the browser of a user, no part that only tests need is loaded
    Object.defineProperty(navigator, 'webdriver', { value: false });
    const wait = globalThis.setTimeout;
    const delayed = (callback: () => void, ms = 0) => wait(callback, ms === 300 || ms === 10_000 ? 600_000 : ms);
    Object.assign(globalThis, { setTimeout: delayed });
  });
  // the request of the map's own view: the one of the whole world is preloaded
  const symbols = page.waitForResponse((response) => /\/api\/map\?(?!.*bbox=-180)/.test(response.url()));
  await home.open();
  await expect(home.row('Buoy 1')).toBeVisible();
  await expect(home.map).toBeVisible();
  const answer = await symbols;
  await answer.finished();
  // what is requested while this one is answered, the names of cities for example, is not needed to draw it
  const usable = answer.request().timing().startTime;
  // the start of a request is known when it has ended
  const begun = [...code];
  await Promise.all(begun.map(([, request]) => request.response()));
  // exclude what the page loads after it can be used, and the worker that reads the land: a thread beside the page, whose
  // request comes before that of the map or after it, by chance
  const needed = begun.filter(([url, request]) => request.timing().startTime < usable && !/\/world\.worker-/.test(url));
  const sizes = await Promise.all(
    needed.map(async ([url]) => {
      const body = await (await fetch(url)).arrayBuffer();
      return { url, bytes: gzipSync(body, { level: 9 }).length };
    }),
  );
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  test.info().annotations.push({ type: 'gzip', description: `${total} bytes in ${sizes.length} files` });
  console.log(`JS and CSS until the map can be used: ${(total / 1000).toFixed(1)} kB gzip in ${sizes.length} files`);
  expect(total, sizes.map(({ url, bytes }) => `${bytes} ${url}`).join('\n')).toBeLessThanOrEqual(budget);
});

serverTest('each file that loads later has at most 60 kB, gzipped', async () => {
  const page = await readFile(join(dist, 'index.html'), 'utf8');
  const files = (await readdir(join(dist, 'assets'))).filter((name) => /\.(js|css)$/.test(name));
  const later = files.filter((name) => !page.includes(`"/assets/${name}"`));
  expect(later.length).toBeGreaterThan(10);
  const sizes = await Promise.all(
    later.map(async (name) => ({ name, bytes: gzipSync(await readFile(join(dist, 'assets', name))).length })),
  );
  expect(sizes.filter(({ bytes }) => bytes > laterBudget)).toEqual([]);
});

serverTest('no file that the HTML names contains the map library', async ({ server }) => {
  const read = async (path: string) => (await fetch(new URL(path, server.origin))).text();
  const seen = new Map<string, string>();
  const follow = async (path: string): Promise<void> => {
    if (seen.has(path)) return;
    const text = await read(path);
    seen.set(path, text);
    const imports = [...text.matchAll(/(?:from|import)\s*"(\.[^"]+\.js)"/g)].map(([, to = '']) => to);
    await Promise.all(imports.map((to) => follow(new URL(to, new URL(path, server.origin)).pathname)));
  };
  const html = await read('/');
  const named = [...html.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(1);
  await Promise.all(named.map(follow));
  for (const [path, text] of seen) expect(/leaflet/i.test(text), path).toBe(false);
});

serverTest('what a second visit reads its stored data with is one file besides those that the HTML names', async () => {
  const html = await readFile(join(dist, 'index.html'), 'utf8');
  const files = (await readdir(join(dist, 'assets'))).filter((name) => name.endsWith('.js'));
  const texts = await Promise.all(files.map(async (name) => readFile(join(dist, 'assets', name), 'utf8')));
  const stored = texts.filter((text) => text.includes('`keyval-store`'));
  expect(stored).toHaveLength(1);
  const imported = [...stored[0]!.matchAll(/from"\.\/([^"]+)"/g)].map(([, name]) => name!);
  expect(imported.filter((name) => !html.includes(`/assets/${name}"`))).toEqual([]);
});
