import type { Page, Route } from 'playwright/test';

interface Absence {
  /** Ends with the click that `act` makes: what the page asked by itself until then has failed. */
  endBy(act: () => Promise<void>): Promise<void>;
}

/**
 * What is asked at a path fails until somebody clicks. A page tries again by itself, too, and would be back before
 * anybody comes to try its button: so each request is let through by whether the page has seen that click.
 */
export async function takeAway(options: {
  page: Page;
  path: string;
  fail?: (route: Route) => Promise<void>;
}): Promise<Absence> {
  const { page, path, fail = (route) => route.abort() } = options;
  let hasClicked = async () => false;
  await page.route(path, async (route) => ((await hasClicked()) ? route.continue() : fail(route)));
  return {
    async endBy(act) {
      await page.evaluate(() => {
        const root = document.documentElement;
        addEventListener('click', () => root.setAttribute('data-clicked', ''), { capture: true, once: true });
      });
      hasClicked = () => page.evaluate(() => document.documentElement.hasAttribute('data-clicked'));
      await act();
      hasClicked = async () => true;
    },
  };
}
