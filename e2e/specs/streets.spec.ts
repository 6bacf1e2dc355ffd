import { expect } from '../fixtures.ts';
import { streetsTest as test } from '../tile-fixtures.ts';

// one after the other: each worker would start this server
test.describe.configure({ mode: 'default' });

const harbour = { longitude: 10, latitude: 54 };

// a file that is damaged, or changes: bff/src/capabilities/tiles/archive.test.ts
test(
  'streets of a map file are drawn in the colours of the theme, below the devices',
  { tag: ['@long', '@once'] },
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

test(
  'a city is drawn from the layers of each known schema',
  { tag: ['@long', '@once', '@page'] },
  async ({ page, home, showCity, step }) => {
    test.slow();
    for (const schema of ['protomaps', 'openmaptiles', 'shortbread'] as const)
      await step(schema, async () => {
        await showCity(schema);
        await page.emulateMedia({ colorScheme: 'light' });
        await home.open({ map: '14/54.005/9.99' });
        // the land, the sea, a park, a house, a street, and a main street
        const light = ['245,246,242', '211,227,234', '226,236,217', '232,231,224', '255,255,255', '251,234,196'];
        await expect
          .poll(() => home.streetColours())
          .toEqual(expect.arrayContaining(light.map((colour) => `${colour},255`)));
        await expect.poll(() => home.streetNamePixels()).toBeGreaterThan(500);
        // each has its own layers, and all have the same colours
        if (schema !== 'protomaps') return;
        await page.emulateMedia({ colorScheme: 'dark' });
        const dark = ['26,35,39', '13,22,27', '27,43,39', '34,44,49', '51,63,70', '87,81,60'];
        await expect
          .poll(() => home.streetColours())
          .toEqual(expect.arrayContaining(dark.map((colour) => `${colour},255`)));
      });
    await step('and the map says if the layers are not known', async () => {
      await showCity('unknown');
      await home.open({ map: '14/54.005/9.99' });
      await expect(home.tilesNotice).toContainText('The layers in harbour.pmtiles are not known');
    });
  },
);
