import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const web = join(import.meta.dirname, '../web');

/** Builds the app for journeys that share a page (mounted-page.ts). A build of the product deletes this one. */
export default function buildApp() {
  if (process.env['SWARMDECK_COMMAND'] || existsSync(join(web, 'dist/journeys/journeys.html'))) return;
  const vite = join(web, 'node_modules/vite/bin/vite.js');
  const args = [vite, 'build', '--config', 'journeys.vite.config.ts', '--logLevel', 'error'];
  const { status } = spawnSync(process.execPath, args, { cwd: web, stdio: 'inherit' });
  if (status !== 0) throw new Error('The web app could not be built for the journeys.');
}
