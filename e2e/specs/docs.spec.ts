import { expect, test } from '../fixtures.ts';
import { DocsPage } from '../pages/docs.page.ts';

test.use({ signedIn: false });

test('the API is read as a page, by whoever comes', async ({ page, layout, step }) => {
  const docs = new DocsPage(page);
  await step('what holds for all, and every operation', async () => {
    await docs.open();
    await expect(docs.heading).toHaveText('API of Swarmdeck');
  });
  await step('an operation leads to its shapes', async () => {
    await docs.unfold('POST /resources');
    await expect(docs.section('POST /resources')).toContainText('idempotency-key');
    await docs.goToShape('POST /resources', 'ResourceCreate');
    await expect(page).toHaveURL('/docs#ResourceCreate');
  });
  await step('everything unfolded is inside of the page', async () => {
    await docs.unfoldAll();
    await expect(docs.section('Problem')).toContainText('request_id');
    expect(await layout.overflowing()).toEqual([]);
  });
});
