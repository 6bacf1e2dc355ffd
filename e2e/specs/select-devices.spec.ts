import type { ResourceCreate } from '@swarmdeck/bff/contract';
import { expectAccessible } from '../accessibility.ts';
import { expect, test } from '../fixtures.ts';
import { DeviceSelectionPart } from '../pages/device-selection.part.ts';

const fleet = Array.from({ length: 12 }, (_, number): ResourceCreate => ({
  name: `Buoy ${String(number + 1).padStart(2, '0')}`,
  machine_type: number < 8 ? 'bug' : 'pc',
  ...(number < 4 && { position: { longitude: 9.9 + number / 1000, latitude: 53.5 } }),
}));

test('devices are selected by checkbox, range, key and all at once @once', async ({ page, user, home, step }) => {
  const selection = new DeviceSelectionPart(page);
  await user.addMany(fleet);
  await home.open();
  await step('a checkbox, and with Shift a range', async () => {
    await selection.toggle('Buoy 02');
    await expect(selection.count).toHaveText('1 selected');
    await selection.toggle('Buoy 05', { shift: true });
    await expect(selection.count).toHaveText('4 selected');
    await expect(selection.checkbox('Buoy 03')).toBeChecked();
    await expectAccessible({ page, title: 'selected devices' });
  });
  await step('a click on the row still opens its card', async () => {
    await home.select('Buoy 07');
    await expect(home.card).toContainText('Buoy 07');
    await expect(selection.count).toHaveText('4 selected');
  });
  await step('X selects the focused row, with Shift a range', async () => {
    await page.keyboard.press('x');
    await expect(selection.count).toHaveText('5 selected');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Shift+x');
    await expect(selection.count).toHaveText('7 selected');
  });
  await step('Escape clears the selection before it closes the card', async () => {
    await page.keyboard.press('Escape');
    await expect(selection.bar).toBeHidden();
    await expect(home.card).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(home.card).toBeHidden();
  });
  await step('all that match, but none that arrive later', async () => {
    await home.toggle('Bug');
    await home.rowButton(0).focus();
    await page.keyboard.press('x');
    // while the rows of other filters are shown, all of these filters would be selected, also those that arrive later
    await expect(selection.all(8)).toBeVisible();
    await selection.selectAll();
    await expect(selection.count).toHaveText('8 selected');
    await user.add({ name: 'Buoy 13', machine_type: 'bug' });
    await expect(selection.all(9)).toBeVisible();
    await selection.toggle('Buoy 03');
    await expect(selection.count).toHaveText('7 selected');
  });
  await step('they stay selected with other filters, and Ctrl A selects those that match besides them', async () => {
    await home.toggle('Bug');
    await expect(selection.count).toHaveText('7 selected');
    await expect(selection.hidden).toHaveCount(0);
    await home.toggle('PC');
    await expect(selection.hidden).toHaveText('7 not in this list');
    await expect(selection.all(4)).toBeVisible();
    await home.rowButton(0).focus();
    await page.keyboard.press('ControlOrMeta+a');
    await expect(selection.count).toHaveText('11 selected');
  });
});

test('a box on the map and the view select what is in them @once', async ({ page, user, home }) => {
  const selection = new DeviceSelectionPart(page);
  await user.addMany(fleet);
  await home.open({ map: '14/53.5/9.9' });
  await expect(home.row('Buoy 01')).toBeVisible();
  await expect(home.streetsHint).toHaveAttribute('href', '/docs#streets');
  // what draws the box loads after the map
  await expect(async () => {
    await selection.drawBox({ width: 14, height: 14 });
    await expect(selection.count).toHaveText('1 selected', { timeout: 2000 });
  }).toPass();
  await expect(selection.checkbox('Buoy 01')).toBeChecked();
  await expect(page).toHaveURL(/map=14%2F53\.5%2F9\.9/);
  await selection.choose('Select all in view');
  await expect(selection.count).toHaveText('4 selected');
  await test.step('the selection is there after the way back from a device', async () => {
    await home.select('Buoy 03');
    await home.openSelected();
    await expect(home.list).toBeHidden();
    await page.goBack();
    await expect(selection.count).toHaveText('4 selected');
  });
});
