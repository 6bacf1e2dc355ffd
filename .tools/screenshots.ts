/**
 * `npm run screenshots`: writes images of all screens to `screenshots/`, for desktop and phone, light, dark and
 * right-to-left. The screens are listed in e2e/screens.
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
