/**
 * `npm test`: the checks and the tests without a browser, then the journeys in a real Chromium. `--browsers` adds the
 * journey in Firefox and WebKit, `--release` some journeys against the installed package. Ends with the line `N passed, N failed` over all of them. `SWARMDECK_LONG=1` runs large numbers, and what is only in the long run.
 */
import { join } from 'node:path';
import { readJson, runChecks, vitestReport } from './checks.ts';
import { runInOtherBrowsers } from './other-browsers.ts';
import { runJourneys } from './journeys.ts';
import { timeFixedWork, watchProcessors } from './machine.ts';
import { root, run } from './run.ts';
import { failedTests, plus, slowestTests, sumOf } from './tally.ts';
import { packageJourneys, testPackage } from './test-package.ts';

const started = performance.now();
// for .vitest.config.ts and e2e/playwright.config.ts, which run everything of a file that is run alone
if (process.env.SWARMDECK_LONG !== '1') process.env.SWARMDECK_SHORT = '1';
const workBefore = await timeFixedWork();
const report = join(root, 'test-results/playwright.json');

const busyWithChecks = watchProcessors();
// preparing and the other browsers mostly wait, and so do many of the tests without a browser; the journeys do not
const [checks, others] = await Promise.all([runChecks(), prepareJourneys().then(runOthers)]);
const ofChecks = busyWithChecks();
const busyWithJourneys = watchProcessors();
// the package has the same files, so what runs against it does not run again
const only = process.argv.includes('--release') ? [`/specs/(?!(${packageJourneys.join('|')})\\.)`] : [];
const journeys = await runJourneys({ report, only });
const ofJourneys = busyWithJourneys();
const sum = plus(checks, journeys, ...others);
const reports = { vitest: readJson(vitestReport), playwright: readJson(report) };
console.log(`\nThe slowest tests:\n${slowestTests(reports)}`);
const workAfter = await timeFixedWork();
const seconds = (performance.now() - started) / 1000;
console.log(
  `\nAll of it took ${seconds.toFixed(0)} s, which is ${(seconds / Math.min(workBefore, workAfter)).toFixed(0)} times a fixed piece of work` +
    ` (${workBefore.toFixed(2)} s before, ${workAfter.toFixed(2)} s after: machine.ts).\n` +
    `The processors computed in ${ofChecks} of the time of the checks, and in ${ofJourneys} of that of the journeys.`,
);
console.log(`\n${sum.failed > 0 ? failedTests(reports) : ''}${sumOf(sum)}`);
process.exitCode = sum.failed === 0 ? 0 : 1;

/** Whatever cannot be installed is reported by the journeys that need it. */
function prepareJourneys() {
  const args = [join(import.meta.dirname, 'prepare-journeys.ts'), ...process.argv.slice(2)];
  return run({ command: process.execPath, args });
}

function runOthers() {
  return Promise.all([
    ...(process.argv.includes('--browsers') ? [runInOtherBrowsers()] : []),
    ...(process.argv.includes('--release') ? [testPackage()] : []),
  ]);
}
