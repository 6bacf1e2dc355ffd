import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { NewShareLink } from '@swarmdeck/bff/contract';
import { expect, serverTest, test } from '../fixtures.ts';

interface Budget {
  /** In kB gzip: what a browser loads before the page and its map show data, with English texts. */
  first: number;
  /** The same with German texts. */
  german: number;
  /** In kB gzip: what the page loads after that, within 20 s. Land and places are in it. */
  later: number;
}

/** By the paths of `web/src/app/pages.ts`. A page may only become smaller: lower its row then. */
const budgets: Record<string, Budget> = {
  '/': { first: 188, german: 188, later: 241 },
  '/devices/:id': { first: 222, german: 224, later: 278 },
  '/swarms': { first: 177, german: 178, later: 89 },
  '/swarms/:id': { first: 226, german: 228, later: 187 },
  '/swarms/:id/map': { first: 227, german: 228, later: 217 },
  '/discover': { first: 171, german: 173, later: 87 },
  '/map': { first: 219, german: 220, later: 225 },
  '/import': { first: 205, german: 207, later: 78 },
  '/invite': { first: 198, german: 200, later: 78 },
  '/join/:code': { first: 187, german: 189, later: 78 },
  '/share': { first: 137, german: 138, later: 117 },
  '/invitations': { first: 197, german: 199, later: 88 },
  '/account': { first: 178, german: 180, later: 127 },
  '/activity': { first: 187, german: 190, later: 83 },
  '/operator': { first: 172, german: 174, later: 87 },
  '/sign-in': { first: 154, german: 155, later: 362 },
  '/view': { first: 152, german: 153, later: 196 },
  '*': { first: 137, german: 138, later: 1 },
};
const laterBudget = 60_000;
/** Of what each page loads after its first view. */
const everywhereBudget = 95_000;
const dist = join(import.meta.dirname, '../../web/dist');

interface Listed {
  texts: Record<string, string[]>;
  pages: { path: string; files: string[]; texts: Record<string, string[]>; mapFiles: string[] }[];
}

/** The list of `preload-list.plugin.ts`. */
function listIn(html: string): Listed {
  const [, list = ''] = /name="preload" content="([^"]*)"/.exec(html) ?? [];
  return JSON.parse(list.replaceAll('&quot;', '"').replaceAll('&amp;', '&')) as Listed;
}

/**
 * The text of each file that a browser loads for a page before its map asks for devices: what the HTML names, what
 * `boot.js` preloads, and their static imports.
 */
async function firstFilesOf(origin: string, path = '/', language = 'en'): Promise<Map<string, string>> {
  const html = await (await fetch(origin)).text();
  const { texts, pages } = listIn(html);
  const page = pages.find((one) => one.path === path)!;
  return withImports(origin, [
    ...namedIn(html),
    ...texts[language]!,
    ...(page.texts[language] ?? []),
    ...page.files,
    ...page.mapFiles,
  ]);
}

/** Of each file of the build once: pages share most of them. */
const sizes = new Map<string, number>();
function sizeOf(path: string, content: string | Buffer): number {
  const size = sizes.get(path) ?? gzipSync(content, { level: 9 }).length;
  sizes.set(path, size);
  return size;
}

const gzipped = (files: Map<string, string>) =>
  [...files].reduce((sum, [path, text]) => sum + sizeOf(path, text), 0) / 1000;

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

test(
  'no page loads more than its budget, and one without a session nothing that only users need',
  { tag: '@page' },
  async ({ browser, context, server, user }) => {
    test.slow();
    const { origin } = server;
    const device = await user.add({ name: 'Buoy 1', machine_type: 'bug', position: { longitude: 10, latitude: 54 } });
    const swarm = await user.createSwarm({ name: 'Harbour', description: 'Wind', public: true });
    await user.join(swarm, { resource_id: device.id, resource_type: 'producer' });
    await server.command('user', 'role', user.name, 'operator');
    const link = await user.createLink(swarm);
    const sent = await context.request.post(`${origin}/api/resources/${device.id}/share-links`, {
      data: { name: 'Pick-up', expires_at: new Date(Date.now() + 24 * 3600_000).toISOString() },
      headers: { origin },
    });
    const shown = (await sent.json()) as NewShareLink;
    const opened: Record<string, string> = {
      '/devices/:id': `/devices/${device.id}`,
      '/swarms/:id': `/swarms/${swarm.id}`,
      '/swarms/:id/map': `/swarms/${swarm.id}/map`,
      '/invite': `/invite?swarm=${swarm.id}`,
      '/join/:code': new URL(link.url).pathname,
      '/view': shown.url,
      '*': '/no-such-page',
    };
    const withoutSession = new Set(['/sign-in', '/view', '*']);
    const { pages } = listIn(await (await fetch(origin)).text());
    expect(pages.map(({ path }) => path).toSorted()).toEqual(Object.keys(budgets).toSorted());
    const signedIn = await context.storageState();
    const rows: string[] = [];
    const over: string[] = [];
    const measure = async (path: string) => {
      const first = await firstFilesOf(origin, path);
      const measured = {
        first: gzipped(first),
        german: gzipped(await firstFilesOf(origin, path, 'de')),
        ...(await later({
          url: new URL(opened[path] ?? path, origin).href,
          isPublic: withoutSession.has(path),
          first,
        })),
      };
      const budget = budgets[path]!;
      for (const key of ['first', 'german', 'later'] as const)
        if (measured[key] > budget[key])
          over.push(`${path} ${key}: ${measured[key].toFixed(1)} kB, budget ${budget[key]}`);
      const kB = (size: number) => size.toFixed(1).padStart(8);
      const columns = [kB(measured.first), kB(measured.german), String(first.size).padStart(6), kB(measured.later)];
      rows.push(path.padEnd(18) + [...columns, measured.files].join(' '));
    };
    // Each page mostly waits, so several are open at a time.
    const waiting = pages.map(({ path }) => path);
    const measureNext = async (): Promise<void> => {
      const path = waiting.shift();
      if (path === undefined) return;
      await measure(path);
      await measureNext();
    };
    await Promise.all(Array.from({ length: 6 }, measureNext));
    console.log(`kB gzip            English   German  files    later files\n${rows.join('\n')}`);
    expect(over).toEqual([]);

    /** What the page loads within 19 s. Its clock waits for each answer, and nothing is preloaded before 20 s. */
    async function later({ url, isPublic, first }: { url: string; isPublic: boolean; first: Map<string, string> }) {
      await using own = await browser.newContext({ ...(!isPublic && { storageState: signedIn }) });
      await own.clock.install();
      const page = await own.newPage();
      const assets = new Set<string>();
      const open = new Set<unknown>();
      page.on('request', (request) => {
        const { pathname } = new URL(request.url());
        if (pathname.startsWith('/assets/')) assets.add(pathname);
        if (!pathname.endsWith('/events')) open.add(request);
      });
      page.on('requestfinished', (request) => open.delete(request));
      page.on('requestfailed', (request) => open.delete(request));
      const advance = async (seconds: number) => {
        for (let second = 0; second < seconds; second += 1) {
          await page.clock.runFor(1000);
          await expect.poll(() => open.size, { message: url }).toBe(0);
        }
      };
      await page.clock.pauseAt(Date.now() + 60_000); // a busy browser hears of it later
      await page.goto(url);
      await advance(19);
      const found = [...assets].filter((name) => !first.has(name));
      if (isPublic) {
        await advance(30);
        expect(
          [...assets].filter((name) => !first.has(name)),
          url,
        ).toEqual(found);
      }
      const bytes = await Promise.all(found.map(async (name) => sizeOf(name, await readFile(join(dist, name)))));
      const total = bytes.reduce((sum, size) => sum + size, 0);
      return { later: total / 1000, files: String(found.length).padStart(5) };
    }
  },
);

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
      // the land is read beside the page: what it is divided into, and the worker
      if (first.has(pathname) || /\/(?:world\.worker|(?:world\.)?cells)-/.test(pathname)) return route.continue();
      if (!isAsked) early.push(pathname);
      // never answered
      return undefined;
    });
    await page.addInitScript(() => {
      // in the browser of a user, no part that only tests need is loaded
      Object.defineProperty(navigator, 'webdriver', { value: false });
      // as on the slowest machine: short pauses end before any answer comes, and what loads after a longer one comes later
      // (ui/pages/use-is-settled.ts, the notice of a slow server)
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
  const scripts = [...(await firstFilesOf(server.origin))].filter(([path]) => /\/(vendor|index|home|map)-/.test(path));
  expect(scripts).toHaveLength(4);
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
  const later = (await readdir(join(dist, 'assets'))).filter((name) => /^later-(?!devices-|map-)/.test(name));
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
