import { join } from 'node:path';
import { playIn } from '../e2e/browsers/play.ts';
import { startFirefox, startWebKit } from '../e2e/browsers/webdriver.ts';
import { providePrograms } from './browser.ts';
import { root } from './run.ts';
import type { Tally } from './tally.ts';

const browsers = {
  Firefox() {
    const [firefox = ''] = providePrograms({ programs: ['firefox-esr'], packages: ['firefox-esr'] });
    return () => startFirefox(firefox);
  },
  WebKit() {
    const programs = ['WebKitWebDriver', 'Xvfb'];
    const [driver = '', display = ''] = providePrograms({ programs, packages: ['webkit2gtk-driver', 'xvfb'] });
    return () => startWebKit({ driver, display });
  },
};

/** Runs the journey in each browser. A browser that cannot be installed counts as failed. */
export async function runInOtherBrowsers(): Promise<Tally> {
  const tally: Tally = { passed: 0, failed: 0 };
  for (const [name, provide] of Object.entries(browsers)) {
    const started = performance.now();
    const say = (sign: string, what: string) =>
      console.log(`${sign} ${name}: ${what} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
    const start = startOf(provide, (message) => say('FAIL ', `not tested. ${message}`));
    if (!start) {
      tally.failed += 1;
      continue;
    }
    try {
      const version = await playIn({ start, pictures: join(root, 'test-results/browsers') });
      say('  ok ', `the journey in ${version}`);
      tally.passed += 1;
    } catch (error) {
      say('FAIL ', messageOf(error));
      tally.failed += 1;
    }
  }
  return tally;
}

function startOf<Start>(provide: () => Start, onMissing: (message: string) => void): Start | undefined {
  try {
    return provide();
  } catch (error) {
    onMissing(messageOf(error));
    return undefined;
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
