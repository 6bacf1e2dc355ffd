import { expect } from '../fixtures.ts';
import { tileColours } from '../tile-picture.ts';
import type { TileManners } from '../tile-server.ts';
import { test } from '../tiled.ts';

const harbour = { longitude: 10, latitude: 54 };
const map = '5/54/10';

const fails = /can’t be loaded\. The built-in map is shown/;
const ways: [manners: TileManners, says: RegExp][] = [
  ['missing', /has no map tiles here\. The built-in map is shown/],
  ['failing', fails],
  ['html', fails],
  ['large', fails],
  ['redirecting', fails],
  ['gone half way', fails],
];

// the fixtures watch that a page asks no other host for anything
for (const [manners, says] of ways) {
  test(`a tile server that is ${manners} takes the map from nobody`, async ({ user, home, tiles, behave, kept }) => {
    await user.add({ name: 'Harbour hub', machine_type: 'pc', position: harbour });
    await behave(manners);
    await home.open({ map });
    await expect(home.tilesNotice).toContainText(says);
    await expect.poll(() => home.pointsAtSomething()).toBe(true);
    expect(await home.tileColours()).toEqual([]);
    expect(tiles.askedElsewhere).toEqual([]);
    expect(await kept()).toEqual({ files: 0, bytes: 0 });
  });
}

test('while tiles are slow the map is there without them, and the page is not held up', async ({
  page,
  user,
  home,
  behave,
}) => {
  await user.add({ name: 'Harbour hub', machine_type: 'pc', position: harbour });
  await behave('silent');
  const tile = page.waitForRequest((request) => request.url().includes('/api/tiles/5/'));
  await home.open({ map });
  await tile;
  await expect.poll(() => home.pointsAtSomething()).toBe(true);
  await home.search('Harbour');
  await expect(home.row('Harbour hub')).toBeVisible();
  expect(await home.tileColours()).toEqual([]);
  // a page that is just being loaded notices that the server is gone
  await page.goto('about:blank');
  await behave('slow');
  await home.open({ map });
  await expect.poll(() => home.tileColours(), { timeout: 60_000 }).toEqual(tileColours);
});

test('tiles that were seen are shown again without their server, after a restart too', async ({
  page,
  user,
  home,
  tiles,
  behave,
  server,
  kept,
}) => {
  await user.add({ name: 'Harbour hub', machine_type: 'pc', position: harbour });
  await behave('good');
  await home.open({ map });
  await expect(home.tilesCredits).toBeVisible();
  await expect.poll(async () => (await kept()).files).toBeGreaterThan(10);
  await expect.poll(() => home.tileColours()).toEqual(tileColours);
  await page.goto('about:blank');
  await server.end();
  tiles.manners = 'failing';
  await server.again();
  await home.open({ map });
  await expect.poll(() => home.tileColours()).toEqual(tileColours);
});
