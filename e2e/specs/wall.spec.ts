import type { Swarm } from '@swarmdeck/bff/contract';
import type { Page } from 'playwright/test';
import { connectDevice } from '../device.ts';
import { expect, test } from '../fixtures.ts';
import type { Person } from '../person.ts';

const harbour = { longitude: 10, latitude: 54 };
const pier = { longitude: 10.4, latitude: 54.2 };
const far = { longitude: 17, latitude: 50 };
/** The harbour in the middle of what is free. */
const map = '8/54/10';

type Box = { x: number; y: number; width: number; height: number } | null;
const overlap = (a: Box, b: Box) =>
  a && b && a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

const paramsOf = (page: Page) => new URL(page.url()).searchParams;
const asked = (page: Page, part: string) =>
  page.waitForRequest((request) => request.url().includes('/api/map?') && request.url().includes(part));

/** The map asks for where that is. */
const askedFor = (page: Page, { longitude, latitude }: typeof far) =>
  page.waitForRequest((request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname !== '/api/map') return false;
    const [west, south, east, north] = searchParams.get('bbox')!.split(',').map(Number);
    return west! < longitude && longitude < east! && south! < latitude && latitude < north!;
  });

/** A swarm of a producer that moves, a consumer and a hub without a position. */
async function harbourWeather(user: Person): Promise<{ swarm: Swarm; tug: string }> {
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

test('a swarm is watched on a wall whose layers go off and on', async ({
  page,
  user,
  swarm: swarmPage,
  wall,
  step,
}) => {
  const { swarm } = await harbourWeather(user);
  await swarmPage.open(swarm.id);
  await step('it opens from the swarm, and says what there is', async () => {
    await wall.openFromSwarm();
    await expect(wall.heading).toHaveText('Harbour weather');
    await expect(wall.placed).toHaveText('2 of 3 on the map');
    await expect(wall.live).toBeVisible();
    for (const [layer, count] of [
      ['producer', '1'],
      ['both', '1'],
      ['Smartphone', '1'],
    ] as const) {
      await expect(wall.layer(layer)).toHaveAccessibleName(new RegExp(`^${layer}\\s*${count}$`));
    }
  });
  await step('a layer that goes off is no longer requested or counted as on the map', async () => {
    const without = asked(page, 'machine_type=pc%2Cbug');
    await wall.toggle('Smartphone');
    await without;
    await expect(wall.layerOn('Smartphone')).toBeHidden();
    await expect(wall.placed).toHaveText('1 of 3 on the map');
    expect(paramsOf(page).get('machine_type')).toBe('pc,bug');
  });
  await step('all off is said, and undone', async () => {
    for (const role of ['producer', 'consumer', 'both']) await wall.toggle(role);
    await expect(wall.layersOff).toBeVisible();
    await expect(wall.placed).toHaveText('0 of 3 on the map');
    expect(overlap(await wall.layersOff.boundingBox(), await wall.followButton.boundingBox())).toBe(false);
    await page.reload();
    await expect(wall.layersOff).toBeVisible();
    await wall.showAll();
    await expect(wall.layersOff).toBeHidden();
    expect(paramsOf(page).has('resource_type')).toBe(false);
  });
  await step('colours tell the last change without moving the map, and the URL remembers that', async () => {
    const before = await wall.panel.boundingBox();
    await wall.colour.click();
    await expect(wall.colour).toBeChecked();
    expect(await wall.panel.boundingBox()).toEqual(before);
    await page.reload();
    await expect(wall.colour).toBeChecked();
  });
  await step('one leaves to where one came from', async () => {
    await wall.leave();
    await expect(page).toHaveURL(new RegExp(`/swarms/${swarm.id}$`));
  });
});

test('a device is followed until it is let go of', async ({ page, user, server, wall, step }, { project }) => {
  const { swarm, tug } = await harbourWeather(user);
  const device = connectDevice({ origin: server.origin, key: await user.createKey('tug'), id: tug });
  const live = page.waitForResponse((response) => response.url().includes(`resource=${tug}`));
  await wall.open({ swarm: swarm.id, map, sel: tug });
  await live;
  await step('its card says whose it is, where, and in which role', async () => {
    await expect(wall.card).toContainText('Tug bridge phone 2');
    await expect(wall.card).toContainText('54.000000, 10.000000');
    await expect(wall.card).toContainText('producer');
  });
  await step('the map goes where it goes', async () => {
    await wall.followButton.click();
    await expect(wall.followButton).toContainText('Following');
    const there = askedFor(page, far);
    await device.put({ position: far });
    await expect(wall.card).toContainText('50.000000, 17.000000');
    await there;
  });
  await step('let go of, the URL says where the map has come to', async () => {
    await page.keyboard.press('Escape');
    await expect(wall.followButton).not.toContainText('Following');
    await expect(page).toHaveURL((url) => {
      const [, latitude] = url.searchParams.get('map')?.split('/') ?? [];
      return Math.abs(Number(latitude) - far.latitude) < 1;
    });
    await wall.followButton.click();
    await expect(wall.followButton).toContainText('Following');
  });
  if (project.name === 'desktop') {
    await wall.drag();
    await expect(wall.followButton).not.toContainText('Following');
    await wall.followButton.click();
    await expect(wall.followButton).toContainText('Following');
  }
  await page.reload();
  await expect(wall.followButton).toContainText('Following');
  await page.keyboard.press('Escape');
  await expect(wall.followButton).not.toContainText('Following');
  await expect(wall.card).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(wall.card).toBeHidden();
});

test('a click selects what it hits, and many at one place one after the other', async ({ page, user, wall }) => {
  const names = ['Buoy 1', 'Buoy 2'];
  await user.addMany(names.map((name) => ({ name, machine_type: 'bug', position: harbour })));
  await wall.open({ map });
  await expect(wall.heading).toHaveText('All devices');
  await expect.poll(() => wall.pointsAtSomething()).toBe(true);
  const spot = await wall.middle();
  for (const name of [...names, ...names]) {
    await wall.click(spot);
    await expect(wall.card).toContainText(name);
    await expect(wall.card).toContainText(`${names.indexOf(name) + 1} of 2 at this place`);
  }
  await wall.drag();
  await expect.poll(() => paramsOf(page).get('map')).not.toBe(map);
});

test(
  'a wall outlives its server, and a network that is gone',
  { tag: '@once' },
  async ({ user, server, wall, context }) => {
    const { swarm, tug } = await harbourWeather(user);
    await wall.open({ swarm: swarm.id, map });
    await expect(wall.live).toBeVisible();
    await expect.poll(() => wall.pointsAtSomething()).toBe(true);

    await server.end();
    await expect(wall.notLive).toBeVisible();
    await expect(wall.placed).toHaveText('2 of 3 on the map');
    expect(await wall.pointsAtSomething()).toBe(true);
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

test('what is not there, or not any more, is said', { tag: '@once' }, async ({ page, user, owner, wall, step }) => {
  await step('nobody in the swarm yet', async () => {
    const empty = await user.createSwarm({ name: 'Empty', description: 'Nobody yet.' });
    await wall.open({ swarm: empty.id });
    await expect(wall.note('No members yet')).toBeVisible();
  });
  await step('nothing at all', async () => {
    await wall.open({});
    await expect(wall.note('No devices yet')).toBeVisible();
  });
  await step('a device without a position', async () => {
    await user.add({ name: 'Hub', machine_type: 'pc' });
    await expect(wall.note('No device has a position yet')).toBeVisible();
  });
  await step('a swarm of others', async () => {
    const others = await owner.createSwarm({ name: 'Theirs', description: 'Of others.', public: true });
    await wall.open({ swarm: others.id });
    await expect(wall.fault('You can’t see the members of this swarm')).toBeVisible();
  });
  await step('a swarm that is destroyed while it is watched', async () => {
    const { swarm } = await harbourWeather(user);
    await wall.open({ swarm: swarm.id });
    await expect(wall.live).toBeVisible();
    const { origin } = new URL(page.url());
    await page.request.delete(`${origin}/api/swarms/${swarm.id}`, { headers: { origin } });
    await expect(wall.fault('Swarm not found')).toBeVisible();
  });
});

test(
  'a session that has ended is asked for again over the last picture',
  { tag: '@once' },
  async ({ user, wall, context }) => {
    const { swarm } = await harbourWeather(user);
    await wall.open({ swarm: swarm.id });
    await expect(wall.live).toBeVisible();
    await context.clearCookies();
    await expect(wall.signInAgain).toBeVisible();
  },
);
