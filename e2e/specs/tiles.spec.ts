import { expect } from '../fixtures.ts';
import { failUntilClick } from '../intercept-requests.ts';
import { tileColours } from '../tile-picture.ts';
import { test } from '../tile-fixtures.ts';

// one after the other: each worker would start this server
test.describe.configure({ mode: 'default' });
// a shared page has the tiles of the journey before in its browser's cache
test.use({ mounted: false });

const harbour = { longitude: 10, latitude: 54 };
const map = '5/54/10';

test(
  'tiles are above the built-in map and below the devices, with their attribution',
  { tag: '@once' },
  async ({ page, user, home, behave, server, device, step }) => {
    await user.add({ name: 'Harbour hub', machine_type: 'pc', position: harbour });
    await behave('good');
    const tile = page.waitForResponse((response) => response.url().includes('/api/tiles/5/'));
    await step('they are loaded', async () => {
      await home.open({ map });
      await expect(home.tilesCredits).toHaveText('Tiles: © Harbour maps');
      await expect.poll(() => home.tileColours()).toEqual(tileColours);
      await expect(home.tilesNotice).toBeHidden();
      await expect.poll(() => home.pointsAtSomething()).toBe(true);
    });
    const headers = (await tile).headers();
    expect(headers).toMatchObject({ 'content-type': 'image/png', 'x-content-type-options': 'nosniff' });
    const ofPage = (await fetch(server.origin)).headers.get('content-security-policy');
    expect(headers['content-security-policy']).toBe(ofPage);
    await step('they are also on the small map of a device', async () => {
      await home.select('Harbour hub');
      await home.openSelected();
      await expect(device.heading).toHaveText('Harbour hub');
      await expect.poll(() => home.tileColours()).toEqual(tileColours);
    });
  },
);

test(
  'if tiles do not load, the built-in map is shown with a notice until they do',
  { tag: ['@long', '@once'] },
  async ({ page, user, home, tiles, behave, step }) => {
    await user.add({ name: 'Harbour hub', machine_type: 'pc', position: harbour });
    await behave('failing');
    await step('a notice, and the map with its devices', async () => {
      await home.open({ map });
      await expect(home.tilesNotice).toContainText(
        /^Map tiles from 127\.0\.0\.1:\d+ can’t be loaded\. The built-in map is shown\./,
      );
      await expect(home.tilesCredits).toBeHidden();
      await expect.poll(() => home.tileColours()).toEqual([]);
      await expect.poll(() => home.pointsAtSomething()).toBe(true);
    });
    const requested = tiles.requests.length;
    expect(requested).toBeLessThanOrEqual(6);
    // the page also retries when it reconnects to the server
    const outage = await failUntilClick({ page, path: '**/api/tiles/*/*/*' });
    await behave('good');
    await step('after Retry they are loaded', async () => {
      await outage.endBy(() => home.retryTiles());
      await expect.poll(() => home.tileColours()).toEqual(tileColours);
      await expect(home.tilesNotice).toBeHidden();
      await expect(home.tilesCredits).toBeVisible();
    });
  },
);
