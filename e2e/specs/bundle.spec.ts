import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, serverTest, test } from '../fixtures.ts';

const budget = 186_000;
const laterBudget = 60_000;
/** Of what each page loads after its first view. */
const everywhereBudget = 95_000;
const dist = join(import.meta.dirname, '../../web/dist');

/**
 * The text of each file that a browser loads for home before its map asks for devices: what the HTML names, what
 * `boot.js` preloads, and their static imports.
 */
async function firstFilesOf(origin: string): Promise<Map<string, string>> {
  const html = await (await fetch(origin)).text();
  const [, list = ''] = /name="preload" content="([^"]*)"/.exec(html) ?? [];
  const { texts, pages } = JSON.parse(list.replaceAll('&quot;', '"').replaceAll('&amp;', '&')) as {
    texts: { en: [string[], string[]] };
    pages: { path: string; files: string[]; mapFiles: string[] }[];
  };
  const home = pages.find(({ path }) => path === '/')!;
  expect(home.mapFiles).not.toEqual([]);
  return withImports(origin, [...namedIn(html), ...texts.en[0], ...home.files, ...home.mapFiles]);
}

function namedIn(html: string): string[] {
  const named = [...html.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(1);
  return named;
}

/** The texts of the files, and of all that they import when they load. */
async function withImports(origin: string, paths: string[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const follow = async (path: string): Promise<void> => {
    if (texts.has(path)) return;
    texts.set(path, '');
    const url = new URL(path, origin);
    const text = await (await fetch(url)).text();
    texts.set(path, text);
    const imports = [...text.matchAll(/(?:from|import)\s*"(\.[^"]+\.js)"/g)].map(([, to = '']) => to);
    await Promise.all(imports.map((to) => follow(new URL(to, url).pathname)));
  };
  await Promise.all(paths.map(follow));
  return texts;
}

serverTest('the first files of home and its map have at most 186.0 kB, gzipped', async ({ server }) => {
  const sizes = [...(await firstFilesOf(server.origin))].map(([path, text]) => ({
    path,
    bytes: gzipSync(text, { level: 9 }).length,
  }));
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  test.info().annotations.push({ type: 'gzip', description: `${total} bytes in ${sizes.length} files` });
  console.log(`JS and CSS until the map can be used: ${(total / 1000).toFixed(1)} kB gzip in ${sizes.length} files`);
  expect(total, sizes.map(({ path, bytes }) => `${bytes} ${path}`).join('\n')).toBeLessThanOrEqual(budget);
});

test(
  'the map needs no other file, and asks for its devices before any',
  { tag: '@page' },
  async ({ page, user, home, server }) => {
    await user.add({ name: 'Buoy 1', machine_type: 'bug', position: { longitude: 10, latitude: 54 } });
    const first = await firstFilesOf(server.origin);
    // the request of the map's own view: the one of the whole world is preloaded
    const ownView = /\/api\/map\?(?!.*bbox=-180)/;
    let isAsked = false;
    page.on('request', (request) => (isAsked ||= ownView.test(request.url())));
    const early: string[] = [];
    await page.route(/\.(js|css)$/, (route) => {
      const { pathname } = new URL(route.request().url());
      // the worker that reads the land is a thread beside the page
      if (first.has(pathname) || pathname.includes('/world.worker-')) return route.continue();
      if (!isAsked) early.push(pathname);
      // never answered
      return undefined;
    });
    await page.addInitScript(() => {
      // in the browser of a user, no part that only tests need is loaded
      Object.defineProperty(navigator, 'webdriver', { value: false });
      // as on the slowest machine: short pauses end before any answer comes, and what loads after a longer one comes later
      // (ui/use-is-settled.ts, the notice of a slow server)
      const wait = globalThis.setTimeout;
      const delayed = (callback: () => void, ms = 0) => wait(callback, ms >= 300 ? 600_000 : 0);
      Object.assign(globalThis, { setTimeout: delayed });
    });
    const symbols = page.waitForResponse((response) => ownView.test(response.url()));
    await home.open();
    await expect(home.row('Buoy 1')).toBeVisible();
    await expect(home.map).toBeVisible();
    await (await symbols).finished();
    await expect(home.mapLoading).toBeHidden();
    expect(early).toEqual([]);
  },
);

serverTest('Chromium compiles the scripts of home and its map while they load', async ({ server }) => {
  const scripts = [...(await firstFilesOf(server.origin))].filter(([path]) => /\/(vendor|index|map)-/.test(path));
  expect(scripts).toHaveLength(3);
  for (const [path, text] of scripts) expect(text.startsWith('//# allFunctionsCalledOnLoad\n'), path).toBe(true);
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

serverTest('what every page loads after its first view has at most 95 kB, gzipped', async ({ server }) => {
  const html = await (await fetch(server.origin)).text();
  const first = await withImports(server.origin, namedIn(html));
  const later = (await readdir(join(dist, 'assets'))).filter((name) => /^later-(?!devices-)/.test(name));
  expect(later).toHaveLength(1);
  const all = await withImports(server.origin, [`/assets/${later[0]}`]);
  const sizes = [...all]
    .filter(([path]) => !first.has(path))
    .map(([path, text]) => ({ path, bytes: gzipSync(text, { level: 9 }).length }));
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  console.log(`JS of every page after its first view: ${(total / 1000).toFixed(1)} kB gzip in ${sizes.length} files`);
  expect(total, sizes.map(({ path, bytes }) => `${bytes} ${path}`).join('\n')).toBeLessThanOrEqual(everywhereBudget);
});

serverTest('no file that the HTML names contains the map library', async ({ server }) => {
  const html = await (await fetch(server.origin)).text();
  const seen = await withImports(server.origin, namedIn(html));
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

// files that import each other may run a module before what it needs
test('each file of the app loads', { tag: '@page' }, async ({ page, server }) => {
  const files = (await readdir(join(dist, 'assets'))).filter((name) => /^(?!.*worker).*\.js$/.test(name));
  await page.goto(`${server.origin}/sign-in`);
  const failed = await page.evaluate(async (names) => {
    const results = await Promise.allSettled(names.map(async (name) => import(`/assets/${name}`)));
    return results.flatMap((result, at) => (result.status === 'rejected' ? [`${names[at]}: ${result.reason}`] : []));
  }, files);
  expect(failed).toEqual([]);
});
