import type { Page } from 'playwright/test';
import type { BatchResponse, BatchResponses } from '@swarmdeck/bff/contract';
import { batchOf } from './hold-requests.ts';

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
