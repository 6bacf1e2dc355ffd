/**
 * `npm test`: the checks, the tests without a browser, then the journeys in a real Chromium.
 * Ends with the line `N passed, N failed` over all of them. `SWARMDECK_LONG=1` runs the large numbers.
 */
import { join } from 'node:path';
import { provideBrowser } from './browser.ts';
import { readJson, runChecks } from './checks.ts';
import { root, run } from './run.ts';
import { plus, tallyPlaywright, type Tally } from './tally.ts';

const { passed, failed } = plus(await runChecks(), await runJourneys());
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
  const report = join(root, 'test-results/playwright.json');
  const { code } = await run({
    command: process.execPath,
    args: [join(root, 'e2e/node_modules/playwright/cli.js'), 'test', '--config', 'e2e/playwright.config.ts'],
    env: { ...process.env, CHROMIUM_PATH: browser, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    loud: true,
  });
  return tallyPlaywright({ report: readJson(report), code });
}
