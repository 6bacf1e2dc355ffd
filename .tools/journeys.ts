import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { provideBrowser } from './browser.ts';
import { readJson } from './checks.ts';
import { root, run } from './run.ts';
import { tallyPlaywright, type Tally } from './tally.ts';

/** Runs journeys in Chromium, all without `only`. `report`: the file for Playwright's results. */
export async function runJourneys(options: {
  report: string;
  only?: string[];
  env?: NodeJS.ProcessEnv;
}): Promise<Tally> {
  const { report, only = [], env = process.env } = options;
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
    args: [join(root, 'e2e/node_modules/playwright/cli.js'), 'test', '--config', 'e2e/playwright.config.ts', ...only],
    env: { ...env, CHROMIUM_PATH: browser, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    loud: true,
  });
  return tallyPlaywright({ report: readJson(report), code });
}
