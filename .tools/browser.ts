import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { root } from './run.ts';

const shells = ['chromium-headless-shell', 'chrome-headless-shell'];
const browsers = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];
const { chromium } = createRequire(join(root, 'e2e/package.json'))('playwright') as {
  chromium: { executablePath(): string };
};

/** `shell`: prefers the headless shell, which is faster, but renders animations less smoothly. */
interface Wanted {
  shell?: boolean;
}

/**
 * The path of a Chromium that starts: `CHROMIUM_PATH`, Playwright's own, or one on the PATH.
 * One on the PATH may be a stub that only advertises a package, so each is asked for its version.
 */
export function findBrowser({ shell = false }: Wanted = {}): string | undefined {
  const { env } = process;
  const names = shell ? [...shells, ...browsers] : [...browsers, ...shells];
  if (env.CHROMIUM_PATH) return starts(env.CHROMIUM_PATH) ? env.CHROMIUM_PATH : undefined;
  const onPath = (env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  return [chromium.executablePath(), ...onPath].find(starts);
}

/** Finds a Chromium or installs one. Throws with one sentence that says what to do if neither works. */
export function provideBrowser(wanted: Wanted = {}): string {
  const found = findBrowser(wanted);
  if (found) return found;
  if (process.env.CHROMIUM_PATH)
    throw new Error(`CHROMIUM_PATH is ${process.env.CHROMIUM_PATH}, which does not start.`);
  console.log('no Chromium found; installing one, once');
  const packages = wanted.shell ? ['chromium-headless-shell', 'chromium'] : ['chromium'];
  for (const install of [...packages.map((name) => () => installByApt(name)), installByPlaywright]) {
    install();
    const installed = findBrowser(wanted);
    if (installed) return installed;
  }
  throw new Error(
    'No Chromium could be found or installed: install one, or name it in CHROMIUM_PATH, and run this again.',
  );
}

/** What Chromium needs to run as root and offline. */
export const browserArguments = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Finds programs on the PATH; installs Debian's packages as root if one is missing. Throws with one sentence if a
 * program is missing after that. Returns the paths in the same order.
 */
export function providePrograms({ programs, packages }: { programs: string[]; packages: string[] }): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const find = () => programs.map((name) => folders.map((folder) => join(folder, name)).find(isExecutable));
  if (find().includes(undefined)) {
    console.log(`installing ${packages.join(', ')}, once`);
    installByApt(...packages);
  }
  return find().map((path, index) => {
    if (path) return path;
    throw new Error(`There is no ${programs[index]}. Install the packages ${packages.join(', ')}.`);
  });
}

function isExecutable(path: string) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function starts(path: string) {
  return spawnSync(path, ['--version'], { timeout: 20_000 }).status === 0;
}

function installByApt(...names: string[]) {
  if (process.getuid?.() !== 0) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args: string[]) => spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  apt('update', '-q');
  apt('install', '-y', '-q', '--no-install-recommends', ...names);
}

function installByPlaywright() {
  const cli = join(root, 'e2e/node_modules/playwright/cli.js');
  spawnSync(process.execPath, [cli, 'install', 'chromium'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}
