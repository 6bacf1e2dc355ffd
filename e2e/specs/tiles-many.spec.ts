import { expect } from '../fixtures.ts';
import { tileColours } from '../tile-picture.ts';
import type { TileBehaviour } from '../tile-server.ts';
import { test } from '../tile-fixtures.ts';

const harbour = { longitude: 10, latitude: 54 };
const map = '5/54/10';

const fails = /can’t be loaded\. The built-in map is shown/;
const ways: [behaviour: TileBehaviour, says: RegExp][] = [
  ['missing', /has no map tiles here\. The built-in map is shown/],
  ['failing', fails],
  ['html', fails],
  ['large', fails],
  ['redirecting', fails],
  ['gone half way', fails],
];

// the fixtures fail a test whose page requests anything from another host
for (const [behaviour, says] of ways) {
  test(`the map works with a tile server that fails: ${behaviour}`, async ({ user, home, tiles, behave }) => {
    await user.add({ name: 'Harbour hub', machine_type: 'pc', position: harbour });
    await behave(behaviour);
    await home.open({ map });
    await expect(home.tilesNotice).toContainText(says);
    await expect.poll(() => home.pointsAtSomething()).toBe(true);
    expect(await home.tileColours()).toEqual([]);
    expect(tiles.requestsElsewhere).toEqual([]);
  });
}

test('slow tiles delay neither the map nor the page', async ({ page, user, home, behave }) => {
  await user.add({ name: 'Harbour hub', machine_type: 'pc', position: harbour });
  await behave('silent');
  const tile = page.waitForRequest((request) => request.url().includes('/api/tiles/5/'));
  await home.open({ map });
  await tile;
  await expect.poll(() => home.pointsAtSomething()).toBe(true);
  await home.search('Harbour');
  await expect(home.row('Harbour hub')).toBeVisible();
  expect(await home.tileColours()).toEqual([]);
  // a page that is loading notices the outage
  await page.goto('about:blank');
  await behave('slow');
  await home.open({ map });
  await expect.poll(() => home.tileColours(), { timeout: 60_000 }).toEqual(tileColours);
});

test('tiles that were shown are available without their server, also after a restart', async ({
  page,
  user,
  home,
  tiles,
  behave,
  server,
}) => {
  await user.add({ name: 'Harbour hub', machine_type: 'pc', position: harbour });
  await behave('good');
  await home.open({ map });
  await expect(home.tilesCredits).toBeVisible();
  await expect.poll(() => home.tileColours()).toEqual(tileColours);
  await page.goto('about:blank');
  await server.end();
  tiles.behaviour = 'failing';
  await server.again();
  await home.open({ map });
  await expect.poll(() => home.tileColours()).toEqual(tileColours);
});
