import { randomUUID } from 'node:crypto';
import { invite, inviteDevices } from '../invitations.ts';
import { harbourFleet } from '../fleet.ts';
import { expect, test } from '../fixtures.ts';

test('a finger drags the sheet of the home page by its header and by its list, and Back restores the list', async ({
  page,
  user,
  home,
  device,
  sheet,
  step,
}) => {
  await user.addMany(harbourFleet().slice(0, 40));
  await home.open();
  await expect(home.rows.first()).toBeVisible();
  const half = await sheet.height();
  await step('the lowest position shows the header and leaves the map where it is', async () => {
    await sheet.swipe({ from: home.heading, by: 300 });
    await expect.poll(() => sheet.height()).toBeLessThan(half / 2);
    await expect(home.heading).toBeInViewport();
  });
  await step('dragging the list raises the sheet before it scrolls', async () => {
    await sheet.handle.click();
    await expect.poll(() => sheet.height()).toBe(half);
    await sheet.swipe({ from: home.rows.nth(2), by: -300 });
    await expect.poll(() => sheet.height()).toBeGreaterThan(half + 100);
    await expect.poll(() => sheet.scrolled()).toBe(0);
    await sheet.swipe({ from: home.rows.nth(5), by: -300 });
    await expect.poll(() => sheet.scrolled()).toBeGreaterThan(100);
  });
  await step('Back closes a card: same height, scroll position and row', async () => {
    const [high, scrolled] = [await sheet.height(), await sheet.scrolled()];
    const row = home.rowButton(9);
    await row.click();
    await expect(home.card).toBeVisible();
    await page.goBack();
    await expect(home.card).toBeHidden();
    await expect(row).toBeFocused();
    await expect.poll(() => sheet.scrolled()).toBe(scrolled);
    await expect.poll(() => sheet.height()).toBe(high);
  });
  await step('a card goes aside to the next device, up to the whole one, and down to close', async () => {
    const nameOf = async (row: number) => (await home.rowButton(row).textContent())!.split(',')[0]!;
    const [name, next] = [await nameOf(9), await nameOf(10)];
    await home.rowButton(9).click();
    await expect(home.cardHeading).toHaveText(name);
    await sheet.swipe({ from: home.card, aside: -200 });
    await expect(home.cardHeading).toHaveText(next);
    await sheet.swipe({ from: home.card, aside: 200 });
    await expect(home.cardHeading).toHaveText(name);
    await sheet.swipe({ from: home.card, by: -150 });
    await expect(device.heading).toHaveText(name);
    await page.goBack();
    await expect(home.card).toBeVisible();
    await sheet.cardHandle.press('ArrowUp');
    await expect(device.heading).toHaveText(name);
    await page.goBack();
    await expect(home.card).toBeVisible();
    await sheet.swipe({ from: home.card, by: 150 });
    await expect(home.card).toBeHidden();
    await expect.poll(() => sheet.height()).toBe(half);
  });
  await step('Back lowers the sheet', async () => {
    await sheet.swipe({ from: home.heading, by: -300 });
    await expect.poll(() => sheet.height()).toBeGreaterThan(half + 100);
    await page.goBack();
    await expect.poll(() => sheet.height()).toBe(half);
  });
  await step('dragging the list down at its top lowers the sheet', async () => {
    await sheet.toTop();
    await expect.poll(() => sheet.scrolled()).toBe(0);
    await expect(home.rows.first()).toBeInViewport({ ratio: 1 });
    await sheet.swipe({ from: home.rows.nth(1), by: 250 });
    await expect.poll(() => sheet.height()).toBeLessThan(half / 2);
  });
});

test.describe('with motion', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });

  test('the home page does not jump while it loads', async ({ page, user, home, layout }) => {
    await user.addMany(harbourFleet().slice(0, 20));
    await page.addInitScript(() => {
      const shifts: number[] = [];
      Object.assign(globalThis, { shifts });
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value);
      });
      observer.observe({ type: 'layout-shift', buffered: true });
    });
    await home.open();
    await expect(home.rows.first()).toBeVisible();
    await layout.ready();
    const shifts = await page.evaluate(() => (globalThis as unknown as { shifts: number[] }).shifts);
    expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.05);
  });
});

test('the members of a swarm are in a sheet over their map', async ({ page, user, swarm, sheet, step }) => {
  const fleet = await user.addMany(harbourFleet().slice(0, 20));
  const weather = await user.createSwarm({ name: 'Harbour weather', description: '' });
  for (const { id } of fleet) await user.join(weather, { resource_id: id, resource_type: 'producer' });
  await swarm.open(weather.id);
  await expect(swarm.memberRows.first()).toBeVisible();
  const half = await sheet.height();
  await step('raised, the sheet covers nearly the whole page', async () => {
    await sheet.swipe({ from: swarm.memberRows.nth(1), by: -300 });
    await expect.poll(() => sheet.height()).toBeGreaterThan(half + 100);
    await expect(swarm.memberRows.nth(5)).toBeInViewport({ ratio: 1 });
  });
  await step('Back shows the map again', async () => {
    await page.goBack();
    await expect.poll(() => sheet.height()).toBe(half);
    await expect(swarm.heading).toBeVisible();
  });
});

test(
  'the first tap counts while the on-screen keyboard is open',
  { tag: '@long' },
  async ({ page, user, home, swarm, device, sheet, step }) => {
    const [first] = await user.addMany(harbourFleet().slice(0, 20));
    const weather = await user.createSwarm({ name: 'Harbour weather', description: '' });
    await user.join(weather, { resource_id: first!.id, resource_type: 'producer' });
    await step('on a device that was searched', async () => {
      await home.open();
      await home.search(first!.name);
      await expect(home.rows).toHaveCount(1);
      await sheet.openKeyboard();
      await home.rowButton(0).tap();
      await expect(home.card).toBeVisible();
      await sheet.closeKeyboard();
    });
    await step('on a city', async () => {
      const { id } = await user.add({ name: 'Buoy 7', machine_type: 'bug' });
      await device.open(id);
      await device.placeSearch.fill('Kiel');
      await expect(device.foundPlaces.first()).toBeVisible();
      await sheet.openKeyboard();
      await device.foundPlaces.first().tap();
      await expect(device.foundPlaces).toHaveCount(0);
      await sheet.closeKeyboard();
    });
    await step('Save and the buttons of a dialog stay above the keyboard', async () => {
      await device.form.name.fill('Buoy 8');
      await device.form.name.focus();
      await sheet.openKeyboard();
      await expect(device.saveButton).toBeInViewport({ ratio: 1 });
      await sheet.closeKeyboard();
      await device.discardChanges();
      await home.open();
      await home.startAdding();
      await home.addForm.name.focus();
      await sheet.openKeyboard();
      await expect(home.addSubmit).toBeInViewport({ ratio: 1 });
      await page.keyboard.press('Escape');
      await sheet.closeKeyboard();
    });
    await step('on a member, in a sheet that is raised for the search', async () => {
      await swarm.open(weather.id);
      await swarm.searchField.tap();
      await expect.poll(() => sheet.height()).toBeGreaterThan(500);
      await swarm.searchField.fill(first!.name);
      await sheet.openKeyboard();
      await expect(swarm.memberRows).toHaveCount(1);
      await swarm.memberButton(first!.name).tap();
      await expect(page).toHaveURL(/sel=/);
      await sheet.closeKeyboard();
    });
  },
);

test('toasts are above the buttons of the card', async ({ user, home, shell }) => {
  await user.add({ name: 'Buoy 7', machine_type: 'bug' });
  await user.act({ kind: 'update', about: { machine_type: 'pc' }, items: [{ id: randomUUID(), name: 'Gone' }] });
  await home.open();
  await home.select('Buoy 7');
  await home.copyId();
  for (const toast of [home.dismissToast, shell.undoToasts]) {
    await expect(toast).toBeVisible();
    const spaceBetween = async () => {
      const [over, card] = [await toast.boundingBox(), await home.card.boundingBox()];
      return card!.y - over!.y - over!.height;
    };
    await expect.poll(spaceBetween).toBeGreaterThanOrEqual(0);
  }
});

test(
  'that the page is not live is said above the coordinates and buttons of the card',
  { tag: '@page' },
  async ({ page, user, home, shell }) => {
    await user.add({ name: 'Buoy 7', machine_type: 'bug', position: { longitude: 10, latitude: 54 } });
    await page.route('**/api/events?*', (route) => route.fulfill({ status: 503, body: 'no' }));
    await home.open();
    await home.select('Buoy 7');
    await expect(shell.notLive).toBeVisible();
    await expect
      .poll(async () => {
        const [over, card] = [await shell.notLive.boundingBox(), await home.card.boundingBox()];
        return card!.y - over!.y - over!.height;
      })
      .toBeGreaterThan(0);
  },
);

test('a phone in landscape shows rows, and never Accept without the consent text', async ({
  page,
  user,
  owner,
  home,
  inbox,
}) => {
  await page.setViewportSize({ width: 844, height: 390 });
  await user.addMany(harbourFleet().slice(0, 20));
  await inviteDevices({ user, owner, names: ['Silo sensor 5'] });
  await home.open();
  await expect(home.rows.nth(1)).toBeInViewport({ ratio: 0.9 });
  await inbox.goto();
  await inbox.acceptInPane.scrollIntoViewIfNeeded();
  await expect(inbox.consent).toBeInViewport({ ratio: 1 });
  // upright, nobody has opened it; then the text leaves room for the invitation
  await page.setViewportSize({ width: 390, height: 844 });
  await inbox.select('Silo sensor 5');
  // while the page changes its layout, there is none
  await expect.poll(async () => (await inbox.consent.boundingBox())?.height ?? Infinity).toBeLessThan(844 / 5);
});

test(
  'in landscape, two rows are whole, the others are reached, and placing and the wall leave most of the screen to their map',
  { tag: '@long' },
  async ({ page, user, owner, home, inbox, wall, shell }) => {
    await page.setViewportSize({ width: 844, height: 390 });
    await user.addMany([...harbourFleet().slice(0, 20), { name: 'Depot phone 1', machine_type: 'smartphone' }]);
    await inviteDevices({ user, owner, names: ['Silo sensor 5', 'Gate sensor 18', 'Buoy 7'] });
    await home.open({ q: 'Depot phone 1' });
    await home.placeFromRow('Depot phone 1');
    // beside the whole map, without the list
    await expect(home.panel).toBeHidden();
    await expect.poll(async () => (await home.placing.boundingBox())!.x).toBeGreaterThan(844 / 2);
    await home.open();
    await expect(home.rows.nth(1)).toBeInViewport({ ratio: 1 });
    await home.rows.nth(6).scrollIntoViewIfNeeded();
    await expect(home.rows.nth(6)).toBeInViewport({ ratio: 1 });
    await inbox.goto();
    for (const name of ['Buoy 7', 'Silo sensor 5']) {
      await inbox.answerButton(name, 'Accept').scrollIntoViewIfNeeded();
      await expect(inbox.answerButton(name, 'Accept')).toBeInViewport({ ratio: 1 });
    }
    await shell.themeButton.scrollIntoViewIfNeeded();
    await expect(shell.themeButton).toBeInViewport({ ratio: 1 });
    await wall.open({});
    await expect(wall.placed).toBeVisible();
    const panel = async () => (await wall.panel.boundingBox())!;
    await expect.poll(async () => (await panel()).x + (await panel()).width).toBeLessThan(844 / 3);
    await expect.poll(async () => (await panel()).height).toBeLessThan(390 / 2);
  },
);

test('an invitation that arrives moves no row of a list that is shorter than the screen', async ({
  page,
  user,
  owner,
  inbox,
  shell,
}) => {
  const { swarm } = await inviteDevices({ user, owner, names: ['Silo sensor 5', 'Gate sensor 18'] });
  await inbox.goto();
  await expect(inbox.row('Gate sensor 18')).toBeVisible();
  // what arrives while the list opens does not hide above it: it has opened when the stream brings a change
  await expect(shell.settled).toBeAttached();
  await owner.changeSwarm(swarm, { name: 'Levels of the Elbe' });
  await expect(inbox.row('Gate sensor 18')).toContainText('Levels of the Elbe');
  const top = await inbox.topOf('Gate sensor 18');
  await invite({ user, owner, swarm, device: await user.add({ name: 'Buoy 7', machine_type: 'bug' }) });
  await expect(inbox.arrivals).toHaveText('1 new');
  await expect.poll(() => inbox.topOf('Gate sensor 18')).toBe(top);
  // as when the browser hides its bar
  await page.setViewportSize({ width: 390, height: 900 });
  await expect.poll(() => page.evaluate(() => innerHeight)).toBe(900);
  await expect.poll(() => inbox.topOf('Gate sensor 18')).toBe(top);
  await expect(inbox.arrivals).toHaveText('1 new');
  await inbox.arrivals.tap();
  await expect(inbox.row('Buoy 7')).toBeInViewport({ ratio: 1 });
  await expect(inbox.arrivals).toBeHidden();
});

test('a finger opens and closes the legend of the wall by its header', async ({ user, wall, sheet }) => {
  await user.add({ name: 'Buoy 7', machine_type: 'bug', position: { longitude: 9.9, latitude: 53.5 } });
  await wall.open({});
  await sheet.swipe({ from: wall.legend, by: -120 });
  await expect(wall.layer('Bug')).toBeVisible();
  await sheet.swipe({ from: wall.legend, by: 120 });
  await expect(wall.layer('Bug')).toBeHidden();
});

test('the menu of the swarm filter is inside the screen after its chip was scrolled into view', async ({
  user,
  home,
}) => {
  const { id } = await user.add({ name: 'Buoy 1', machine_type: 'bug' });
  const swarm = await user.createSwarm({ name: 'Harbour weather', description: '' });
  await user.join(swarm, { resource_id: id, resource_type: 'producer' });
  await home.open();
  await home.chip('Swarm').click();
  await expect(home.anySwarm).toBeInViewport({ ratio: 1 });
});

test(
  'every button of a map can be pressed on the lowest screen',
  { tag: '@long' },
  async ({ page, user, layout, step }) => {
    test.slow();
    await page.setViewportSize({ width: 320, height: 568 });
    const [first] = await user.addMany(harbourFleet().slice(0, 20));
    const swarm = await user.createSwarm({ name: 'Harbour weather', description: '', public: true });
    if (!first) throw new Error('there is no fleet');
    await user.join(swarm, { resource_id: first.id, resource_type: 'both' });
    const urls = [
      '/',
      `/?sel=${first.id}`,
      `/devices/${first.id}`,
      `/swarms/${swarm.id}`,
      `/swarms/${swarm.id}?sel=${first.id}`,
      `/swarms/${swarm.id}/map`,
      `/swarms/${swarm.id}/map?sel=${first.id}`,
      '/map',
    ];
    // long-names.spec.ts checks the others in English; there, the card of a long name covers a button of the wall
    const inEnglish = `/swarms/${swarm.id}/map?sel=${first.id}`;
    const fromRightToLeft = urls.map((url) => `${url}${url.includes('?') ? '&' : '?'}lang=en-XR`);
    for (const url of [inEnglish, ...fromRightToLeft]) {
      await step(url, async () => {
        await page.goto(url);
        await layout.ready();
        await expect.poll(() => layout.hiddenOnMap()).toEqual([]);
        await expect.poll(() => layout.overflowing()).toEqual([]);
      });
    }
  },
);

test('a long press selects a row, and Back ends the selection before it leaves the page', async ({
  page,
  user,
  home,
  sheet,
  layout,
}) => {
  await user.addMany(harbourFleet().slice(0, 20));
  await page.goto('/swarms');
  await layout.destination(0).click();
  await sheet.hold(home.rowButton(1));
  await expect(home.selectionBar).toContainText('1 selected');
  await sheet.release();
  await expect(home.card).toBeHidden();
  await home.rowButton(2).tap();
  await expect(home.selectionBar).toContainText('2 selected');
  await page.goBack();
  await expect(home.selectionBar).toBeHidden();
  await expect(home.heading).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL('/swarms');
});

test('the QR code names its device and stays when the phone is rotated', async ({ page, user, device }) => {
  const { id } = await user.add({ name: 'Buoy 7', machine_type: 'bug' });
  await device.open(id);
  await device.showCode.tap();
  await expect(device.codeOf('Buoy 7')).toBeVisible();
  await page.setViewportSize({ width: 844, height: 390 });
  await expect(device.enlargeCode).toBeAttached();
  await expect(device.codeOf('Buoy 7')).toBeVisible();
});

test('a tapped button does not keep the colour of the pointer over it', async ({ user, home }) => {
  await user.add({ name: 'Buoy 7', machine_type: 'bug' });
  await home.open();
  const chip = home.chip('Bug');
  const colour = () => chip.evaluate((element) => getComputedStyle(element).backgroundColor);
  const before = await colour();
  await chip.tap();
  await expect(chip).toHaveAttribute('aria-pressed', 'true');
  await chip.tap();
  await expect(chip).toHaveAttribute('aria-pressed', 'false');
  await expect.poll(colour).toBe(before);
});

test('one finger on the map of a device scrolls its page', async ({ user, device, sheet }) => {
  const position = { longitude: 10, latitude: 53 };
  const { id } = await user.add({ name: 'Van phone 7', machine_type: 'smartphone', position });
  await device.open(id);
  await expect(device.marker).toBeInViewport();
  const top = async () => (await device.map.boundingBox())!.y;
  const beside = async () => (await device.marker.boundingBox())!.y - (await top());
  const [before, centred] = [await top(), await beside()];
  // it is shown for a moment only
  const hint = device.twoFingers.waitFor();
  await sheet.swipe({ from: device.map, by: -150, across: 0.2 });
  await hint;
  await expect.poll(top).toBeLessThan(before - 80);
  await expect.poll(beside).toBeCloseTo(centred, 0);
  await expect(device.twoFingers).toBeHidden();
});

test('the question whether to discard what was typed stays while a phone is turned', async ({ page, user, device }) => {
  const { id } = await user.add({ name: 'Buoy 7', machine_type: 'bug' });
  await device.open(id);
  await device.form.name.fill('Buoy 8');
  await device.discardButton.click();
  await page.setViewportSize({ width: 844, height: 390 });
  await expect(device.heading).toBeVisible();
  await expect(device.discardQuestion).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(device.discardQuestion).toBeVisible();
  await device.discard();
  await expect(device.form.name).toHaveValue('Buoy 7');
});

test('after a phone was turned, the card leaves the map free, and Back closes it', async ({ page, user, home }) => {
  await user.add({ name: 'Buoy 7', machine_type: 'bug', position: { longitude: 10, latitude: 53 } });
  await home.open();
  await home.select('Buoy 7');
  await expect(home.card).toContainText('Buoy 7');
  await page.setViewportSize({ width: 844, height: 390 });
  await expect(home.card).toBeInViewport();
  await expect(home.row('Buoy 7')).toBeHidden();
  // nothing covers it
  await home.zoomIn.click();
  await page.goBack();
  await expect(home.card).toBeHidden();
  await expect(home.row('Buoy 7')).toBeVisible();
});
