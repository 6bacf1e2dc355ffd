/** What the journeys of `npm test` need, in a process of its own beside the checks (test.ts): browsers, and the build of the app. */
import buildApp from '../e2e/app-build.setup.ts';
import { provideBrowser } from './browser.ts';
import { installOtherBrowsers } from './other-browsers.ts';

buildApp();
provideBrowser({ shell: true });
if (process.argv.includes('--browsers')) installOtherBrowsers();
