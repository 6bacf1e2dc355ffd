/** Requests of a page that fail. */
import type { Page, Route } from 'playwright/test';

interface Outage {
  /** Lets requests through from the click that `click` makes. Requests before that click have failed. */
  endBy(click: () => Promise<void>): Promise<void>;
}

/**
 * Fails all requests of a path until a click. A page also retries by itself and would recover before the test can try
 * its button, so requests pass only after the page has seen that click.
 */
export async function failUntilClick(options: {
  page: Page;
  path: string;
  fail?: (route: Route) => Promise<void>;
}): Promise<Outage> {
  const { page, path, fail = (route) => route.abort() } = options;
  let hasClicked = async () => false;
  await page.route(path, async (route) => ((await hasClicked()) ? route.continue() : fail(route)));
  return {
    async endBy(click) {
      await page.evaluate(() => {
        const root = document.documentElement;
        addEventListener('click', () => root.setAttribute('data-clicked', ''), { capture: true, once: true });
      });
      hasClicked = () => page.evaluate(() => document.documentElement.hasAttribute('data-clicked'));
      await click();
      hasClicked = async () => true;
    },
  };
}
