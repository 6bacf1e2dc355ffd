/**
 * `npm run screenshots`: a picture of every screen, on the desktop and on a phone, light, dark and from right to left,
 * into `screenshots/`. The scenes stand in e2e/screens.
 */
import { join } from 'node:path';
import { provideBrowser } from './browser.ts';
import { root, run } from './run.ts';

const { code } = await run({
  command: process.execPath,
  args: [join(root, 'e2e/node_modules/playwright/cli.js'), 'test', '--config', 'e2e/screenshots.config.ts'],
  env: { ...process.env, CHROMIUM_PATH: provideBrowser({ shell: true }) },
  loud: true,
});
process.exitCode = code;
