import { expect, test } from '../fixtures.ts';
import { DocsPage } from '../pages/docs.page.ts';

test.use({ signedIn: false, mounted: false });

test('the API reference is a public page', { tag: '@once' }, async ({ page, layout, step }) => {
  const docs = new DocsPage(page);
  await step('it has the general rules and every operation', async () => {
    await docs.open();
    await expect(docs.heading).toHaveText('Swarmdeck API');
  });
  await step('an operation links to its schemas', async () => {
    await docs.unfold('POST /resources');
    await expect(docs.section('POST /resources')).toContainText('idempotency-key');
    await docs.goToShape('POST /resources', 'ResourceCreate');
    await expect(page).toHaveURL('/docs#ResourceCreate');
  });
  await step('nothing overflows the page when everything is expanded', async () => {
    await docs.unfoldAll();
    await expect(docs.section('Problem')).toContainText('request_id');
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await expect.poll(() => layout.overflowing(), `at ${width} px`).toEqual([]);
    }
  });
});
