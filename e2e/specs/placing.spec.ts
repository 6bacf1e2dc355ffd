import type { Track } from '@swarmdeck/bff/contract';
import type { Page } from 'playwright/test';
import { expectAccessible } from '../accessibility.ts';
import { connectDevice } from '../device-client.ts';
import { expect, test } from '../fixtures.ts';
import { harbourFleet } from '../fleet.ts';
import { SheetPart } from '../pages/sheet.part.ts';
import { expectTextSurvivesTurning, turn } from '../turn.ts';

/** While the phone is turned, while the keyboard is open, and after both. */
async function expectStaysWhileResized(page: Page, read: () => Promise<string[]>) {
  const before = await read();
  for (const size of [
    { width: 844, height: 390 },
    { width: 390, height: 500 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    await expect.poll(read).toEqual(before);
  }
}

/** A busy phone may draw the page that its keyboard has made smaller before the event that says so. */
const forgetKeyboardForFrames = (page: Page) =>
  page.evaluate(async () => {
    const root = document.documentElement;
    const nextFrame = () => new Promise(requestAnimationFrame);
    while (!root.hasAttribute('data-keyboard')) await nextFrame();
    root.removeAttribute('data-keyboard');
    for (let frame = 0; frame < 3; frame++) await nextFrame();
    root.setAttribute('data-keyboard', '');
  });

test('a device without a position is placed by a click on the map, on a phone under a pin', async ({
  page,
  user,
  home,
  device,
  layout,
  step,
}, { project }) => {
  const { id } = await user.add({ name: 'Depot phone 1', machine_type: 'smartphone' });
  await user.add({ name: 'Harbour hub 1', machine_type: 'pc', position: { longitude: 9.9, latitude: 53.5 } });
  await home.open();
  await step('the chip finds it', async () => {
    await home.toggle('No position');
    await expect(home.row('Depot phone 1')).toBeVisible();
    await expect(home.row('Harbour hub 1')).toBeHidden();
  });
  await step('the map waits for a click', async () => {
    await home.placeFromRow('Depot phone 1');
    await expect(home.map).toHaveAccessibleName(/Map to place Depot phone 1/);
    const size = page.viewportSize()!;
    await page.setViewportSize({ width: 844, height: 390 });
    await expect.poll(() => layout.hiddenOnMap()).toEqual([]);
    await page.setViewportSize(size);
  });
  await step('a click moves the marker or the map, and nothing is stored before it is confirmed', async () => {
    if (project.name === 'phone') {
      await page.context().grantPermissions(['geolocation']);
      await page.context().setGeolocation({ longitude: 8.8017, latitude: 53.0793, accuracy: 60 });
      await home.placeAtOwnLocation();
      await expect(page).toHaveURL(/map=[\d.]+(\/|%2F)53\.0793/);
      await home.clickMap({ across: 0.7, down: 0.2 });
      await expect(home.placeLatitude).not.toHaveValue(/^53\.0793/);
      await expect(home.placeLatitude).toHaveValue(/^53\.\d+$/);
      await new SheetPart(page).handle.press('ArrowUp');
      await expect(home.placeLatitude).toBeVisible();
      await expectStaysWhileResized(page, async () => [
        await home.placeLatitude.inputValue(),
        await home.placeLongitude.inputValue(),
        page.url(),
      ]);
    } else {
      await home.clickMap({ across: 0.7, down: 0.2 });
      await expect(home.placeHint).toContainText('Confirm the marker');
      await home.clickMap({ across: 0.8, down: 0.2 });
      const before = await home.marker.boundingBox();
      await home.dragMarker({ right: -60, down: 10, meanwhile: async () => undefined });
      await expect.poll(async () => (await home.marker.boundingBox())!.x).toBeLessThan(before!.x - 30);
    }
    const unchanged = await page.request.get(`/api/resources/${id}`);
    await expect(unchanged.json()).resolves.not.toHaveProperty('position');
  });
  await step('the device is on the map', async () => {
    await home.confirmPlace();
    await expect(home.card).toContainText('Depot phone 1');
    await home.showList();
    await expect(home.chip('No position')).toHaveText(/0$/);
  });
  const stored = await (await page.request.get(`/api/resources/${id}`)).json();
  expect(stored).toHaveProperty('position');
  await step('the list is sorted by the distance from where the user is', async () => {
    if (project.name === 'phone') {
      await home.toggle('No position');
      await home.sortBy('Nearest first');
      await expect.poll(() => home.names()).toEqual(['Depot phone 1', 'Harbour hub 1']);
      await expect(page).toHaveURL(/sort=near/);
      expect(new URL(page.url()).searchParams.has('near')).toBe(false);
    }
  });
  await step('on a phone, the map on its page moves under a pin too', async () => {
    if (project.name !== 'phone') return;
    await device.open(id);
    await expect(device.marker).toBeVisible();
    await device.startPlacing();
    await expect(device.marker).toHaveCount(0);
    await device.tapMap({ across: 0.4, down: 0.2 });
    await expect(device.saveButton).toBeVisible();
    await expectStaysWhileResized(page, async () => [
      await device.form.latitude.inputValue(),
      await device.form.longitude.inputValue(),
    ]);
    await device.save();
    await expect(device.marker).toBeVisible();
    const { position } = stored as { position: object };
    const read = async () => (await page.request.get(`/api/resources/${id}`)).json();
    await expect.poll(read).not.toMatchObject({ position });
  });
});

test(
  'on the smallest phone, the map has most of the room while a device is placed, and what is typed stays when a keyboard opens',
  { tag: '@phone' },
  async ({ page, user, home, layout }) => {
    const { id } = await user.add({ name: 'Depot phone 1', machine_type: 'smartphone' });
    await page.setViewportSize({ width: 320, height: 568 });
    await home.open();
    await home.placeFromRow('Depot phone 1');
    await expect(home.placing).toBeVisible();
    await expect.poll(() => home.freeHeightOfMap()).toBeGreaterThan(180);
    await expect.poll(() => layout.hiddenOnMap()).toEqual([]);
    await expect(home.placeLatitude).toBeHidden();
    await page.setViewportSize({ width: 390, height: 844 });
    await home.placeLatitude.fill('54.5');
    await page.setViewportSize({ width: 390, height: 500 });
    await forgetKeyboardForFrames(page);
    await expect(home.placeLatitude).toBeFocused();
    await home.placeLongitude.fill('10.25');
    await page.setViewportSize({ width: 320, height: 568 });
    await home.confirmPlace();
    const read = async () => (await page.request.get(`/api/resources/${id}`)).json();
    await expect.poll(read).toMatchObject({ position: { latitude: 54.5, longitude: 10.25 } });
  },
);

test.describe('with motion', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });

  for (const [size, text, font] of [
    [{ width: 390, height: 844 }, '100 %', 16],
    [{ width: 360, height: 740 }, '200 %', 32],
  ] as const) {
    test(
      `with text at ${text}, the pin begins where the form says`,
      { tag: ['@long', '@phone'] },
      async ({ page, user, home }) => {
        await user.addMany(harbourFleet().slice(0, 7));
        const devtools = await page.context().newCDPSession(page);
        await devtools.send('Page.setFontSizes', { fontSizes: { standard: font, fixed: font } });
        await page.setViewportSize(size);
        await home.open();
        await home.startAdding();
        await home.addForm.fill({ name: 'Depot phone 1', latitude: '52.53', longitude: '13.41' });
        await home.placeDraft();
        await expect(home.placing).toBeVisible();
        await expect(page).toHaveURL(/map=[\d.]+(\/|%2F)52\.53\d*(\/|%2F)13\.41/);
        await home.confirmPlace();
        await expect(home.addForm.latitude).toHaveValue(/^52\.53(0\d*)?$/);
        await expect(home.addForm.longitude).toHaveValue(/^13\.41(0\d*)?$/);
      },
    );
  }
});

test(
  'a device that is placed before the map is there begins where the form says, and keys move the map under the pin',
  { tag: '@phone' },
  async ({ page, user, home }) => {
    await user.addMany(harbourFleet().slice(0, 7));
    const { promise: requested, resolve: loadMap } = Promise.withResolvers<void>();
    await page.route(/assets.map-/, async (route) => {
      await requested;
      await route.continue();
    });
    await home.open();
    await home.startAdding();
    await home.addForm.fill({ name: 'Depot phone 1', latitude: '52.53', longitude: '13.41' });
    await home.placeDraft();
    await expect(home.placing).toBeVisible();
    loadMap();
    await expect(home.map).toBeVisible();
    await expect(page).toHaveURL(/map=[\d.]+(\/|%2F)52\.53\d*(\/|%2F)13\.41/);
    await expect(home.placeLatitude).toHaveValue('52.530000');
    await home.map.press('ArrowRight');
    const longitude = async () => Number(await home.placeLongitude.inputValue());
    await expect.poll(longitude).toBeGreaterThan(13.411);
    await home.confirmPlace();
    await expect(home.addForm.latitude).toHaveValue(/^52\.53(0\d*)?$/);
    await expect(home.addForm.longitude).not.toHaveValue(/^13\.41(0\d*)?$/);
  },
);

test(
  'an own member without a position is placed from the page of its swarm',
  { tag: '@once' },
  async ({ user, swarm, home }) => {
    const created = await user.createSwarm({ name: 'Depot', description: '' });
    const [unplaced, placed] = await user.addMany([
      { name: 'Depot phone 1', machine_type: 'smartphone' },
      { name: 'Harbour hub 1', machine_type: 'pc', position: { longitude: 9.9, latitude: 53.5 } },
    ]);
    for (const { id } of [unplaced!, placed!]) await user.join(created, { resource_id: id, resource_type: 'both' });
    await swarm.open(created.id);
    await swarm.openMenu('Harbour hub 1');
    await expect(swarm.menuItems.first()).toHaveText('Open device');
    await expect(swarm.menuItems.filter({ hasText: 'Place on map' })).toHaveCount(0);
    await swarm.closeMenu();
    await swarm.openMenu('Depot phone 1');
    await swarm.choose('Place on map');
    await expect(home.map).toHaveAccessibleName(/Map to place Depot phone 1/);
    // at the crosshair
    await home.confirmPlace();
    await expect(home.card).toContainText('Depot phone 1');
    await expect(home.toast(/^Placed at/)).toBeVisible();
  },
);

test(
  'a place that is typed is the position of a device that is placed',
  { tag: '@once' },
  async ({ page, user, home }) => {
    const { id } = await user.add({ name: 'Depot phone 1', machine_type: 'smartphone' });
    await home.open();
    await home.placeFromRow('Depot phone 1');
    await home.placeSearch.fill('nairo');
    await expect(home.foundPlaces.first()).toBeVisible();
    await expectAccessible({ page, title: 'place search' });
    const [found, coordinates] = await Promise.all([
      home.foundPlaces.last().boundingBox(),
      home.placeLatitude.boundingBox(),
    ]);
    expect(found!.y + found!.height, 'a result is above the coordinates').toBeLessThanOrEqual(coordinates!.y);
    await expectTextSurvivesTurning(page, home.placeSearch);
    await home.goToPlace('Nairobi, Kenya');
    await expect(page).toHaveURL(/map=\d[\d.]*(\/|%2F)-1\.[\d.]+(\/|%2F)36\.8\d+/);
    await expect(home.map).toHaveAccessibleName(/Map to place Depot phone 1/);
    await expect(home.map).toBeFocused();
    await home.confirmPlace();
    await expect(home.toast(/^Placed at -1\.\d+, 36\.\d+$/)).toBeVisible();
    await expect(home.card).toContainText('Depot phone 1');
    await expect(home.card, 'the focus of the removed button').toBeFocused();
    await expect
      .poll(async () => (await page.request.get(`/api/resources/${id}`)).json())
      .toMatchObject({
        position: { latitude: expect.closeTo(-1.3, 0), longitude: expect.closeTo(36.8, 0) },
      });
  },
);

test(
  'the first device is placed by keyboard on a map without a panel',
  { tag: ['@long', '@once'] },
  async ({ page, home }) => {
    // a part of the world where a city is near everywhere
    await home.open({ map: '6/50/9' });
    await home.startAdding();
    await home.addForm.fill({ name: 'Buoy 1', type: 'Bug' });
    await home.placeDraft();
    await expect(home.map).toBeFocused();
    // cancelling returns to the form
    await home.cancelPlacing.click();
    await expect(home.addForm.name).toHaveValue('Buoy 1');
    await home.placeDraft();
    await expect(home.map).toBeFocused();
    const edge = (await home.map.boundingBox())!.x;
    await expect.poll(async () => (await home.mapCredits.boundingBox())!.x).toBe(edge);
    // the search for a place is before the map
    await expect(home.cancelPlacing).toBeVisible();
    await page.keyboard.press('Shift+Tab');
    await expect(home.cancelPlacing).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowUp');
    await expect(home.spokenCross).toHaveText(/^Crosshair at \d+\.\d+, \d+\.\d+, (\d+ km from|near) \S+/);
    await page.keyboard.press('Enter');
    await expect(home.placeHint).toContainText(/Marker at \d+\.\d+, \d+\.\d+, (\d+ km from|near) \S+/);
    await page.keyboard.press('Enter');
    await expect(home.addForm.latitude).toHaveValue(/\d/);
    await expect(home.addForm.placeButton).toBeFocused();
    await home.confirmAdding();
    await expect(home.card).toContainText('Buoy 1');
  },
);

test(
  'on the page of a device, the map flies to a place that is typed',
  { tag: ['@long', '@once'] },
  async ({ page, user, device }) => {
    const { id } = await user.add({
      name: 'Van phone 6',
      machine_type: 'smartphone',
      position: { longitude: 10, latitude: 53 },
    });
    // the map arrives at once
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await device.open(id);
    await expect(device.heading).toHaveText('Van phone 6');
    await expect(device.placeSearch).toBeHidden();
    await device.startPlacing();
    await device.placeSearch.fill('nairo');
    await expect(device.foundPlaces.first()).toBeVisible();
    await expectTextSurvivesTurning(page, device.placeSearch);
    await device.goToPlace('Nairobi, Kenya');
    await expect(device.map).toBeFocused();
    await expectAccessible({ page, title: 'place search of a device' });
    // the map keeps its place
    await turn(page, () => expect(device.map).toBeVisible());
    await device.clickMap({ across: 0.6, down: 0.4 });
    await expect(device.form.longitude).toHaveValue(/^3[67]/);
    await expect(device.form.latitude).toHaveValue(/^[-−][01]/);
  },
);

test('a device is moved by its marker, by keyboard, by numbers and by a click or tap', async ({
  page,
  server,
  user,
  device,
  step,
}, { project }) => {
  const before = { longitude: 10, latitude: 53 };
  const { id } = await user.add({ name: 'Van phone 7', machine_type: 'smartphone', position: before });
  const shown = async () => ({
    longitude: Number(await device.form.longitude.inputValue()),
    latitude: Number(await device.form.latitude.inputValue()),
  });
  await step('its marker is at its position', async () => {
    await device.open(id);
    await expect(device.marker).toBeVisible();
    await expect.poll(shown).toEqual(before);
  });
  await step('dragged to the lower right, it is further south and east, also if it is renamed meanwhile', async () => {
    const far = connectDevice({ origin: server.origin, key: await user.createKey('far'), id });
    const meanwhile = async () => {
      await far.put({ name: 'Van phone 8' });
      await expect(device.heading).toHaveText('Van phone 8');
    };
    await device.dragMarker({ right: 60, down: 40, meanwhile });
    await expect.poll(async () => (await shown()).longitude).toBeGreaterThan(before.longitude);
    await expect.poll(async () => (await shown()).latitude).toBeLessThan(before.latitude);
  });
  await step('arrow keys move it', async () => {
    const { latitude } = await shown();
    await device.nudgeMarker('ArrowUp');
    await expect.poll(async () => (await shown()).latitude).toBeGreaterThan(latitude);
  });
  await step('numbers outside the valid range are rejected', async () => {
    await device.form.fill({ latitude: '91' });
    await device.save();
    await expect(device.form.error('From −90 to 90 degrees.')).toBeVisible();
  });
  await step('numbers move the marker', async () => {
    await device.form.fill({ latitude: '-33.9', longitude: '18.4' });
    await device.save();
    await expect(device.changedFields).toBeHidden();
  });
  await expect
    .poll(async () => (await page.request.get(`/api/resources/${id}`)).json())
    .toMatchObject({
      position: { latitude: -33.9, longitude: 18.4 },
    });
  await step('a click sets the position', async () => {
    await device.startPlacing();
    await device.clickMap({ across: 0.25, down: 0.25 });
    await expect.poll(async () => (await shown()).longitude).not.toBe(18.4);
    if (project.name === 'phone') {
      const { longitude } = await shown();
      await device.tapMap({ across: 0.75, down: 0.75 });
      await expect.poll(async () => (await shown()).longitude).toBeGreaterThan(longitude);
    }
    await device.save();
    await expect(device.changedFields).toBeHidden();
  });
  await step('its track is kept from then on, and a slider shows when it was where', async () => {
    await device.form.keepTrack.check();
    await device.form.expectedInterval.selectOption('Never expected');
    await device.save();
    await expect(device.changedFields).toBeHidden();
    const sensor = connectDevice({ origin: server.origin, key: await user.createKey('sensor'), id });
    const readTrack = async () => (await (await page.request.get(`/api/resources/${id}/track`)).json()) as Track;
    // It begins with the position that is there.
    await expect.poll(async () => (await readTrack()).points.length).toBe(1);
    let longitude = 18.4;
    const move = async () => {
      longitude += 0.001;
      await sensor.put({ position: { latitude: -33.9, longitude } });
      return (await readTrack()).points.length;
    };
    await expect.poll(move).toBeGreaterThan(2);
    await device.open(id);
    await expect(device.form.expectedInterval).toHaveValue('0');
    await expect(device.track).toBeVisible();
    if (project.name === 'phone')
      expect((await device.track.boundingBox())!.height, 'for a thumb').toBeGreaterThanOrEqual(44);
    const newest = await device.track.getAttribute('aria-valuetext');
    await device.track.press('Home');
    await expect(device.track).not.toHaveAttribute('aria-valuetext', newest!);
    const download = page.waitForEvent('download');
    await device.trackDownload.click();
    expect((await download).suggestedFilename()).toBe('track.geojson');
  });
});

test.describe('with a location', () => {
  test.use({ permissions: ['geolocation'], geolocation: { longitude: 8.8017, latitude: 53.0793 } });

  test(
    "a device takes the location of the user's own device",
    { tag: '@once' },
    async ({ page, user, device, step }) => {
      const { id } = await user.add({ name: 'Van phone 8', machine_type: 'smartphone' });
      await step('the coordinates are filled in', async () => {
        await device.open(id);
        await device.form.useOwnLocation();
        await expect(device.form.latitude).toHaveValue(/^53\.0793/);
        await expect(device.form.longitude).toHaveValue(/^8\.8017/);
      });
      await device.save();
      await expect(device.changedFields).toBeHidden();
      await expect
        .poll(async () => (await page.request.get(`/api/resources/${id}`)).json())
        .toMatchObject({
          position: { latitude: 53.0793, longitude: 8.8017 },
        });
    },
  );

  test(
    "the map shows the user's location, and placing starts at a location that was just found",
    { tag: '@once' },
    async ({ page, user, home, step }) => {
      await user.add({ name: 'Harbour hub 1', machine_type: 'pc', position: { longitude: 139.7, latitude: 35.7 } });
      const mapAt = async () => new URL(page.url()).searchParams.get('map')?.split('/').map(Number) ?? [];
      await home.open();
      await step('the point and its accuracy are drawn', async () => {
        await home.locate();
        await expect(home.ownLocation).toBeAttached();
        await expect.poll(async () => (await mapAt())[2]).toBeCloseTo(8.8, 0);
      });
      await step('one that is known to 9 km has all of these in view, and says so', async () => {
        await page.context().setGeolocation({ longitude: 8.8017, latitude: 53.0793, accuracy: 9000 });
        await expect(home.ownAccuracy).toHaveText('± 9,000 m');
        await home.locate();
        await expect.poll(async () => (await mapAt())[0]).toBeLessThan(12);
      });
      await step('Place on map starts at the location in the form, and Place here confirms it', async () => {
        await home.startAdding();
        await home.addForm.fill({ name: 'Van phone 10', type: 'Smartphone', latitude: '-33.9', longitude: '18.4' });
        await home.placeDraft();
        await expect.poll(async () => (await mapAt())[1]).toBeCloseTo(-33.9, 0);
        await expect.poll(async () => (await mapAt())[0]).toBeGreaterThan(8);
        await home.confirmPlace();
        await expect(home.addForm.latitude).toHaveValue('-33.9');
        await expect(home.addForm.longitude).toHaveValue('18.4');
      });
    },
  );
});

test('a denied location says how to allow it', { tag: '@once' }, async ({ user, device, home, step }) => {
  const { id } = await user.add({ name: 'Van phone 9', machine_type: 'smartphone' });
  await step('coordinates can still be typed', async () => {
    await device.open(id);
    await device.form.useOwnLocation();
    await expect(device.form.error(/^Location access is blocked/)).toBeVisible();
  });
  await step('on the map too', async () => {
    await home.open();
    await home.locate();
    await expect(home.locationBlocked).toBeVisible();
    await home.dismissNotice();
    await expect(home.locationBlocked).toBeHidden();
  });
});
