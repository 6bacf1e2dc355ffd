/** `npm run test:browsers`: a short journey in Firefox and in WebKit. */
import { runInOtherBrowsers } from './other-browsers.ts';

const { passed, failed } = await runInOtherBrowsers();
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
