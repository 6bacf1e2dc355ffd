import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const web = join(root, 'web');

/**
 * Builds the app if it has changed, and the one for journeys that share a page (mounted-page.ts). A build of the product
 * deletes that one.
 */
export default function buildApp() {
  if (process.env['SWARMDECK_COMMAND']) return;
  run(root, join(root, '.tools/prepare.mjs'));
  if (existsSync(join(web, 'dist/journeys/journeys.html'))) return;
  const vite = join(web, 'node_modules/vite/bin/vite.js');
  run(web, vite, 'build', '--config', 'journeys.vite.config.ts', '--logLevel', 'error');
}

function run(cwd: string, ...args: string[]) {
  const { status } = spawnSync(process.execPath, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error('The web app could not be built for the journeys.');
}
