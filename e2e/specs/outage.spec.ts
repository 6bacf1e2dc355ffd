import { expectAccessible } from '../accessibility.ts';
import { expect, test } from '../fixtures.ts';

test(
  'a filter that gets no response finds devices that were loaded, and says so',
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
    await step('the loaded devices are filtered, with a message', async () => {
      await home.toggle('PC');
      await expect(home.loadedRows).toBeVisible();
      await expect(home.row('Harbour hub 12')).toBeVisible();
      await expect(home.row('Buoy 7')).toBeHidden();
      await expect(home.chip('PC')).toHaveAttribute('aria-pressed', 'true');
    });
    await step('nothing useful is covered or moved', async () => {
      await expect(shell.outage).toBeVisible();
      await home.zoomIn.click();
      await expect(home.addButton).toBeInViewport({ ratio: 1 });
    });
    await page.unrouteAll({ behavior: 'wait' });
    await step('the message goes when the server responds again', async () => {
      await expect(home.loadedRows).toBeHidden();
      await expect(home.row('Buoy 7')).toBeHidden();
      await expect(home.row('Harbour hub 12')).toBeVisible();
    });
  },
);

test(
  'unsaved changes survive the question about leaving while the server is unreachable',
  { tag: ['@once', '@page'] },
  async ({ page, user, device, shell, step }) => {
    const { id } = await user.add({ name: 'Tide gauge', machine_type: 'bug' });
    await device.open(id);
    await device.form.name.fill('Tide gauge north');
    await page.route(/\/(api|assets)\//, (route) => route.abort());
    await step('leaving asks for confirmation', async () => {
      await shell.destination('Account').click();
      await expect(device.leaveDialog).toBeVisible();
    });
    await step('staying keeps the changes', async () => {
      await device.stay();
      await expect(device.form.name).toHaveValue('Tide gauge north');
    });
    await page.unrouteAll({ behavior: 'wait' });
    await device.save();
    await expect(device.heading).toHaveText('Tide gauge north');
  },
);

test(
  'offline is announced at once, pages do not blame the app, and a rename is saved when the connection returns',
  { tag: ['@once', '@page'] },
  async ({ context, user, home, device, swarms, shell, layout, step }) => {
    const { id } = await user.add({ name: 'Tide gauge', machine_type: 'bug' });
    await user.add({ name: 'Buoy 7', machine_type: 'bug' });
    await home.open();
    await home.showList();
    await home.select('Buoy 7');
    await home.openSelected();
    await expect(device.heading).toHaveText('Buoy 7');
    await device.back();
    await home.showList();
    await home.select('Tide gauge');
    await expect(home.card).toContainText('Tide gauge');
    await step('the notice appears with the loss, and nothing covers its button', async () => {
      // code that loads later would fail offline
      await expect(shell.settled).toBeAttached();
      await layout.ready();
      await context.setOffline(true);
      await expect(shell.offline).toBeVisible();
      await shell.retry();
    });
    await step('the page of the device of the card opens', async () => {
      await home.openSelected();
      await expect(device.form.name).toHaveValue('Tide gauge');
      await device.back();
      await expect(home.card).toContainText('Tide gauge');
    });
    await step('a page that is not loaded says why, and opens by itself', async () => {
      await shell.destination('Swarms').click();
      await expect(shell.pageError).toContainText(/could not be loaded|can’t be reached/);
      await expect(shell.offline).toBeVisible();
      await context.setOffline(false);
      await expect(swarms.heading).toHaveText('Swarms');
      await expect(shell.offline).toHaveCount(0);
    });
    await step('a rename is saved when the connection returns', async () => {
      await device.open(id);
      await expect(device.form.name).toHaveValue('Tide gauge');
      await context.setOffline(true);
      await expect(shell.offline).toBeVisible();
      await device.form.name.fill('Tide gauge north');
      await device.save();
      await expect(shell.waiting).toHaveText('1 waiting');
      await context.setOffline(false);
      await expect(shell.waiting).toHaveCount(0);
      await expect(device.heading).toHaveText('Tide gauge north');
    });
  },
);

test(
  'a grey button says why it does not work offline, where it is pressed',
  { tag: '@once' },
  async ({ page, context, user, invite, device, shell, layout, step }) => {
    const { id } = await user.add({ name: 'Silo sensor 5', machine_type: 'bug' });
    await step('on a page', async () => {
      await invite.open();
      // code that loads later, as that of the notice, would fail offline
      await expect(shell.settled).toBeAttached();
      await layout.ready();
      await context.setOffline(true);
      await expect(shell.offline).toBeVisible();
      await invite.sendButton.click({ force: true });
      await expect(shell.whyOffline).toBeVisible();
      // not twice
      await invite.sendButton.click({ force: true });
      await expect(shell.whyOffline).toHaveCount(1);
      await context.setOffline(false);
    });
    await step('in a dialog', async () => {
      await device.open(id);
      await device.startDestroying();
      await expect(shell.dialog).toBeVisible();
      await expect(shell.whyOfflineInDialog).toBeHidden();
      await context.setOffline(true);
      await expect(shell.whyOfflineInDialog).toBeVisible();
      await expectAccessible({ page, title: 'offline dialog' });
    });
  },
);

test(
  'a dialog whose styles fail to load breaks no page, and opens with them when they arrive',
  { tag: ['@once', '@clock', '@page'] },
  async ({ page, user, home, shell }) => {
    await user.add({ name: 'Buoy 7', machine_type: 'bug' });
    await home.open();
    await expect(home.row('Buoy 7')).toBeVisible();
    const refused: string[] = [];
    await page.route('**/assets/*.css', (route) => {
      refused.push(route.request().url());
      return route.abort();
    });
    const arrived = new Set<string>();
    page.on('response', (response) => response.ok() && arrived.add(response.url()));
    await home.addButton.click();
    await expect(shell.reloadToast).toBeVisible();
    await expect(home.row('Buoy 7')).toBeVisible();
    await page.unrouteAll({ behavior: 'wait' });
    await page.clock.runFor(11_000);
    await expect(shell.dialog).toHaveAccessibleName('Add a device');
    await expect(home.addForm.name).toBeVisible();
    await expect(shell.reloadToast).toBeHidden();
    // Those of other parts, which load in the background, arrive when they are needed.
    await expect.poll(() => refused.some((url) => arrived.has(url))).toBe(true);
  },
);

test(
  'a dialog whose code fails to load breaks no page, and a toast offers to reload',
  { tag: ['@long', '@once', '@page'] },
  async ({ page, user, home, shell }) => {
    await user.add({ name: 'Buoy 7', machine_type: 'bug' });
    await home.open();
    await expect(home.row('Buoy 7')).toBeVisible();
    await page.route('**/assets/*.js', (route) => route.abort());
    await home.addButton.click();
    await expect(shell.reloadToast).toBeVisible();
    await expect(home.row('Buoy 7')).toBeVisible();
    await expectAccessible({ page, title: 'toast that offers to reload' });
    await page.unrouteAll({ behavior: 'wait' });
    await shell.reload();
    await expect(shell.reloadToast).toBeHidden();
    await home.addButton.click();
    await expect(shell.dialog).toHaveAccessibleName('Add a device');
  },
);

test(
  'while the server answers late, the page says what it waits for',
  { tag: '@once' },
  async ({ page, user, home, device, step }) => {
    const { id } = await user.add({ name: 'Tide gauge', machine_type: 'bug' });
    const late = Promise.withResolvers<void>();
    let isLate = true;
    await page.route('**/api/map?*', async (route) => {
      if (isLate) await late.promise;
      await route.continue();
    });
    await step('an empty map loads', async () => {
      await home.open();
      await expect(home.row('Tide gauge')).toBeVisible();
      await expect(home.mapLoading).toBeVisible();
      isLate = false;
      late.resolve();
      await expect(home.mapLoading).toBeHidden();
    });
    const filtered = Promise.withResolvers<void>();
    await page.route('**/api/devices?*machine_type=pc*', async (route) => {
      await filtered.promise;
      await route.continue();
    });
    await step('rows of other filters are marked', async () => {
      await home.toggle('PC');
      await expect(home.rowsLoading).toBeVisible();
      await expect(home.row('Tide gauge')).toBeVisible();
      filtered.resolve();
      await expect(home.row('Tide gauge')).toBeHidden();
    });
    await step('a running save cannot be discarded', async () => {
      await device.open(id);
      const saved = Promise.withResolvers<void>();
      await page.route(`**/api/resources/${id}`, async (route) => {
        if (route.request().method() === 'PUT') await saved.promise;
        await route.continue();
      });
      await device.form.name.fill('Tide gauge north');
      await device.save();
      await expect(device.saveButton).toHaveAttribute('aria-busy', 'true');
      await expect(device.discardButton).toHaveAttribute('aria-disabled', 'true');
      saved.resolve();
      await expect(device.heading).toHaveText('Tide gauge north');
    });
  },
);

test(
  'on a wide screen the notice is beside the list, or at the end of a page without a map',
  { tag: ['@long', '@once'] },
  async ({ page, user, home, layout, shell }) => {
    await user.add({ name: 'Buoy 7', machine_type: 'bug' });
    await home.open();
    await expect(home.row('Buoy 7')).toBeVisible();
    await layout.startOutage();
    await expect(layout.outage).toBeVisible();
    const notice = async () => (await layout.outage.boundingBox())!;
    const besideList = async () => {
      const { x, width } = (await home.panel.boundingBox())!;
      return (await notice()).x - x - width;
    };
    await expect.poll(besideList).toBeGreaterThan(0);
    await expect.poll(async () => (await notice()).y).toBeLessThan(100);
    await shell.destination('Account').click();
    await expect(layout.outage).toBeVisible();
    await expect.poll(async () => (await notice()).y).toBeGreaterThan(page.viewportSize()!.height - 200);
  },
);
