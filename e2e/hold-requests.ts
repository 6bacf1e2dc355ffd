import type { BatchRequest } from '@swarmdeck/bff/contract';
import type { Page, Request } from 'playwright/test';

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
