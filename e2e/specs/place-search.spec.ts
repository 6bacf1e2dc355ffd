import { expect, test } from '../fixtures.ts';
import { NamesPart } from '../pages/names.part.ts';
import { PalettePart } from '../pages/palette.part.ts';

const kiel = { longitude: 10.135, latitude: 54.321 };

test(
  'the map flies to any place that is typed, without asking another server',
  { tag: '@once' },
  async ({ page, user, home, step }) => {
    const palette = new PalettePart(page);
    await user.add({ name: 'Buoy 1', machine_type: 'bug', position: kiel });
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));

    await step("the beginning of a city's name finds it", async () => {
      await home.open({ q: 'buoy' });
      await palette.open();
      await palette.type('nairo');
      await expect(palette.group('Places')).toContainText('Go to Nairobi, Kenya');
    });
    await step('the current map flies there and keeps its filters', async () => {
      await palette.choose(/^Go to Nairobi, Kenya/);
      await expect(page).toHaveURL(/map=\d[\d.]*(\/|%2F)-1\.2\d+(\/|%2F)36\.8\d+/);
      await expect(page).toHaveURL(/q=buoy/);
    });
    await step('from another page, the map of the devices opens there', async () => {
      await page.goto('/account');
      await palette.open();
      await palette.type('go to kiel');
      await palette.choose(/^Go to Kiel, Germany/);
      await expect(page).toHaveURL(/\/\?map=1\d(\.\d+)?(\/|%2F)54\.3\d+(\/|%2F)10\.1\d+/);
      await expect(home.map).toBeVisible();
    });
    await step('accents are optional, and countries are found too', async () => {
      await palette.open();
      await palette.type('lodz');
      await expect(palette.group('Places')).toContainText('Go to Łódź, Poland');
      await palette.type('zealand');
      await expect(palette.group('Places')).toContainText('Go to New Zealand');
    });
    await step('places of the same name and country are distinguished by their positions', async () => {
      await palette.type('springfield');
      await expect(palette.places.first()).toContainText(/Go to Springfield, United States \(\d\d\.\d, -\d+\.\d\)/);
      const names = await palette.places.allTextContents();
      expect(new Set(names).size).toBe(names.length);
      expect(names.length).toBeGreaterThan(1);
    });
    const files = requests.filter((url) => !url.includes('/api/') && !url.includes('/auth/'));
    expect(files.filter((url) => /nairo|kiel|lodz|zealand/i.test(url))).toEqual([]);
  },
);

test('places are found without a network', { tag: '@once' }, async ({ page, user, home, context }) => {
  const palette = new PalettePart(page);
  await user.add({ name: 'Buoy 1', machine_type: 'bug', position: kiel });
  await home.open();
  await expect(home.row('Buoy 1')).toBeVisible();
  await palette.open();
  await palette.type('kiel');
  await expect(palette.group('Places')).toContainText('Go to Kiel, Germany');
  await context.setOffline(true);
  await palette.type('suva');
  await expect(palette.group('Places')).toContainText('Go to Suva, Fiji');
});

test(
  'countries and cities are named on the map, and never below a device',
  { tag: '@once' },
  async ({ page, user, home, device }) => {
    const names = new NamesPart(page);
    const { id } = await user.add({ name: 'Buoy 1', machine_type: 'bug', position: kiel });
    await home.open({ map: '6/51/10' });
    await expect.poll(() => names.painted()).toBeGreaterThan(2000);

    await device.open(id);
    await expect.poll(() => names.painted()).toBeGreaterThan(200);
    // the marker at the centre covers the dot of Kiel
    await expect.poll(() => names.painted(18)).toBe(0);
  },
);

test(
  'the built-in map requests only its own server, from the world to a street',
  { tag: ['@long', '@once', '@page'] },
  async ({ page, user, home, server }) => {
    const names = new NamesPart(page);
    await user.add({ name: 'Buoy 1', machine_type: 'bug', position: kiel });
    const requests = new Set<string>();
    // requests of the page and of its workers
    page.context().on('request', (request) => requests.add(request.url()));
    for (const zoom of [2, 6, 10, 14]) {
      await home.open({ map: `${zoom}/54.3/10.1` });
      await expect.poll(() => names.painted()).toBeGreaterThan(100);
    }
    const origins = new Set(
      [...requests]
        .map((url) => new URL(url))
        .map(({ protocol, origin }) => (protocol === 'http:' ? origin : protocol)),
    );
    expect([...origins].filter((origin) => origin !== 'blob:' && origin !== 'data:')).toEqual([server.origin]);
    const files = [...requests].filter((url) => url.endsWith('.bin'));
    const cells = files.flatMap((url) => /\/cells-[^/]+\/(\w+-\d+)\.bin$/.exec(url)?.[1] ?? []);
    // outlines at two levels of detail, lakes and rivers, places at two
    expect(files.length - cells.length).toBe(5);
    // west and east of 10 degrees
    const near = [522, 523].flatMap((cell) => ['land', 'water', 'towns', 'villages'].map((kind) => `${kind}-${cell}`));
    expect(cells.toSorted()).toEqual(near.toSorted());
  },
);
