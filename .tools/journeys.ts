import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { provideBrowser } from './browser.ts';
import { readJson } from './checks.ts';
import { root, run } from './run.ts';
import { repeatFailed, repeats, tallyPlaywright, type Tally } from './tally.ts';

/**
 * Runs journeys in Chromium, all without `only`. `report`: the file for Playwright's results. `repeatsFailed`: whether a
 * failed journey runs again and may pass then.
 */
export async function runJourneys(options: {
  report: string;
  only?: string[];
  env?: NodeJS.ProcessEnv;
  repeatsFailed?: boolean;
}): Promise<Tally> {
  const { report, only = [], env = process.env, repeatsFailed = true } = options;
  let browser;
  try {
    browser = provideBrowser({ shell: true });
  } catch (error) {
    console.log(`FAIL  journeys: ${error instanceof Error ? error.message : String(error)}`);
    return { passed: 0, failed: 1 };
  }
  const runOnce = async (file: string, ...args: string[]) => {
    rmSync(file, { force: true });
    const { code } = await run({
      command: process.execPath,
      args: [join(root, 'e2e/node_modules/playwright/cli.js'), 'test', '--config', 'e2e/playwright.config.ts', ...args],
      env: { ...env, CHROMIUM_PATH: browser, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
      loud: true,
    });
    return tallyPlaywright({ report: readJson(file), code });
  };
  const first = await runOnce(report, ...only);
  if (!repeatsFailed) return first;
  const again = report.replace('.json', '-again.json');
  // without the size in brackets
  const patternOf = (title: string) => title.replace(/ \([\w-]+\)$/, '').replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  const repeat = (titles: string[]) =>
    runOnce(again, ...only, '--grep', titles.map(patternOf).join('|'), `--repeat-each=${repeats}`, '--max-failures=1');
  return repeatFailed({ first, report: readJson(report), repeat });
}
