import { expect, test } from '../fixtures.ts';

test('a filter that nobody answers leaves the list as it was, and says so', async ({
  page,
  user,
  home,
  shell,
  step,
}) => {
  await user.addMany([
    { name: 'Harbour hub 12', machine_type: 'pc' },
    { name: 'Buoy 7', machine_type: 'bug' },
  ]);
  await home.open();
  await expect(home.row('Harbour hub 12')).toBeVisible();
  await expect(home.row('Buoy 7')).toBeVisible();
  await page.route('**/api/**', (route) => route.abort());
  await step('what was there stays, with a word about it', async () => {
    await home.toggle('PC');
    await expect(home.oldList).toBeVisible();
    await expect(home.row('Buoy 7')).toBeVisible();
    await expect(home.chip('PC')).toHaveAttribute('aria-pressed', 'true');
  });
  await step('and nothing that helps is covered or pushed aside', async () => {
    await expect(shell.away).toBeVisible();
    await home.zoomIn.click();
    await expect(home.addButton).toBeInViewport({ ratio: 1 });
  });
  await page.unrouteAll({ behavior: 'wait' });
  await step('and once somebody answers, the filter holds', async () => {
    await expect(home.row('Buoy 7')).toBeHidden();
    await expect(home.row('Harbour hub 12')).toBeVisible();
    await expect(home.oldList).toBeHidden();
  });
});
