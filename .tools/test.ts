/**
 * `npm test`: the checks, the tests without a browser, then the journeys in a real Chromium. `--browsers` adds the journey
 * in Firefox and WebKit, `--release` some journeys against the installed package. Ends with the line `N passed, N failed` over all of them. `SWARMDECK_LONG=1` runs large numbers.
 */
import { join } from 'node:path';
import { readJson, runChecks, vitestReport } from './checks.ts';
import { runInOtherBrowsers } from './other-browsers.ts';
import { runJourneys } from './journeys.ts';
import { root, run } from './run.ts';
import { plus, slowestTests, sumOf } from './tally.ts';
import { testPackage } from './test-package.ts';
import { recordUnstable } from './unstable.ts';

const report = join(root, 'test-results/playwright.json');

// installing browsers waits for the network and uses one core
const [checks] = await Promise.all([runChecks(), installBrowsers()]);
const journeys = await runJourneys({ report });
// the journey in Firefox and WebKit uses half of two cores
const others = await Promise.all([
  ...(process.argv.includes('--browsers') ? [runInOtherBrowsers()] : []),
  ...(process.argv.includes('--release') ? [testPackage()] : []),
]);
const sum = recordUnstable(plus(checks, journeys, ...others));
console.log(`\nThe slowest tests:\n${slowestTests({ vitest: readJson(vitestReport), playwright: readJson(report) })}`);
console.log(`\n${sumOf(sum)}`);
process.exitCode = sum.failed === 0 ? 0 : 1;

/** Whatever cannot be installed is reported by the journeys that need it. */
function installBrowsers() {
  const args = [join(import.meta.dirname, 'install-browsers.ts'), ...process.argv.slice(2)];
  return run({ command: process.execPath, args });
}
