import { connectDevice } from '../device-client.ts';
import { expect, test } from '../fixtures.ts';
import { harbourFleet, longName } from '../fleet.ts';

test(
  'a first device is added, edited and found again',
  { tag: '@phone' },
  async ({ page, home, device, shell, step }) => {
    await step('the empty page says what to do', async () => {
      await home.open();
      await expect(home.firstRun).toBeVisible();
    });
    await step('the form names the missing field and keeps the typed values', async () => {
      await home.add({ description: 'By the north door', latitude: '52.9240', type: 'Bug' });
      await expect(home.addForm.name).toHaveAttribute('aria-invalid', 'true');
      await expect(home.addForm.name).toBeFocused();
      await expect(home.addForm.error('Enter both latitude and longitude.')).toBeVisible();
      await expect(home.addForm.description).toHaveValue('By the north door');
    });
    await step('the draft survives following the link to the import', async () => {
      await home.importInstead();
      await expect(shell.heading).toHaveText('Import devices');
      await page.goBack();
      await home.startAdding();
      await expect(home.addForm.description).toHaveValue('By the north door');
      await expect(home.addForm.type('Bug')).toBeChecked();
    });
    await step('numbers may have a decimal comma', async () => {
      await home.addForm.fill({ name: 'Greenhouse sensor 3', latitude: '52,9240', longitude: '12.2960' });
      await home.confirmAdding();
      await expect(home.card).toContainText('Greenhouse sensor 3');
      await expect(home.card).toContainText('52.924000, 12.296000');
    });
    await step('the device is in the list and in its count', async () => {
      await home.showList();
      await expect(home.row('Greenhouse sensor 3')).toBeVisible();
      await expect(home.count).toHaveText(/^1\b/);
      await home.select('Greenhouse sensor 3');
    });
    await step('its page shows all its fields', async () => {
      await home.openSelected();
      await expect(device.heading).toHaveText('Greenhouse sensor 3');
      await expect(device.form.description).toHaveValue('By the north door');
      await expect(device.form.type('Bug')).toBeChecked();
    });
    await step('changes are counted before they are saved', async () => {
      await device.form.fill({ name: 'Greenhouse sensor 4', description: '' });
      await expect(device.changedFields).toHaveText('2 fields changed');
    });
    await step('Discard asks, and restores the saved values', async () => {
      await device.keepEditing();
      await expect(device.changedFields).toHaveText('2 fields changed');
      await device.discardChanges();
      await expect(device.form.name).toHaveValue('Greenhouse sensor 3');
      await expect(device.form.description).toHaveValue('By the north door');
    });
    await step('an invalid field is named', async () => {
      await device.form.fill({ name: '   ' });
      await device.save();
      await expect(device.form.error('A name needs at least one visible character.')).toBeVisible();
    });
    await step('leaving with changes asks for confirmation', async () => {
      await device.form.fill({ name: 'Greenhouse sensor 4', type: 'Smartphone' });
      await device.back();
      await expect(device.leaveDialog).toBeVisible();
    });
    await step('staying keeps them', async () => {
      await device.stay();
      await expect(device.form.name).toHaveValue('Greenhouse sensor 4');
    });
    await step('the saved changes are shown everywhere', async () => {
      await device.save();
      await expect(device.heading).toHaveText('Greenhouse sensor 4');
      await expect(device.changedFields).toBeHidden();
      await device.back();
      await home.showList();
      await expect(home.row('Greenhouse sensor 4')).toBeVisible();
      await page.reload();
      await home.showList();
      await expect(home.row('Greenhouse sensor 4')).toBeVisible();
    });
  },
);

test('leaving a half-edited device can save it', { tag: '@once' }, async ({ page, user, home, device, step }) => {
  await user.add({ name: 'Tide gauge', machine_type: 'bug' });
  await home.open();
  await home.showList();
  await home.select('Tide gauge');
  await home.openSelected();
  await step('Back keeps the page and asks', async () => {
    await device.form.name.fill('Tide gauge north');
    await page.goBack();
    await expect(device.leaveDialog).toBeVisible();
    await expect(page).toHaveURL(/\/devices\//);
  });
  await step('after saving, it leads to the page before', async () => {
    await device.saveAndLeave();
    await expect(page).not.toHaveURL(/\/devices\//);
    await home.showList();
    await expect(home.row('Tide gauge north')).toBeVisible();
  });
  await step('what cannot be saved stays, with its error', async () => {
    await page.goForward();
    await expect(device.form.name).toHaveValue('Tide gauge north');
    await device.form.name.fill(' ');
    await device.back();
    await device.saveAndLeave();
    await expect(device.leaveDialog).toBeHidden();
    await expect(device.form.error('A name needs at least one visible character.')).toBeVisible();
    await page.goBack();
    await device.leave();
    await expect(page).not.toHaveURL(/\/devices\//);
  });
});

test('device names are shown as text only', { tag: '@once' }, async ({ user, home, device }) => {
  const shown = '<img src=x onerror=alert(1)> "quoted" right to left';
  const name = shown.replace('right', '\u202Eright');
  const { id } = await user.add({ name, machine_type: 'pc', position: { longitude: 10, latitude: 53 } });
  await home.open({ sel: id });
  await expect(home.card).toContainText(shown);
  await device.open(id);
  await expect(device.heading).toContainText(shown);
  await expect(device.form.name).toHaveValue(name);
});

test('the list is searched, filtered, sorted and reset', { tag: '@once' }, async ({ page, user, home, step }) => {
  await user.addMany([
    { name: 'Quay crane 1', machine_type: 'smartphone', position: { longitude: 9.9, latitude: 53.5 } },
    { name: 'Quay crane 2', machine_type: 'pc', description: 'on the west side' },
    { name: 'Quay crane 10', machine_type: 'pc', position: { longitude: 10.1, latitude: 53.6 } },
    { name: longName, machine_type: 'bug', position: { longitude: 4.4, latitude: 51.9 } },
  ]);
  await step('all devices are sorted by name, with numbers in numeric order', async () => {
    await home.open();
    await expect(home.count).toHaveText(/^4\b/);
    await expect.poll(() => home.names()).toEqual([longName, 'Quay crane 1', 'Quay crane 2', 'Quay crane 10']);
    for (const [chip, count] of [
      ['PC', 2],
      ['Bug', 1],
      ['Smartphone', 1],
      ['No swarm', 4],
      ['No position', 1],
    ] as const) {
      await expect(home.chip(chip)).toHaveText(new RegExp(`${chip}\\s*${count}$`));
    }
  });
  await step('search ignores case and includes descriptions', async () => {
    await home.search('WEST SIDE');
    await expect(home.count).toHaveText(/^1 of 4\b/);
    await expect.poll(() => home.names()).toEqual(['Quay crane 2']);
    await expect(page).toHaveURL(/q=WEST/);
  });
  await step('chips show how many devices they match', async () => {
    await home.search('quay');
    await expect(home.chip('Bug')).toHaveText(/0$/);
    await home.toggle('PC');
    await expect(home.chip('PC')).toHaveAttribute('aria-pressed', 'true');
    await expect.poll(() => home.names()).toEqual(['Quay crane 2', 'Quay crane 10']);
    await home.toggle('No position');
    await expect.poll(() => home.names()).toEqual(['Quay crane 2']);
  });
  await step('each filter of an empty result shows how many devices it hides', async () => {
    await home.search('nothing at all');
    await expect(home.nothingMatches).toHaveText('No devices match all 3 filters');
  });
  await step('the URL holds the state', async () => {
    await page.reload();
    await expect(home.nothingMatches).toBeVisible();
    await expect(home.chip('PC')).toHaveAttribute('aria-pressed', 'true');
  });
  await step('removing one filter shows the devices that it hid', async () => {
    await home.takeOff(/^Remove.*nothing at all/);
    await expect.poll(() => home.names()).toEqual(['Quay crane 2']);
  });
  await step('all filters are removed at once', async () => {
    await home.search('nothing at all');
    await home.clearFilters();
    await expect(home.count).toHaveText(/^4\b/);
  });
  await step('the list can be sorted by last change', async () => {
    await home.sortBy('Newest');
    await expect(page).toHaveURL(/sort=-created/);
    await expect(home.rows).toHaveCount(4);
    // the rows of the previous order are dimmed
    await expect(home.scroller).not.toHaveAttribute('aria-busy');
  });
  await step('devices without a swarm', async () => {
    await home.toggle('No swarm');
    await expect(page).toHaveURL(/swarm=none/);
    await expect(home.count).toHaveText(/^4 of 4\b/);
    await expect(home.scroller, 'rows of other filters are dimmed').not.toHaveAttribute('aria-busy');
  });
});

test('In view makes the list follow the map', { tag: ['@long', '@once'] }, async ({ page, user, home, step }) => {
  await user.addMany(harbourFleet().slice(0, 30));
  await home.open({ map: '11/59.3/18.0' });
  await expect(home.count).toHaveText(/^30\b/);
  await step("no device is in the map's view", async () => {
    await home.toggleInView();
    await expect(home.nothingMatches).toBeVisible();
    await expect(page).toHaveURL(/in_view=1/);
  });
  await step('all devices are in a view of the world', async () => {
    await home.fit();
    await expect(home.count).toHaveText(/^(29|30) of 30\b/);
  });
});

test(
  'rows keep their order while devices change, until the user sorts again',
  { tag: ['@once', '@clock'] },
  async ({ page, user, server, home, step }) => {
    const first = await user.add({ name: 'Row A', machine_type: 'pc' });
    for (const name of ['Row B', 'Row C']) await user.add({ name, machine_type: 'pc' });
    const far = connectDevice({ origin: server.origin, key: await user.createKey('far'), id: first.id });
    await home.open({ sort: '-changed' });
    await expect.poll(() => home.names()).toEqual(['Row C', 'Row B', 'Row A']);
    await step('changes are counted', async () => {
      await far.put({ description: 'changed' });
      await page.clock.runFor(20_000);
      await expect(home.changedNotice).toHaveText('1 updated · Re-sort');
      await expect.poll(() => home.names()).toEqual(['Row C', 'Row B', 'Row A']);
    });
    await home.sortAgain();
    await expect.poll(() => home.names()).toEqual(['Row A', 'Row C', 'Row B']);
    await expect(home.changedNotice).toBeHidden();
  },
);

test(
  'menus and the legend are read by screen readers',
  { tag: ['@long', '@once'] },
  async ({ page, user, home, step }) => {
    await user.addMany(harbourFleet().slice(0, 40));
    await home.open();
    await expect(home.count).toHaveText(/^40\b/);
    await step('the legend', async () => {
      await home.showLegend();
      await expect(home.legend).toBeVisible();
    });
    await page.keyboard.press('Escape');
    await expect(home.legend).toBeHidden();
    await step('the sort menu', async () => {
      await home.openOrders();
      await expect(home.order('Name')).toHaveAttribute('aria-checked', 'true');
    });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/sort=-changed/);
  },
);

test('a double click opens a device', { tag: '@once' }, async ({ user, home, device }) => {
  await user.add({ name: 'Buoy 7', machine_type: 'bug' });
  await home.open();
  await home.row('Buoy 7').dblclick();
  await expect(device.heading).toHaveText('Buoy 7');
});

test(
  'coordinates are copied with one click, and a device is shared',
  { tag: '@once' },
  async ({ context, page, user, home }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    // Chromium has no share dialog on Linux.
    const shared = Promise.withResolvers<unknown>();
    await page.exposeFunction('onShare', shared.resolve);
    await page.addInitScript('navigator.share = (data) => window.onShare(data)');
    const { id } = await user.add({
      name: 'Buoy 7',
      machine_type: 'bug',
      position: { longitude: 9.9, latitude: 53.5 },
    });
    await home.open();
    await home.select('Buoy 7');
    await expect(home.copyPosition()).resolves.toBe('53.500000, 9.900000');
    await home.shareSelected();
    await expect(shared.promise).resolves.toEqual({ title: 'Buoy 7', url: new URL(`/devices/${id}`, page.url()).href });
  },
);

test('a page that is loading has a heading', { tag: '@once' }, async ({ page, user, device, swarm, step }) => {
  const { id } = await user.add({ name: 'Silo sensor 5', machine_type: 'bug' });
  const { id: swarm_id } = await user.createSwarm({ name: 'Harbour weather', description: '' });
  // neither answers before the journey ends
  await page.route(new RegExp(`/api/(resources|swarms)/(${id}|${swarm_id})`), () => {});
  await step('of a device', async () => {
    await device.open(id);
    await expect(device.heading).toHaveText('Loading the device');
  });
  await step('of a swarm', async () => {
    await swarm.open(swarm_id);
    await expect(device.heading).toHaveText('Loading');
  });
});
