/** Requests of a page that fail, or that a test answers instead of the server. */
import type { Page, Route } from 'playwright/test';

/** The app takes a response without it as one of another server. */
const headers = { 'x-swarmdeck': '1' };

/** Answers instead of the server. */
export const answer = (route: Route, json: unknown): Promise<void> => route.fulfill({ json, headers });

/** Answers as the server does after an internal error. */
export function failInside(route: Route): Promise<void> {
  const problem = { type: 'about:blank', title: 'Internal server error', detail: '', code: 'server.failed' };
  const body = JSON.stringify({ ...problem, status: 500, request_id: '' });
  return route.fulfill({ status: 500, contentType: 'application/problem+json', headers, body });
}

/** Answers as a network does in which the user has to sign in first. */
export const answerAsPortal = (route: Route): Promise<void> =>
  route.fulfill({ contentType: 'text/html', body: '<h1>Welcome to our hotel</h1>' });

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
