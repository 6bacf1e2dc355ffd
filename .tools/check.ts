/** `npm run check`: everything that needs no browser, in seconds. */
import { runChecks } from './checks.ts';
import { sumOf } from './tally.ts';

const sum = await runChecks();
console.log(`\n${sumOf(sum)}`);
process.exitCode = sum.failed === 0 ? 0 : 1;
