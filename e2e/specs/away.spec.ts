import { expect, test } from '../fixtures.ts';

test(
  'a filter that nobody answers leaves the list as it was, and says so',
  { tag: '@once' },
  async ({ page, user, home, shell, step }) => {
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
  },
);

test(
  'what is not saved is still there when one is asked about it while nothing arrives',
  { tag: '@once' },
  async ({ page, user, device, shell, step }) => {
    const { id } = await user.add({ name: 'Tide gauge', machine_type: 'bug' });
    await device.open(id);
    await device.form.name.fill('Tide gauge north');
    await page.route(/\/(api|assets)\//, (route) => route.abort());
    await step('leaving asks', async () => {
      await shell.destination('Account').click();
      await expect(device.leaveDialog).toBeVisible();
    });
    await step('and staying keeps it', async () => {
      await device.stay();
      await expect(device.form.name).toHaveValue('Tide gauge north');
    });
    await page.unrouteAll({ behavior: 'wait' });
    await device.save();
    await expect(device.heading).toHaveText('Tide gauge north');
  },
);

test('offline is said at once, pages do not blame the app, and a rename is saved with the connection', async ({
  context,
  user,
  home,
  device,
  swarms,
  shell,
  step,
}) => {
  const { id } = await user.add({ name: 'Tide gauge', machine_type: 'bug' });
  await home.open();
  await expect(home.row('Tide gauge')).toBeVisible();
  await step('the notice comes with the loss, and nothing covers its button', async () => {
    await context.setOffline(true);
    await expect(shell.offline).toBeVisible();
    await shell.retry();
  });
  await step('a page that was not loaded says why, and opens by itself', async () => {
    await shell.destination('Swarms').click();
    await expect(shell.pageFault).toContainText(/could not be loaded|can’t be reached/);
    await expect(shell.offline).toBeVisible();
    await context.setOffline(false);
    await expect(swarms.heading).toHaveText('Swarms');
    await expect(shell.offline).toHaveCount(0);
  });
  await step('a rename is kept and saved when the connection returns', async () => {
    await device.open(id);
    await expect(device.form.name).toHaveValue('Tide gauge');
    await context.setOffline(true);
    await expect(shell.offline).toBeVisible();
    await device.form.name.fill('Tide gauge north');
    await device.save();
    await expect(device.unsent).toBeVisible();
    await context.setOffline(false);
    await expect(device.heading).toHaveText('Tide gauge north');
    await expect(device.unsent).toHaveCount(0);
  });
});

test(
  'a dialog that does not arrive takes no page down, and comes when it can, as it should look',
  { tag: '@once' },
  async ({ page, user, home, shell }) => {
    await page.clock.install();
    await user.add({ name: 'Buoy 7', machine_type: 'bug' });
    await home.open();
    await expect(home.row('Buoy 7')).toBeVisible();
    const refused: string[] = [];
    await page.route('**/assets/**', (route) => {
      refused.push(route.request().url());
      return route.abort();
    });
    const arrived = new Set<string>();
    page.on('response', (response) => response.ok() && arrived.add(response.url()));
    await home.addButton.click();
    await expect.poll(() => refused.some((url) => url.endsWith('.css'))).toBe(true);
    await expect(home.row('Buoy 7')).toBeVisible();
    await page.unrouteAll({ behavior: 'wait' });
    await page.clock.runFor(11_000);
    await expect(shell.dialog).toHaveAccessibleName('Add a device');
    await expect(home.addForm.name).toBeVisible();
    const styles = refused.filter((url) => url.endsWith('.css'));
    await expect.poll(() => styles.filter((url) => !arrived.has(url))).toEqual([]);
  },
);
