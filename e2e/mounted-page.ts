import type { Browser, BrowserContext, Page } from 'playwright/test';
import { watchForFaults, type Faults } from './faults.ts';
import { chooseLongestUndoTime } from './undo-time.ts';

declare global {
  interface Window {
    /** web/src/journeys.ts */
    journeys: {
      open(url: string): Promise<void>;
      reload(): Promise<void>;
      close(): Promise<void>;
      hasUnsavedInput(): boolean;
    };
  }
}

/**
 * One page for many journeys. Its document is that of web/src/journeys.ts, which mounts the app again where a browser
 * would load it again, which takes most of the processor time of a journey.
 */
export interface MountedPage {
  context: BrowserContext;
  page: Page;
  faults: Faults;
  /** Makes the page like a new one. Returns false if it cannot be used again. */
  reset(): Promise<boolean>;
  close(): Promise<void>;
}

interface Wanted {
  browser: Browser;
  origin: string;
  clock: boolean;
  /** The origin of a provider of single sign-on. */
  provider?: string | undefined;
  /** Whether canvases are on the screen. */
  showsCanvases?: boolean;
}

export async function openContext({ browser, origin, clock, provider, showsCanvases = false }: Wanted) {
  const context = await browser.newContext();
  if (!showsCanvases) await context.addInitScript(leaveOutCanvases);
  // before a document is loaded: timers from before could not be advanced or cleared
  if (clock) await context.clock.install();
  await chooseLongestUndoTime(context);
  return { context, faults: await watchForFaults({ context, origin, provider }) };
}

/**
 * Draws no canvas on the screen, as no journey looks at its pixels: that takes a quarter of the processor time of a page with a map.
 * What a canvas contains, and where it is, stays the same.
 */
function leaveOutCanvases() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('canvas { opacity: 0 }');
  document.adoptedStyleSheets.push(sheet);
}

/** A page for one journey, which is loaded as users do: the installed package has no entry for mounting. */
export async function openOwnPage(wanted: Wanted): Promise<MountedPage> {
  const { context, faults } = await openContext(wanted);
  const page = await context.newPage();
  return { context, page, faults, reset: async () => false, close: () => context.close() };
}

export async function openMountedPage(
  wanted: Wanted & { reducedMotion: 'reduce' | 'no-preference' },
): Promise<MountedPage> {
  const { origin, reducedMotion, clock } = wanted;
  const { context, faults } = await openContext(wanted);
  const page = await context.newPage();
  const size = page.viewportSize();
  const entry = `${origin}/journeys/journeys.html`;
  await page.goto(entry);
  const loads = { goto: page.goto.bind(page), reload: page.reload.bind(page) };
  const canMount = () => page.evaluate(() => 'journeys' in window);
  // what a script at the start of a document does, mounting does not repeat
  let needsLoading = false;
  const addInitScript = page.addInitScript.bind(page);
  page.addInitScript = (...parameters) => {
    needsLoading = true;
    return addInitScript(...parameters);
  };
  // it cannot be uninstalled, and the journeys that follow would have it too
  page.clock.install = () => Promise.reject(new Error('a journey with a clock has the tag `@clock`'));
  // a document has the texts of one language
  let language = 'en';
  async function speak(asked: string) {
    language = asked;
    const answer = await page.request.get(entry);
    const policy = 'content-security-policy';
    const headers = { 'content-type': 'text/html', [policy]: answer.headers()[policy]! };
    const direction = asked === 'en-XR' ? 'rtl' : 'ltr';
    const body = (await answer.text()).replace('lang="en" dir="ltr"', `lang="${asked}" dir="${direction}"`);
    await page.route(entry, (route) => route.fulfill({ headers, body }), { times: 1 });
    await loads.goto(entry);
  }
  page.goto = async (url, options) => {
    if (needsLoading || url === 'about:blank' || !(await canMount())) {
      needsLoading = true;
      return loads.goto(url, options);
    }
    const asked = /[?&]lang=([\w-]+)/.exec(url)?.[1] ?? language;
    if (asked !== language) await speak(asked);
    await page.evaluate((to) => window.journeys.open(to), url);
    return null;
  };
  page.reload = async (options) => {
    if (needsLoading || !(await canMount())) return loads.reload(options);
    await page.evaluate(() => window.journeys.reload());
    return null;
  };
  return {
    context,
    page,
    faults,
    async reset() {
      if (needsLoading || language !== 'en' || page.isClosed() || !(await canMount())) return false;
      await page.evaluate(() => window.journeys.close());
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await context.unrouteAll({ behavior: 'ignoreErrors' });
      for (const other of context.pages()) if (other !== page) await other.close();
      await context.clearCookies();
      await context.clearPermissions();
      await context.setOffline(false);
      await page.evaluate(async () => {
        localStorage.clear();
        sessionStorage.clear();
        localStorage.setItem('undo_seconds', '60');
        for (const name of await caches.keys()) await caches.delete(name);
        if (document.fullscreenElement) await document.exitFullscreen();
      });
      await page.emulateMedia({ media: null, colorScheme: 'light', forcedColors: 'none', reducedMotion });
      if (size) await page.setViewportSize(size);
      await page.mouse.move(0, 0);
      for (const event of ['request', 'response', 'dialog', 'console', 'download', 'pageerror'] as const)
        page.removeAllListeners(event);
      if (clock) await page.clock.setSystemTime(new Date());
      faults.clear();
      return true;
    },
    close: () => context.close(),
  };
}
