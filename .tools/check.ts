/** `npm run check`: everything that needs no browser, in seconds. */
import { runChecks } from './checks.ts';

const { passed, failed } = await runChecks();
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
