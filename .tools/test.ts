/**
 * `npm test`: the checks, the tests without a browser, then the journeys in a real Chromium. `--browsers` adds the journey
 * in Firefox and WebKit, `--release` some journeys against the installed package. Ends with the line `N passed, N failed` over all of them. `SWARMDECK_LONG=1` runs large numbers.
 */
import { join } from 'node:path';
import { readJson, runChecks, vitestReport } from './checks.ts';
import { runInOtherBrowsers } from './other-browsers.ts';
import { runJourneys } from './journeys.ts';
import { root } from './run.ts';
import { plus, slowestTests, sumOf } from './tally.ts';
import { testPackage } from './test-package.ts';

const report = join(root, 'test-results/playwright.json');

const checks = await runChecks();
const journeys = await runJourneys({ report });
const others = process.argv.includes('--browsers') ? [await runInOtherBrowsers()] : [];
const installed = process.argv.includes('--release') ? [await testPackage()] : [];
const sum = plus(checks, journeys, ...others, ...installed);
console.log(`\nThe slowest tests:\n${slowestTests({ vitest: readJson(vitestReport), playwright: readJson(report) })}`);
console.log(`\n${sumOf(sum)}`);
process.exitCode = sum.failed === 0 ? 0 : 1;
