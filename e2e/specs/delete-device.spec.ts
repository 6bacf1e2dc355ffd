import { runPending } from '../actions.ts';
import { expect, test } from '../fixtures.ts';

test.use({ clock: true });

test(
  'deleting a device waits ten seconds and can be undone',
  { tag: '@once' },
  async ({ page, user, home, device, shell, step }) => {
    const { id } = await user.add({ name: 'Silo sensor 5', machine_type: 'bug' });
    await step('the dialog says what will be deleted', async () => {
      await device.open(id);
      await device.startDestroying();
      await expect(device.destroyDialog).toContainText('Silo sensor 5');
      await expect(device.destroyDialog).toContainText('It is not in a swarm.');
    });
    await page.keyboard.press('Escape');
    await step('the toast counts down', async () => {
      await device.destroy();
      await expect(shell.undoToasts).toContainText('Deleting Silo sensor 5');
      await expect(home.row('Silo sensor 5')).toContainText('Deleting');
    });
    await step('after Undo nothing has happened', async () => {
      await shell.undo();
      await page.clock.runFor(15_000);
      await expect(shell.undoToasts).not.toContainText('Silo sensor 5');
      await expect(home.row('Silo sensor 5')).not.toContainText('Deleting');
    });
    expect((await page.request.get(`/api/resources/${id}`)).status()).toBe(200);
  },
);

test(
  'the page of a device that is being deleted says so and offers Undo',
  { tag: ['@long', '@once'] },
  async ({ page, user, device, shell, step }) => {
    const { id } = await user.add({ name: 'Silo sensor 6', machine_type: 'bug' });
    await device.open(id);
    await device.destroy();
    await shell.undoToasts.hover();
    await page.goBack();
    await step('nothing on it can be changed or deleted again', async () => {
      await expect(device.beingDestroyed).toBeVisible();
      await expect(device.form.name).not.toBeEditable();
      await expect(device.saveButton).toHaveCount(0);
    });
    await device.takeBack();
    await page.clock.runFor(15_000);
    await expect(device.beingDestroyed).toBeHidden();
    await expect(device.form.name).toBeEditable();
    expect((await page.request.get(`/api/resources/${id}`)).status()).toBe(200);
  },
);

test(
  'the dialog names every swarm that the device leaves',
  { tag: ['@long', '@once'] },
  async ({ user, device, step }) => {
    const { id } = await user.add({ name: 'Silo sensor 11', machine_type: 'bug' });
    const names = ['Harbour weather', 'River levels'];
    for (const name of names) {
      const swarm = await user.createSwarm({ name, description: '' });
      await user.join(swarm, { resource_id: id, resource_type: 'both' });
    }
    await step('with their number', async () => {
      await device.open(id);
      await device.startDestroying();
      await expect(device.destroyDialog).toContainText('It is also removed from these 2 swarms:');
      for (const name of names) await expect(device.destroyDialog).toContainText(name);
    });
  },
);

test(
  'a device is deleted when the countdown ends',
  { tag: ['@long', '@once'] },
  async ({ page, user, home, device, shell, step }) => {
    const { id } = await user.add({ name: 'Silo sensor 6', machine_type: 'bug' });
    await user.add({ name: 'Silo sensor 7', machine_type: 'bug' });
    await device.open(id);
    await device.destroy();
    await expect(home.row('Silo sensor 6')).toContainText('Deleting');
    expect((await page.request.get(`/api/resources/${id}`)).status()).toBe(200);
    await step('it is deleted after ten seconds', async () => {
      await runPending(page.request);
      await expect(home.row('Silo sensor 6')).toBeHidden();
      await expect(home.row('Silo sensor 7')).toBeVisible();
      await expect(shell.undoToasts).not.toContainText('Silo sensor 6');
    });
    await expect.poll(async () => (await page.request.get(`/api/resources/${id}`)).status()).toBe(404);
  },
);

test(
  'a pending deletion can be undone after a reload, and happens although the page is closed',
  { tag: '@once' },
  async ({ page, user, device, home, shell }) => {
    const { id } = await user.add({ name: 'Silo sensor 8', machine_type: 'bug' });
    await device.open(id);
    await device.destroy();
    await page.reload();
    await expect(shell.undoToasts).toContainText('Silo sensor 8');
    await expect(home.row('Silo sensor 8')).toContainText('Deleting');
    await shell.undo();
    await expect(home.row('Silo sensor 8')).not.toContainText('Deleting');
    await device.open(id);
    await device.destroy();
    await expect(shell.undoToasts).toContainText('Silo sensor 8');
    await page.goto('about:blank');
    await runPending(page.request);
    await expect.poll(async () => (await page.request.get(`/api/resources/${id}`)).status()).toBe(404);
  },
);

test(
  'a deleted device comes back with its roles in own swarms',
  { tag: ['@long', '@once'] },
  async ({ page, user, device, home, shell }) => {
    const { id } = await user.add({ name: 'Silo sensor 12', machine_type: 'bug' });
    const swarm = await user.createSwarm({ name: 'Harbour weather', description: '' });
    await user.join(swarm, { resource_id: id, resource_type: 'both' });
    await device.open(id);
    await device.destroy();
    await expect(home.row('Silo sensor 12')).toContainText('Deleting');
    await runPending(page.request);
    await expect(home.row('Silo sensor 12')).toBeHidden();
    await shell.undoDone('Silo sensor 12 deleted');
    await expect(home.row('Silo sensor 12')).toContainText('Harbour weather');
  },
);

test(
  'a device that was deleted elsewhere can be created again with what was typed',
  { tag: '@once' },
  async ({ page, user, device }) => {
    const { id } = await user.add({ name: 'Silo sensor 9', machine_type: 'bug' });
    await device.open(id);
    await device.form.fill({ name: 'Silo sensor 10' });
    // as in another tab
    await user.act({ kind: 'delete', about: {}, items: [{ id, name: 'Silo sensor 9' }] });
    // Save may be gone already, because the page knows of the deletion
    await page.keyboard.press('Enter');
    await expect(device.deletedElsewhere).toBeVisible();
    await page.clock.fastForward('20:00');
    await expect(device.deletedElsewhere).toBeVisible();
    await expect(device.saveButton).toBeHidden();
    await expect(device.form.name).toHaveValue('Silo sensor 10');
    await device.createAgain();
    await expect(device.heading).toHaveText('Silo sensor 10');
    await expect(page).not.toHaveURL(new RegExp(id));
    await expect(device.form.type('Bug')).toBeChecked();
    await expect(device.deletedElsewhere).toBeHidden();
  },
);

test(
  'a long name without spaces does not push Undo out of the screen',
  { tag: ['@long', '@once'] },
  async ({ page, user, device, shell }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    const { id } = await user.add({ name: 'Wasserstandsmesser'.repeat(7), machine_type: 'bug' });
    await device.open(id);
    await device.destroy();
    await expect(shell.undoButton).toBeInViewport({ ratio: 1 });
  },
);
