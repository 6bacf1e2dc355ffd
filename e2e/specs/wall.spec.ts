import type { Swarm } from '@swarmdeck/bff/contract';
import type { Page } from 'playwright/test';
import { connectDevice } from '../device-client.ts';
import { expectAccessible } from '../accessibility.ts';
import { expect, test } from '../fixtures.ts';
import { PalettePart } from '../pages/palette.part.ts';
import type { User } from '../user.ts';

const harbour = { longitude: 10, latitude: 54 };
const pier = { longitude: 10.4, latitude: 54.2 };
const far = { longitude: 17, latitude: 50 };
/** The harbour is at the centre of the uncovered part. */
const map = '8/54/10';

type Box = { x: number; y: number; width: number; height: number } | null;
const overlap = (a: Box, b: Box) =>
  a && b && a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

const paramsOf = (page: Page) => new URL(page.url()).searchParams;
const requestOf = (page: Page, part: string) =>
  page.waitForRequest((request) => request.url().includes('/api/map?') && request.url().includes(part));

/** Waits until the map requests this position. */
const askedFor = (page: Page, { longitude, latitude }: typeof far) =>
  page.waitForRequest((request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname !== '/api/map') return false;
    const [west, south, east, north] = searchParams.get('bbox')!.split(',').map(Number);
    return west! < longitude && longitude < east! && south! < latitude && latitude < north!;
  });

/** A swarm with a moving producer, a consumer, and a hub without a position. */
async function harbourWeather(user: User): Promise<{ swarm: Swarm; tug: string }> {
  const swarm = await user.createSwarm({ name: 'Harbour weather', description: 'Wind on every quay.', public: true });
  const [tug, gauge, hub] = await user.addMany([
    { name: 'Tug bridge phone 2', machine_type: 'smartphone', position: harbour },
    { name: 'Tide gauge', machine_type: 'bug', position: pier },
    { name: 'Harbour hub 12', machine_type: 'pc' },
  ]);
  await user.join(swarm, { resource_id: tug!.id, resource_type: 'producer' });
  await user.join(swarm, { resource_id: gauge!.id, resource_type: 'consumer' });
  await user.join(swarm, { resource_id: hub!.id, resource_type: 'both' });
  return { swarm, tug: tug!.id };
}

test('the request that is preloaded for the wall is the one of its map', { tag: '@once' }, async ({ page, wall }) => {
  const audiences = new Set<string | null>();
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === '/api/map') audiences.add(searchParams.get('audience'));
  });
  await wall.open({});
  await expect(wall.heading).toHaveText('All visible devices');
  await expect.poll(() => [...audiences]).toEqual(['visible']);
});

test(
  'the wall shows a swarm whose layers are switched off and on',
  { tag: '@once' },
  async ({ page, user, swarm: swarmPage, wall, step }) => {
    const { swarm, tug } = await harbourWeather(user);
    await swarmPage.open(swarm.id);
    await step('it opens from the swarm and shows the counts', async () => {
      await wall.openFromSwarm();
      await expect(wall.heading).toHaveText('Harbour weather');
      await expect(wall.placed).toHaveText('2 of 3 with a position');
      await expect(wall.live).toBeVisible();
      for (const [layer, count] of [
        ['sends', '1'],
        ['both', '1'],
        ['Smartphone', '1'],
      ] as const) {
        await expect(wall.layer(layer)).toHaveAccessibleName(new RegExp(`^${layer}\\s*${count}$`));
      }
    });
    await step(
      'a layer that is switched off is neither requested nor counted, and its device has no card',
      async () => {
        await wall.open({ swarm: swarm.id, map, sel: tug });
        await expect(wall.card).toContainText('Tug bridge phone 2');
        const without = requestOf(page, 'machine_type=pc%2Cbug');
        await wall.toggle('Smartphone');
        await without;
        await expect(wall.placed).toHaveText('1 of 3 with a position, not hidden');
        await expect(wall.card).toBeHidden();
        await expect(wall.layerOn('Smartphone')).toBeHidden();
        expect(paramsOf(page).get('machine_type')).toBe('pc,bug');
      },
    );
    await step('if all layers are off, a message says so and offers to undo it', async () => {
      for (const role of ['sends', 'receives', 'both']) await wall.toggle(role);
      await expect(wall.layersOff).toBeVisible();
      await expect(wall.placed).toHaveText('0 of 3 with a position, not hidden');
      await expect.poll(() => wall.pointsAtSomething()).toBe(false);
      await expect
        .poll(async () => overlap(await wall.layersOff.boundingBox(), await wall.followButton.boundingBox()))
        .toBe(false);
      await page.reload();
      await expect(wall.layersOff).toBeVisible();
      await wall.showAll();
      await expect(wall.layersOff).toBeHidden();
      expect(paramsOf(page).has('resource_type')).toBe(false);
      await expect(wall.placed).toHaveText('2 of 3 with a position');
      await expect.poll(() => wall.pointsAtSomething()).toBe(true);
      await expect(wall.live).toBeVisible();
    });
    await step('colouring by last heard does not move the map, and the URL contains it', async () => {
      const before = await wall.panel.boundingBox();
      await wall.colour.click();
      await expect(wall.colour).toBeChecked();
      await expect.poll(() => wall.panel.boundingBox()).toEqual(before);
      await page.reload();
      await expect(wall.colour).toBeChecked();
    });
    await step('Close returns to the previous page', async () => {
      await wall.leave();
      await expect(page).toHaveURL(new RegExp(`/swarms/${swarm.id}$`));
    });
  },
);

test(
  'a device is followed until the user stops following',
  { tag: '@once' },
  async ({ page, user, server, wall, step }) => {
    const { swarm, tug } = await harbourWeather(user);
    const device = connectDevice({ origin: server.origin, key: await user.createKey('tug'), id: tug });
    const live = page.waitForResponse((response) => response.url().includes(`resource=${tug}`));
    await wall.open({ swarm: swarm.id, map, sel: tug });
    await live;
    await step('its card names the owner, the position and the role', async () => {
      await expect(wall.card).toContainText('Tug bridge phone 2');
      await expect(wall.card).toContainText('54.000000, 10.000000');
      await expect(wall.card).toContainText('sends');
    });
    await step('the map follows the device', async () => {
      await wall.followButton.click();
      await expect(wall.followButton).toContainText('Following');
      const there = askedFor(page, far);
      await device.put({ position: far });
      await expect(wall.card).toContainText('50.000000, 17.000000');
      await there;
    });
    await step("after following, the URL contains the map's new position", async () => {
      await page.keyboard.press('Escape');
      await expect(wall.followButton).not.toContainText('Following');
      await expect(page).toHaveURL((url) => {
        const [, latitude] = url.searchParams.get('map')?.split('/') ?? [];
        return Math.abs(Number(latitude) - far.latitude) < 1;
      });
      await wall.followButton.click();
      await expect(wall.followButton).toContainText('Following');
    });
    await wall.drag();
    await expect(wall.followButton).not.toContainText('Following');
    await wall.followButton.click();
    await expect(wall.followButton).toContainText('Following');
    await page.reload();
    await expect(wall.followButton).toContainText('Following');
    await page.keyboard.press('Escape');
    await expect(wall.followButton).not.toContainText('Following');
    await expect(wall.card).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(wall.card).toBeHidden();
  },
);

test('a wall that follows a device stops when it goes to a place', { tag: '@once' }, async ({ page, user, wall }) => {
  const { swarm, tug } = await harbourWeather(user);
  const palette = new PalettePart(page);
  await wall.open({ swarm: swarm.id, map, sel: tug, follow: '1' });
  await expect(wall.followButton).toContainText('Following');
  await palette.openByKey();
  await palette.type('berlin');
  await palette.choose(/^Go to Berlin, Germany/);
  await expect(wall.followButton).not.toContainText('Following');
  await expect.poll(() => paramsOf(page).get('map')).toMatch(/\/52\.5\d*\/13\.4/);
  await expect(wall.card).toContainText('Tug bridge phone 2');
});

test(
  'a click selects the device below it, and repeated clicks go through devices at one place',
  { tag: '@once' },
  async ({ page, user, wall }) => {
    const names = ['Buoy 1', 'Buoy 2'];
    await user.addMany(names.map((name) => ({ name, machine_type: 'bug', position: harbour })));
    await wall.open({ map });
    await expect(wall.heading).toHaveText('All visible devices');
    await expect.poll(() => wall.pointsAtSomething()).toBe(true);
    const spot = await wall.middleOfMap();
    for (const name of [...names, ...names]) {
      await wall.click(spot);
      await expect(wall.card).toContainText(name);
      await expect(wall.card).toContainText(`${names.indexOf(name) + 1} of 2 at this location`);
    }
    await wall.drag();
    await expect.poll(() => paramsOf(page).get('map')).not.toBe(map);
  },
);

test(
  'the wall survives an outage of the server and of the network',
  { tag: '@once' },
  async ({ user, server, wall, context }) => {
    const { swarm, tug } = await harbourWeather(user);
    await wall.open({ swarm: swarm.id, map });
    await expect(wall.live).toBeVisible();
    await expect.poll(() => wall.pointsAtSomething()).toBe(true);

    await server.end();
    await expect(wall.notLive).toBeVisible();
    // large enough to be read across a room
    await expect.poll(async () => (await wall.away.boundingBox())?.height).toBeGreaterThan(60);
    await expect(wall.placed).toHaveText('2 of 3 with a position');
    await expect.poll(() => wall.pointsAtSomething()).toBe(true);
    await server.again();
    await expect(wall.live).toBeVisible();
    await expect(wall.notLive).toBeHidden();

    await context.setOffline(true);
    await expect(wall.notLive).toBeVisible();
    await context.setOffline(false);
    await expect(wall.live).toBeVisible();
    const device = connectDevice({ origin: server.origin, key: await user.createKey('tug'), id: tug });
    await device.put({ position: far });
    await expect.poll(() => wall.pointsAtSomething()).toBe(false);
  },
);

test(
  'the wall shows a message for a missing or deleted swarm or device',
  { tag: ['@long', '@once', '@clock'] },
  async ({ page, user, owner, wall, step }) => {
    await step('a swarm without members', async () => {
      const empty = await user.createSwarm({ name: 'Empty', description: 'Nobody yet.' });
      await wall.open({ swarm: empty.id });
      await expect(wall.note('No members yet')).toBeVisible();
    });
    await step('no devices at all', async () => {
      await wall.open({});
      await expect(wall.note('No devices yet')).toBeVisible();
    });
    await step('a device without a position', async () => {
      await user.add({ name: 'Hub', machine_type: 'pc' });
      await expect(wall.note('No device has a position yet')).toBeVisible();
    });
    await step("another user's private swarm", async () => {
      const others = await owner.createSwarm({ name: 'Theirs', description: 'Of others.', public: true });
      await wall.open({ swarm: others.id });
      await expect(wall.error('You can’t see the members of this swarm')).toBeVisible();
    });
    await step('what a stranger may not see is not requested again and again', async () => {
      const requests: string[] = [];
      page.on('response', (response) => {
        if (response.status() >= 400) requests.push(new URL(response.url()).pathname);
      });
      const others = await owner.createSwarm({ name: 'Hidden', description: 'Of others.' });
      await wall.open({ swarm: others.id });
      await expect(wall.error('Swarm not found')).toBeVisible();
      const before = requests.length;
      await page.clock.runFor(120_000);
      // a request of its own, after all that the page has sent before
      await page.evaluate(() => fetch('/api/account'));
      // when the live stream connects, and again after its pauses, but not every few seconds
      const times = [...Map.groupBy(requests.slice(before), (path) => path).values()].map(({ length }) => length);
      expect(Math.max(0, ...times)).toBeLessThan(5);
    });
    await step('a swarm that is deleted while it is watched', async () => {
      const { swarm } = await harbourWeather(user);
      await wall.open({ swarm: swarm.id });
      await expect(wall.live).toBeVisible();
      const { origin } = new URL(page.url());
      await page.request.delete(`${origin}/api/swarms/${swarm.id}`, { headers: { origin } });
      await expect(wall.error('Swarm not found')).toBeVisible();
    });
  },
);

test.describe('a phone in landscape', () => {
  test.use({ viewport: { width: 844, height: 390 } });

  test('has a small panel, and the theme can be reached', { tag: '@once' }, async ({ user, home, wall, shell }) => {
    const { swarm } = await harbourWeather(user);
    await wall.open({ swarm: swarm.id, map });
    await expect(wall.placed).toHaveText('2 of 3 with a position');
    const area = async () => {
      const { width, height } = (await wall.panel.boundingBox())!;
      return width * height;
    };
    await expect.poll(area).toBeLessThan(844 * 390 * 0.12);
    await wall.toggleLegend();
    await expect(wall.layer('Smartphone')).toBeVisible();
    await wall.toggleLegend();
    await expect(wall.layer('Smartphone')).toBeHidden();
    // in the whole map, the first one would be where the panel is
    for (const [longitude, latitude] of [
      [-10, 54.5],
      [30, 50],
    ] as const) {
      const { id } = await user.add({ name: 'Buoy', machine_type: 'bug', position: { longitude, latitude } });
      await user.join(swarm, { resource_id: id, resource_type: 'producer' });
    }
    await wall.open({ swarm: swarm.id });
    await expect(wall.placed).toHaveText('4 of 5 with a position');
    const areUncovered = async () => {
      const { all, covered } = await wall.symbolPixels();
      return all > 0 && covered === 0;
    };
    await expect.poll(areUncovered, 'at first').toBe(true);
    await wall.fit();
    await expect.poll(areUncovered, 'after Show all').toBe(true);
    await home.open();
    await shell.themeButton.scrollIntoViewIfNeeded();
    await expect(shell.themeButton).toBeInViewport({ ratio: 1 });
  });
});

test('an expired session asks to sign in over the last map', { tag: '@once' }, async ({ user, wall, context }) => {
  const { swarm } = await harbourWeather(user);
  await wall.open({ swarm: swarm.id });
  await expect(wall.live).toBeVisible();
  await context.clearCookies();
  // the next request tells
  await wall.drag();
  await expect(wall.signInAgain).toBeVisible();
});

test(
  "a search of the wall's list moves the map to what it finds, and the map is not filtered",
  { tag: '@once' },
  async ({ page, user, wall }) => {
    const { swarm } = await harbourWeather(user);
    const lighthouse = { name: 'Lighthouse', machine_type: 'pc', position: { longitude: 174, latitude: -41 } } as const;
    const { id } = await user.add(lighthouse);
    await user.join(swarm, { resource_id: id, resource_type: 'producer' });
    await wall.open({ swarm: swarm.id, map, list: '1' });
    await expect(wall.listRows).toHaveCount(4);
    await wall.listSearch.fill('light');
    await expect(wall.listRows).toHaveCount(1);
    await expect.poll(() => paramsOf(page).get('map')).toMatch(/\/-4[01]\.?\d*\/17[34]/);
    // to all devices, not only to the one that was found
    await wall.fit();
    await expect.poll(() => paramsOf(page).get('map')).not.toMatch(/\/-4[01]\.?\d*\/17[34]/);
  },
);

test(
  'a list beside the wall selects devices on the map and links to their pages',
  { tag: '@phone' },
  async ({ page, user, wall, device, layout, step }) => {
    const { swarm } = await harbourWeather(user);
    const devices = await user.addMany([
      { name: 'Quay camera', machine_type: 'pc', position: { longitude: 9.2, latitude: 53.9 } },
      { name: 'Depot phone', machine_type: 'smartphone' },
    ]);
    for (const { id } of devices) await user.join(swarm, { resource_id: id, resource_type: 'producer' });
    await wall.open({ swarm: swarm.id });
    await step('it lists the devices of the wall', async () => {
      await wall.openList();
      await expect(wall.listRows.filter({ hasText: 'Quay camera' })).toBeVisible();
      await expect(wall.listRows.filter({ hasText: 'Depot phone' })).toContainText('No position');
      await expectAccessible({ page, title: 'wall with its list' });
      await expect.poll(() => layout.overflowingInside()).toEqual([]);
    });
    await step('it is searched, and sorted by age', async () => {
      await wall.listSearch.fill('quay');
      await expect(wall.listRows).toHaveCount(1);
      await wall.listSearch.fill('');
      await wall.sortList('Last heard');
      await expect(wall.listRows.first()).toContainText(/Quay camera|Depot phone/);
      await user.hear(devices[1]!);
      await wall.sortList('Name');
      await expect(wall.listRows.first()).toContainText('Depot phone');
    });
    await step('a row shows its device on the map', async () => {
      await wall.selectInList('Quay camera');
      await expect(wall.card).toContainText('Quay camera');
      await expect(page).toHaveURL(/list=1/);
      await expect(page).toHaveURL(new RegExp(`sel=${devices[0]!.id}`));
      await expect(page).toHaveURL(/map=[\d.]+(\/|%2F)5[34]\.\d+(\/|%2F)9\.\d+/);
    });
    await step('a restarted browser shows the same wall, and the link opens the page of a device', async () => {
      await page.reload();
      await wall.pageLink('Depot phone').click();
      await expect(page).toHaveURL(new RegExp(`/devices/${devices[1]!.id}`));
      await expect(device.heading).toContainText('Depot phone');
      await page.goBack();
      await wall.closeList();
      await expect(wall.list).toBeHidden();
    });
    await step('the card opens the page of its device, and can be closed', async () => {
      await wall.openCard();
      await expect(page).toHaveURL(new RegExp(`/devices/${devices[0]!.id}`));
      await page.goBack();
      await wall.closeCard();
      await expect(wall.card).toBeHidden();
    });
  },
);
