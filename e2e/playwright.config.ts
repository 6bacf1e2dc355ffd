import { availableParallelism, loadavg } from 'node:os';
import { defineConfig } from 'playwright/test';
import { browserArguments, findBrowser } from '../.tools/browser.ts';
import { keepFilesInMemory } from '../.tools/files-in-memory.ts';
import { fontEnvironment } from './fonts.ts';

keepFilesInMemory();
const executablePath = findBrowser({ shell: true });
// without a graphics card, drawing on the processor is faster than emulating one
// a page lives too short for TurboFan to pay; Maglev takes 3 % off the time of a renderer
const fewerThreads = ['--in-process-gpu', '--js-flags=--no-opt --single-threaded-gc --min-semi-space-size=16'];
const launchOptions = {
  args: [...browserArguments, '--disable-gpu', ...fewerThreads],
  ...(executablePath && { executablePath }),
};
// one pixel for each CSS pixel: drawing four times as many takes a seventh of the time of a journey
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

// a delayed answer counts as a busy machine
const least = process.env.SWARMDECK_DELAY ? 3 : 1;
/** How many times longer a test takes than on an idle machine: limits should find what hangs, not who else computes. */
const busy = Math.min(5, Math.max(least, (loadavg()[0] ?? 0) / availableParallelism()));

/** Journeys that run on a phone alone. */
const onlyOnPhone =
  /(audience|email|hand-over|offline|passkeys|recovery|second-factor|second-factor-required|share-links|sheet|single-sign-on|swipe|text-size)\.spec\.ts/;
/** Journeys that run on a desk alone. */
const onlyOnDesk =
  /(headers|bundle|stations|keyboard|live|long-names|polling|many|resume|discover|codes|join-links|requests|managers)\.spec\.ts/;
/** Matches a title with this tag, which contains the file too. A file that runs at one size alone needs no tag: none leaves it out. */
const tagged = (tag: string, { except }: { except: RegExp }) => new RegExp(`^(?!.*${except.source}).*${tag}`);

/** `npm test`, which leaves these to the long run: another size, language or fault of what a journey or a test of components shows. */
const isShort = process.env.SWARMDECK_SHORT === '1';
const left = isShort ? [/@long/] : [];

/** Each worker has a server of its own (fixtures.ts), so there is nothing to start here. */
export default defineConfig({
  testDir: 'specs',
  globalSetup: './app-build.setup.ts',
  outputDir: '../test-results/playwright',
  fullyParallel: true,
  forbidOnly: true,
  // enough to keep the processors busy: with two for each they compute in 99 % of the time, and what waits for them fails
  workers: Math.ceil(1.5 * availableParallelism()),
  // no test waits for a duration; those that visit all pages are marked as slow
  timeout: 60_000 * busy,
  expect: { timeout: 20_000 * busy },
  reporter: [
    ['dot'],
    ['json', { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ?? '../test-results/playwright.json' }],
  ],
  use: {
    launchOptions: { ...launchOptions, env: fontEnvironment() },
    contextOptions: { reducedMotion: 'reduce' },
    // `page.route` does not see what a service worker answers; offline.spec.ts allows it
    serviceWorkers: 'block',
    actionTimeout: 20_000 * busy,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    // recording a trace takes a quarter of the time: use `--trace on` to examine one journey
    trace: 'off',
    screenshot: 'only-on-failure',
  },
  projects: [
    // the longest journey comes first, so that no worker waits for it at the end
    {
      name: 'wide-font',
      // its own workers, each with a browser, would start for a journey each
      fullyParallel: false,
      testMatch: /long-names\.spec\.ts$/,
      grepInvert: left,
      use: { ...phone, launchOptions: { ...launchOptions, env: fontEnvironment({ wide: true }) } },
    },
    {
      name: 'desktop',
      // a journey runs at both sizes only if it checks a layout or an input that differs
      grepInvert: [tagged('@phone', { except: onlyOnDesk }), ...left],
      // the wide font on a phone needs the most space
      testIgnore: [onlyOnPhone, ...(isShort ? [/long-names\.spec\.ts/] : [])],
      // a smaller window takes a fifth less processor time; those that check layouts also set other sizes, like 1440 px
      use: { viewport: { width: 1280, height: 720 } },
    },
    {
      name: 'phone',
      // here alone: what needs room, and what a finger does
      grepInvert: [tagged('@once', { except: onlyOnPhone }), ...left],
      testIgnore: [onlyOnDesk],
      use: phone,
    },
  ],
});
