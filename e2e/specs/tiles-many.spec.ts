import { expect } from '../fixtures.ts';
import { tileColours } from '../tile-picture.ts';
import { test } from '../tile-fixtures.ts';

// one after the other: each worker would start this server
test.describe.configure({ mode: 'default' });
test.use({ mounted: false });

const harbour = { longitude: 10, latitude: 54 };
const map = '5/54/10';

// how the server answers for each failure of the tile server: bff/src/capabilities/tiles/hostile.test.ts
test('the map works with a tile server that has no tiles here', { tag: '@long' }, async ({ user, home, behave }) => {
  await user.add({ name: 'Harbour hub', machine_type: 'pc', position: harbour });
  await behave('missing');
  await home.open({ map });
  await expect(home.tilesNotice).toContainText(/has no map tiles here\. The built-in map is shown/);
  await expect.poll(() => home.pointsAtSomething()).toBe(true);
  await expect.poll(() => home.tileColours()).toEqual([]);
});

test('slow tiles delay neither the map nor the page', { tag: '@long' }, async ({ page, user, home, behave }) => {
  test.slow();
  await user.add({ name: 'Harbour hub', machine_type: 'pc', position: harbour });
  await behave('silent');
  const tile = page.waitForRequest((request) => request.url().includes('/api/tiles/5/'));
  await home.open({ map });
  await tile;
  await expect.poll(() => home.pointsAtSomething()).toBe(true);
  await home.search('Harbour');
  await expect(home.row('Harbour hub')).toBeVisible();
  await expect.poll(() => home.tileColours()).toEqual([]);
  // a page that is loading notices the outage
  await page.goto('about:blank');
  await behave('slow');
  await home.open({ map });
  await expect.poll(() => home.tileColours(), { timeout: 60_000 }).toEqual(tileColours);
});
