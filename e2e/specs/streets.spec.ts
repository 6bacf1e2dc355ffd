import { expect } from '../fixtures.ts';
import { streetsTest as test } from '../tile-fixtures.ts';

const harbour = { longitude: 10, latitude: 54 };

// a file that is damaged, or changes: bff/src/tiles/archive.test.ts
test(
  'streets of a map file are drawn in the colours of the theme, below the devices',
  { tag: '@once' },
  async ({ page, user, home, step }) => {
    await user.add({ name: 'Harbour hub', machine_type: 'pc', position: harbour });
    await step('with their names and their attribution', async () => {
      await home.open({ map: '14/54/10' });
      await expect(home.tilesCredits).toHaveText('Tiles: Harbour maps');
      // the land, a street, and a main street
      const light = ['245,246,242,255', '255,255,255,255', '251,234,196,255'];
      await expect.poll(() => home.streetColours()).toEqual(expect.arrayContaining(light));
      await expect.poll(() => home.streetNamePixels()).toBeGreaterThan(100);
      await expect.poll(() => home.pointsAtSomething()).toBe(true);
      await expect(home.tilesNotice).toBeHidden();
    });
    await step('in the dark', async () => {
      await page.emulateMedia({ colorScheme: 'dark' });
      await expect.poll(() => home.streetColours()).toEqual(expect.arrayContaining(['26,35,39,255', '51,63,70,255']));
    });
    await step('with forced colours', async () => {
      await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
      await expect.poll(() => home.streetColours()).toEqual(expect.arrayContaining(['255,255,255,255', '0,0,0,255']));
    });
    await step('deeper than the file, and around it the built-in map', async () => {
      await page.emulateMedia({ forcedColors: 'none' });
      await home.open({ map: '16/54/10' });
      await expect.poll(() => home.streetColours()).toContain('255,255,255,255');
      await home.open({ map: '12/54.5/10' });
      await expect.poll(() => home.streetColours()).toEqual([]);
      await expect(home.tilesNotice).toBeHidden();
    });
  },
);
