import { join } from 'node:path';
import { playIn } from '../e2e/browsers/play.ts';
import { startFirefox, startWebKit, type WebDriver } from '../e2e/browsers/webdriver.ts';
import { providePrograms } from './browser.ts';
import { root } from './run.ts';
import { plus, type Tally } from './tally.ts';

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

/** Installs the browsers that are missing. Says nothing of one that cannot be installed: the journey's run does. */
export function installOtherBrowsers() {
  for (const provide of Object.values(browsers)) startOf<unknown>(provide, () => {});
}

/** Runs the journey in all browsers at once. A browser that cannot be installed counts as failed. */
export async function runInOtherBrowsers(): Promise<Tally> {
  const started = performance.now();
  const journeys = Object.entries(browsers).map(([name, provide]) => {
    const say = (sign: string, what: string) =>
      console.log(`${sign} ${name}: ${what} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
    return { say, start: startOf(provide, (message) => say('FAIL ', `not tested. ${message}`)) };
  });
  return plus(...(await Promise.all(journeys.map(run))));
}

interface Journey {
  /** Undefined if the browser cannot be installed. */
  start: (() => Promise<WebDriver>) | undefined;
  say(sign: string, what: string): void;
}

async function run({ start, say }: Journey): Promise<Tally> {
  if (!start) return { passed: 0, failed: 1 };
  try {
    const version = await playIn({ start, pictures: join(root, 'test-results/browsers') });
    say('  ok ', `the journey in ${version}`);
    return { passed: 1, failed: 0 };
  } catch (error) {
    say('FAIL ', messageOf(error));
    return { passed: 0, failed: 1 };
  }
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
