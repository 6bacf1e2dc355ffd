import { harbourFleet } from '../fleet.ts';
import { expect, test } from '../fixtures.ts';

test('a finger drags the sheet of the home page by its header and by its list, and Back returns to the list as it was left', async ({
  page,
  user,
  home,
  sheet,
  step,
}) => {
  await user.addMany(harbourFleet().slice(0, 40));
  await home.open();
  await expect(home.rows.first()).toBeVisible();
  const half = await sheet.height();
  await step('the lowest stop shows the header and leaves the map where it is', async () => {
    await sheet.swipe({ from: home.heading, by: 300 });
    await expect.poll(() => sheet.height()).toBeLessThan(half / 2);
    await expect(home.heading).toBeInViewport();
    await expect(page).toHaveURL(/map=\d/);
    const [, latitude] = new URL(page.url()).searchParams.get('map')!.split('/').map(Number);
    expect(latitude).toBeLessThan(80);
  });
  await step('the list pulls it up before it scrolls', async () => {
    await sheet.handle.click();
    await expect.poll(() => sheet.height()).toBe(half);
    await sheet.swipe({ from: home.rows.nth(2), by: -300 });
    await expect.poll(() => sheet.height()).toBeGreaterThan(half + 100);
    expect(await sheet.scrolled()).toBe(0);
    await sheet.swipe({ from: home.rows.nth(5), by: -300 });
    await expect.poll(() => sheet.scrolled()).toBeGreaterThan(100);
  });
  await step('Back closes a card: same stop, scroll position and row', async () => {
    const [high, scrolled] = [await sheet.height(), await sheet.scrolled()];
    const row = home.rows
      .filter({ has: page.locator('[data-row="9"]') })
      .getByRole('button')
      .first();
    await row.click();
    await expect(home.card).toBeVisible();
    await page.goBack();
    await expect(home.card).toBeHidden();
    await expect(row).toBeFocused();
    expect(await sheet.scrolled()).toBe(scrolled);
    await expect.poll(() => sheet.height()).toBe(high);
  });
  await step('at its top the list pulls the sheet down', async () => {
    await page.goBack();
    await expect.poll(() => sheet.height()).toBe(half);
    await sheet.toTop();
    await sheet.swipe({ from: home.rows.nth(1), by: 250 });
    await expect.poll(() => sheet.height()).toBeLessThan(half / 2);
  });
});
