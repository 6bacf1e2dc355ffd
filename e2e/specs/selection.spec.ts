import { expect, test } from '../fixtures.ts';
import { PalettePart } from '../pages/palette.part.ts';

test('list and map share one selection, and the URL holds it', { tag: '@once' }, async ({ page, user, home, step }) => {
  const placed = await user.add({
    name: 'Harbour hub 12',
    machine_type: 'pc',
    position: { longitude: 9.9, latitude: 53.5 },
  });
  await user.add({ name: 'Depot phone 1', machine_type: 'smartphone' });
  await step('a row selects, and the map of the world zooms in to it', async () => {
    await home.open({ map: '2/53.5/9.9' });
    await home.select('Harbour hub 12');
    await expect(home.card).toContainText('Harbour hub 12');
    await expect(page).toHaveURL(new RegExp(`sel=${placed.id}`));
    await expect(page).toHaveURL(/map=5%2F/);
  });
  await step('a reload restores it', async () => {
    await page.reload();
    await expect(home.card).toContainText('Harbour hub 12');
  });
  await step('a device without a position says so', async () => {
    await home.open();
    await home.select('Depot phone 1');
    await expect(home.card).toContainText('No position');
  });
  await step('closing the card shows the whole map again', async () => {
    await home.closeCard();
    await expect(home.card).toBeHidden();
    await expect(page).not.toHaveURL(/sel=/);
  });
});

test('a symbol on the map selects its row', { tag: '@once' }, async ({ page, user, home }) => {
  const { id } = await user.add({
    name: 'Buoy 7',
    machine_type: 'bug',
    position: { longitude: 9.9, latitude: 53.5 },
  });
  await home.open({ map: '10/53.5/9.9' });
  await expect(home.row('Buoy 7')).toBeVisible();
  // symbols are drawn on a canvas, and nothing in the DOM says when
  await expect(async () => {
    await home.clickMiddleOfMap();
    await expect(home.card).toContainText('Buoy 7', { timeout: 2000 });
  }).toPass();
  await expect(page).toHaveURL(new RegExp(`sel=${id}`));
  await home.closeCard();
  await expect(home.card).toBeHidden();
  await expect(home.row('Buoy 7')).toBeVisible();
});

test('Back closes the top layer first and keeps the typed name', { tag: '@once' }, async ({ page, user, home }) => {
  const palette = new PalettePart(page);
  await user.add({ name: 'Buoy 7', machine_type: 'bug' });
  await page.goto('/account');
  await home.open();
  await home.startAdding();
  await home.addForm.name.fill('Igloo');
  await page.goBack();
  await expect(home.addForm.name).toBeHidden();
  await home.startAdding();
  await expect(home.addForm.name).toHaveValue('Igloo');
  await page.goBack();
  await home.openOrders();
  await expect(home.order('Newest')).toBeVisible();
  await page.goBack();
  await expect(home.order('Newest')).toBeHidden();
  await home.select('Buoy 7');
  await palette.open();
  await expect(palette.dialog).toBeVisible();
  await page.goBack();
  await expect(palette.dialog).toBeHidden();
  await expect(home.card).toBeVisible();
  await home.openSelected();
  await expect(page).toHaveURL(/\/devices\//);
  await page.goBack();
  await expect(home.card).toBeVisible();
  await expect(page).toHaveURL(/sel=/);
});
