import { expect, test } from '../fixtures.ts';

const harbour = { longitude: 10, latitude: 54 };
const pier = { longitude: 10.4, latitude: 54.2 };
const map = '8/54/10';

test('the wall is operated by keyboard alone', async ({ page, user, home, wall, step }) => {
  await user.addMany([
    { name: 'Buoy', machine_type: 'bug', position: harbour },
    { name: 'Tug', machine_type: 'smartphone', position: pier },
  ]);
  await home.open();
  await expect(home.row('Buoy')).toBeVisible();
  await wall.openFromDevices();
  await expect(wall.placed).toHaveText('2 of 2 with a position');
  await step('J and K go through the devices in view', async () => {
    // before the map has settled, it has none in view
    await expect(async () => {
      await page.keyboard.press('Escape');
      await page.keyboard.press('j');
      await expect(wall.card).toContainText('Buoy', { timeout: 2000 });
    }).toPass();
    await expect(wall.spoken('Buoy, Bug, 54.000000, 10.000000, ')).toBeAttached();
    await page.keyboard.press('j');
    await expect(wall.card).toContainText('Tug');
    await page.keyboard.press('k');
    await expect(wall.card).toContainText('Buoy');
  });
  await step('O follows; Escape stops following and then closes the card', async () => {
    await page.keyboard.press('o');
    await expect(wall.followButton).toContainText('Following');
    await wall.followButton.focus();
    await page.keyboard.press('Escape');
    await expect(wall.followButton).not.toContainText('Following');
    await page.keyboard.press('Escape');
    await expect(wall.card).toBeHidden();
    await expect(wall.followButton).toBeDisabled();
    await expect(wall.followButton).toBeFocused();
  });
  await step('V colours by last heard, and toggles are switches', async () => {
    await page.keyboard.press('v');
    await expect(wall.colour).toBeChecked();
    await wall.layer('Bug').focus();
    await page.keyboard.press('Space');
    await expect(wall.layer('Bug')).not.toBeChecked();
  });
  await step('M moves the focus to the map, and arrow keys pan it', async () => {
    await page.keyboard.press('m');
    await expect(wall.map).toBeFocused();
    const before = new URL(page.url()).searchParams.get('map');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => new URL(page.url()).searchParams.get('map')).not.toBe(before);
  });
  await wall.leaveLink.focus();
  await page.keyboard.press('Enter');
  await expect(home.row('Buoy')).toBeVisible();
});

test.describe('on a screen of 3840 x 2160', () => {
  test.use({ viewport: { width: 3840, height: 2160 } });

  test('everything is larger, and clicks hit what they point at', async ({ user, wall, step }) => {
    await user.add({ name: 'Buoy', machine_type: 'bug', position: harbour });
    await user.add({ name: 'Tug', machine_type: 'smartphone', position: pier });
    await wall.open({ map });
    await expect(wall.placed).toHaveText('2 of 2 with a position');
    await expect.poll(() => wall.pointsAtSomething()).toBe(true);
    await step('the panel, the map and the card', async () => {
      await expect.poll(async () => (await wall.panel.boundingBox())?.width).toBeCloseTo(288 * 1.75, 0);
      await wall.click(await wall.middleOfMap());
      await expect(wall.card).toContainText('Buoy');
    });
  });
});
