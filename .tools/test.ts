/**
 * `npm test`: the checks, the tests without a browser, then the journeys in a real Chromium. `--browsers` adds the journey
 * in Firefox and WebKit. Ends with the line `N passed, N failed` over all of them. `SWARMDECK_LONG=1` runs large numbers.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { provideBrowser } from './browser.ts';
import { readJson, runChecks, vitestReport } from './checks.ts';
import { runInOtherBrowsers } from './other-browsers.ts';
import { root, run } from './run.ts';
import { plus, slowestTests, tallyPlaywright, type Tally } from './tally.ts';

const report = join(root, 'test-results/playwright.json');

const checks = await runChecks();
const journeys = await runJourneys();
const others = process.argv.includes('--browsers') ? [await runInOtherBrowsers()] : [];
const { passed, failed } = plus(checks, journeys, ...others);
console.log(`\nThe slowest tests:\n${slowestTests({ vitest: readJson(vitestReport), playwright: readJson(report) })}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function runJourneys(): Promise<Tally> {
  let browser;
  try {
    browser = provideBrowser({ shell: true });
  } catch (error) {
    console.log(`FAIL  journeys: ${error instanceof Error ? error.message : String(error)}`);
    return { passed: 0, failed: 1 };
  }
  rmSync(report, { force: true });
  const { code } = await run({
    command: process.execPath,
    args: [join(root, 'e2e/node_modules/playwright/cli.js'), 'test', '--config', 'e2e/playwright.config.ts'],
    env: { ...process.env, CHROMIUM_PATH: browser, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    loud: true,
  });
  return tallyPlaywright({ report: readJson(report), code });
}
