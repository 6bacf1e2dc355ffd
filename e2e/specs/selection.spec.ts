import { expect, test } from '../fixtures.ts';

const spot = { across: 0.7, down: 0.2 };

test('list and map share one selection, and the URL holds it', async ({ page, user, home, step }) => {
  const placed = await user.add({
    name: 'Harbour hub 12',
    machine_type: 'pc',
    position: { longitude: 9.9, latitude: 53.5 },
  });
  await user.add({ name: 'Depot phone 1', machine_type: 'smartphone' });
  await step('a row selects', async () => {
    await home.open();
    await home.select('Harbour hub 12');
    await expect(home.card).toContainText('Harbour hub 12');
    await expect(page).toHaveURL(new RegExp(`sel=${placed.id}`));
  });
  await step('a reload restores it', async () => {
    await page.reload();
    await expect(home.card).toContainText('Harbour hub 12');
  });
  await step('one without a position says so', async () => {
    await home.open();
    await home.select('Depot phone 1');
    await expect(home.card).toContainText('Without position');
  });
  await step('and closing gives the map back', async () => {
    await home.closeCard();
    await expect(home.card).toBeHidden();
    await expect(page).not.toHaveURL(/sel=/);
  });
});

test('a symbol on the map selects its row', async ({ page, user, home }) => {
  await user.add({ name: 'Buoy 7', machine_type: 'bug' });
  await home.open({ map: '5/54/10' });
  await home.placeFromRow('Buoy 7');
  await home.clickMap(spot);
  await expect(home.card).toContainText('Buoy 7');
  await home.closeCard();
  await expect(home.card).toBeHidden();
  // without the card more of the map is free, and on a phone its middle has moved up
  for (let down = spot.down; down > 0 && !(await home.card.isVisible()); down -= 0.02) {
    await home.clickMap({ ...spot, down });
    // two quick ones would zoom
    await page.waitForTimeout(400);
  }
  await expect(home.card).toContainText('Buoy 7');
  await expect(page).toHaveURL(/sel=/);
});
