/** Requests of a page that fail, wait or take longer. */
import type { BatchRequest, BatchResponse, BatchResponses } from '@swarmdeck/bff/contract';
import type { Page, Request, Route } from 'playwright/test';

/**
 * Lets a few requests of a page through and holds the others. Returns a function that makes the held ones fail:
 * closing the page would release them to the server.
 */
export async function holdRequestsAfter(options: { page: Page; path: string; method: string; few: number }) {
  const { page, path, method, few } = options;
  const dropped = Promise.withResolvers<void>();
  let through = 0;
  await page.route(path, async (route) => {
    if (route.request().method() !== method) return route.continue();
    through += 1;
    if (through <= few) return route.continue();
    await dropped.promise;
    return route.abort();
  });
  return async () => {
    const failed = page.waitForEvent('requestfailed');
    dropped.resolve();
    await failed;
  };
}

/** The writes in a request to `/api/batch`. */
export const batchOf = (request: Request) => (request.postDataJSON() as { requests: BatchRequest[] }).requests;

/** Each batch takes longer by some milliseconds, so that the progress of a job can be seen. */
export const slowDownBatches = (page: Page, ms: number) =>
  page.route('**/api/batch', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    await route.continue().catch(() => undefined);
  });

/** One write of the page's next batch fails as if the disk were full: the one of `path`, by default the first. */
export async function failOnceInBatch({ page, path }: { page: Page; path?: string }) {
  const problem = { type: 'about:blank', title: 'x', status: 507, code: 'storage.full', detail: 'The disk is full.' };
  const failed: BatchResponse = { status: 507, body: JSON.stringify(problem) };
  await page.route(
    '**/api/batch',
    async (route) => {
      const requests = batchOf(route.request());
      const index = path === undefined ? 0 : requests.findIndex((request) => request.path === path);
      const response = await route.fetch({ postData: { requests: requests.toSpliced(index, 1) } });
      const { responses } = (await response.json()) as BatchResponses;
      await route.fulfill({ response, json: { responses: responses.toSpliced(index, 0, failed) } });
    },
    { times: 1 },
  );
}

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
