/** Installs the browsers of `npm test` that are missing, in a process of its own beside the checks (test.ts). */
import { provideBrowser } from './browser.ts';
import { installOtherBrowsers } from './other-browsers.ts';

provideBrowser({ shell: true });
if (process.argv.includes('--browsers')) installOtherBrowsers();
