import type { ListedMember } from '@swarmdeck/bff/contract';
import { runPending } from '../actions.ts';
import { failInside, failUntilClick } from '../intercept-requests.ts';
import { expect, test } from '../fixtures.ts';

test(
  'a swarm is created, filled, edited and deleted',
  { tag: ['@phone', '@clock'] },
  async ({ page, user, shell, swarms, swarm, step }) => {
    await user.add({ name: 'Harbour hub 1', machine_type: 'pc', position: { longitude: 10, latitude: 54 } });
    await user.add({ name: 'Harbour hub 2', machine_type: 'bug' });

    await step('the empty page says what to do', async () => {
      await swarms.open();
      await expect(swarms.nothing).toHaveText('No swarms yet');
    });
    await step('a swarm needs a name', async () => {
      await swarms.startCreating();
      await swarms.confirmCreating();
      await expect(swarms.createDialog).toContainText('Enter a name.');
      await expect(swarms.nameField).toBeFocused();
    });
    await step('the new swarm opens without members', async () => {
      await swarms.fillIn({ name: 'Harbour weather', description: 'Wind on every quay.', open: true });
      await swarms.confirmCreating();
      await expect(swarm.heading).toHaveText('Harbour weather');
      await expect(swarm.main).toContainText(`by ${user.name} (you)`);
      await expect(swarm.main).toContainText('No members yet');
    });
    await step('own devices join at once', async () => {
      await swarm.startAdding();
      await swarm.addDevices({ role: 'sends', names: ['Harbour hub 1', 'Harbour hub 2'] });
      await expect(swarm.addDialog).toBeHidden();
      await expect(swarm.member('Harbour hub 1')).toContainText('sends');
      await expect(swarm.member('Harbour hub 1')).toContainText('you');
    });
    await step('a member cannot be added again', async () => {
      await swarm.startAdding();
      await expect(swarm.choiceToAdd('Harbour hub 1')).toBeDisabled();
      await page.keyboard.press('Escape');
    });
    await step('a role is changed', async () => {
      await swarm.openMenu('Harbour hub 1');
      await swarm.choose('Change role: sends and receives');
      await expect(swarm.member('Harbour hub 1')).toContainText('both');
    });
    await step('chips filter the table, and the URL says so', async () => {
      await swarm.chip(/^both/).click();
      await expect(swarm.member('Harbour hub 2')).toBeHidden();
      await expect(page).toHaveURL(/resource_type=both/);
      await swarm.chip(/^both/).click();
      await expect(swarm.member('Harbour hub 2')).toBeVisible();
    });
    await step('two chips pressed in the same frame both count', async () => {
      await swarm.pressTogether(/^both/, /^receives/);
      await expect(page).toHaveURL(/resource_type=consumer,both|resource_type=consumer%2Cboth/);
      await swarm.pressTogether(/^both/, /^receives/);
      await expect(page).not.toHaveURL(/resource_type/);
    });
    await step('a printed page has the members, and nothing else', async () => {
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
      await page.emulateMedia({ media: 'print' });
      await expect(swarm.printed).toContainText(['Harbour hub 1', 'Harbour hub 2']);
      await expect(swarm.main).toBeHidden();
      await page.emulateMedia({ media: 'screen' });
      await page.evaluate(() => dispatchEvent(new Event('afterprint')));
      await expect(swarm.printed).toHaveCount(0);
    });
    await step('removing a member is pending, and is undone', async () => {
      await swarm.openMenu('Harbour hub 2');
      await swarm.choose('Remove from swarm');
      await expect(shell.undoToasts).toContainText('Removing Harbour hub 2 from Harbour weather');
      await expect(swarm.memberButton('Harbour hub 2'), 'the focus of the removed menu').toBeFocused();
      await shell.undo();
      await expect(swarm.memberButton('Harbour hub 2'), 'the focus of the removed Undo').toBeFocused();
      await page.clock.runFor(15_000);
      await expect(swarm.member('Harbour hub 2')).toBeVisible();
    });
    await step('after the countdown the member is removed', async () => {
      await swarm.openMenu('Harbour hub 2');
      await swarm.choose('Remove from swarm');
      await runPending(page.request);
      await expect(swarm.member('Harbour hub 2')).toBeHidden();
      await expect(swarm.memberButton('Harbour hub 1'), 'the focus of the removed row').toBeFocused();
    });
    await step('settings are edited', async () => {
      await swarm.show('Settings');
      await swarm.nameField.fill('Quay weather');
      await swarm.save();
      await expect(swarm.heading).toHaveText('Quay weather');
      await expect(swarm.main).toContainText('Saved');
    });
    await step('the dialog says what is deleted with the swarm', async () => {
      await swarm.startDestroying();
      await expect(swarm.destroyDialog).toContainText('1 membership');
      await expect(swarm.destroyDialog).toContainText('the messages sent to it in the last 24 hours');
      await expect(swarm.destroyDialog).toContainText('stay with their owners');
    });
    await step('the deletion is pending in its row, and can be undone', async () => {
      await swarm.confirmDestroying();
      await expect(swarms.row('Quay weather')).toContainText('Deleting…');
      await shell.undo();
      await page.clock.runFor(15_000);
      await expect(swarms.row('Quay weather')).not.toContainText('Deleting');
    });
    await step('after the countdown the swarm is deleted, and its page says so', async () => {
      await swarms.visit('Quay weather');
      await expect(swarm.heading).toHaveText('Quay weather');
      const { pathname } = new URL(page.url());
      await swarm.show('Settings');
      await swarm.startDestroying();
      await swarm.confirmDestroying();
      await runPending(page.request);
      await expect(swarms.nothing).toHaveText('No swarms yet');
      await page.goto(pathname);
      await expect(swarm.heading).toHaveText('Swarm not found');
    });
  },
);

test('members are sorted by name or by when they joined', { tag: '@once' }, async ({ page, user, swarm }) => {
  const created = await user.createSwarm({ name: 'River levels', description: '' });
  for (const name of ['Alpha', 'Beta']) {
    const { id } = await user.add({ name, machine_type: 'bug' });
    await user.join(created, { resource_id: id, resource_type: 'producer' });
  }
  await swarm.open(created.id);
  await expect(swarm.memberRows.first()).toContainText('Alpha');
  await swarm.sortMembersBy('Last joined');
  await expect(swarm.memberRows.first()).toContainText('Beta');
  await expect(page).toHaveURL(/sort=-joined/);
  await page.reload();
  await expect(swarm.memberRows.first()).toContainText('Beta');
});

test(
  'members are listed beside their map, with one search and one selection',
  { tag: ['@long', '@once'] },
  async ({ page, user, owner, swarm, step }) => {
    const created = await user.createSwarm({ name: 'River levels', description: '' });
    const near = await user.add({ name: 'Gauge 1', machine_type: 'bug', position: { longitude: 10, latitude: 54 } });
    const theirs = await owner.add({ name: 'Gauge 2', machine_type: 'pc', position: { longitude: 8, latitude: 53 } });
    await user.join(created, { resource_id: near.id, resource_type: 'producer' });
    await user.invite(created, { to: owner.name, resource_id: theirs.id, resource_type: 'consumer' });
    await owner.answerAll('accept');

    await step('each row shows owner and role', async () => {
      await swarm.open(created.id);
      await expect(swarm.member('Gauge 2')).toContainText(owner.name);
      await expect(swarm.member('Gauge 2')).toContainText('receives');
      await expect(swarm.map).toBeVisible();
    });
    await step('the selected member is in the URL', async () => {
      await swarm.select('Gauge 2');
      await expect(page).toHaveURL(new RegExp(`sel=${theirs.id}`));
      await expect(swarm.memberButton('Gauge 2')).toHaveAttribute('aria-current', 'true');
    });
    await step('search finds members by owner', async () => {
      await swarm.searchField.fill(owner.name);
      await expect(swarm.member('Gauge 1')).toBeHidden();
      await expect(swarm.member('Gauge 2')).toBeVisible();
    });
    await step('a member that the search or a filter hides is no longer selected', async () => {
      await swarm.searchField.fill(user.name);
      await expect(swarm.member('Gauge 1')).toBeVisible();
      await expect(swarm.member('Gauge 2')).toBeHidden();
      await expect(page).not.toHaveURL(/sel=/);
      await swarm.select('Gauge 1');
      await expect(page).toHaveURL(/sel=/);
      await swarm.searchField.fill('');
      await swarm.chip(/^sends/).click();
      await expect(swarm.member('Gauge 2')).toBeHidden();
      await expect(swarm.memberButton('Gauge 1')).toHaveAttribute('aria-current', 'true');
      await swarm.chip(/^receives/).click();
      await swarm.chip(/^sends/).click();
      await expect(swarm.member('Gauge 1')).toBeHidden();
      await expect(page).not.toHaveURL(/sel=/);
      await swarm.chip(/^receives/).click();
    });
    await step('nothing matches, and one click clears the search', async () => {
      await swarm.searchField.fill('nobody at all');
      await expect(swarm.main).toContainText('No members match');
      await swarm.clearFilters();
      await expect(swarm.member('Gauge 1')).toBeVisible();
      await expect(swarm.main, 'the focus of the removed button').toBeFocused();
    });
    await step('after a click on a chip, J and Enter open a member and do not press the chip again', async () => {
      await swarm.chip(/^receives/).click();
      await expect(swarm.member('Gauge 1')).toBeHidden();
      await page.keyboard.press('j');
      await expect(swarm.memberButton('Gauge 2')).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(new RegExp(`/devices/${theirs.id}`));
      await page.goBack();
      await swarm.chip(/^receives/).click();
    });
    await step("the menu of another user's device has only the permitted actions", async () => {
      await swarm.openMenu('Gauge 2');
      await expect(swarm.menuItems).toHaveText([
        'Open device',
        'Also invite: sends',
        'Choose an earlier end…',
        'Remove from swarm',
      ]);
    });
  },
);

test(
  'all matching own devices are selected and added, also beyond the first page',
  { tag: ['@long', '@once'] },
  async ({ page, user, shell, swarm, layout, step }) => {
    const created = await user.createSwarm({ name: 'Harbour weather', description: '' });
    const names = Array.from({ length: 230 }, (_, index) => `Buoy ${String(index + 1).padStart(3, '0')}`);
    const devices = await user.addMany([...names, 'Gauge 3'].map((name) => ({ name, machine_type: 'bug' as const })));
    await user.join(created, { resource_id: devices[0]!.id, resource_type: 'both' });
    const members = async () => {
      const answer = await page.request.get(`/api/swarms/${created.id}/resources`);
      return ((await answer.json()) as ListedMember[]).map(({ resource_id }) => resource_id);
    };
    await swarm.open(created.id);
    await swarm.startAdding();
    await step('members are not counted, and a second click deselects all', async () => {
      await swarm.selectAll();
      await expect(swarm.addChosenButton).toHaveText('Add 230 devices');
      await swarm.selectAll(false);
      await expect(swarm.addChosenButton).toBeDisabled();
    });
    await step('all that match a search, except one', async () => {
      await swarm.searchToAdd('buoy');
      await swarm.selectAll();
      await expect(swarm.addChosenButton).toHaveText('Add 229 devices');
      await swarm.choiceToAdd('Buoy 002').uncheck();
      await expect(swarm.addChosenButton).toHaveText('Add 228 devices');
      await expect.poll(() => layout.overflowingInside()).toEqual([]);
    });
    await swarm.addChosenButton.click();
    await expect(swarm.addDialog).toBeHidden();
    await step('exactly these devices are members', async () => {
      await expect(shell.notices).toContainText('228 devices added to Harbour weather');
      const added = devices.filter(({ name }) => name !== 'Buoy 002' && name !== 'Gauge 3').map(({ id }) => id);
      expect((await members()).toSorted()).toEqual(added.toSorted());
    });
  },
);

test(
  'when the last member has left, the map centres on the next one to join',
  { tag: '@once' },
  async ({ page, user, swarm, step }) => {
    const created = await user.createSwarm({ name: 'River levels', description: '' });
    const add = (name: string, latitude: number) =>
      user.add({ name, machine_type: 'bug', position: { longitude: 10, latitude } });
    const [north, south] = [await add('Gauge 1', 60), await add('Gauge 2', -40)];
    const join = ({ id }: typeof north) => user.join(created, { resource_id: id, resource_type: 'producer' });
    const inTheMiddle = () => expect.poll(() => swarm.pointsAtSomething()).toBe(true);
    await join(north);

    await step('the map shows the only member', async () => {
      await swarm.open(created.id);
      await expect(swarm.member('Gauge 1')).toBeVisible();
      await inTheMiddle();
    });
    await step('it leaves', async () => {
      await swarm.openMenu('Gauge 1');
      await swarm.choose('Remove from swarm');
      await runPending(page.request);
      await expect(swarm.main).toContainText('No members yet');
      await expect(swarm.main, 'the focus of the removed list').toBeFocused();
    });
    await step('another joins, far away', async () => {
      await join(south);
      await expect(swarm.member('Gauge 2')).toBeVisible();
      await inTheMiddle();
    });
  },
);

test(
  'a member removes its own device, and sees only what members may see',
  { tag: ['@once', '@clock'] },
  async ({ page, user, owner, shell, swarms, swarm, device, step }) => {
    const created = await owner.createSwarm({ name: 'Frost watch', description: 'Warns before dawn.', public: true });
    const { id } = await user.add({ name: 'Orchard 3', machine_type: 'bug' });
    await owner.invite(created, { to: user.name, resource_id: id, resource_type: 'producer' });
    await user.answerAll('accept');

    await step('the swarm is under Joined, with its owner', async () => {
      await swarms.open();
      await expect(swarms.table('Joined')).toContainText(`by ${owner.name}`);
      await expect(swarms.row('Frost watch')).toContainText('1 sends');
    });
    await step('it shows members, but neither board nor settings', async () => {
      await swarms.visit('Frost watch');
      await expect(swarm.member('Orchard 3')).toBeVisible();
      await expect(swarm.tab('Settings')).toBeHidden();
    });
    await step("leaving on the device's page says what is lost, and is undone", async () => {
      await device.open(id);
      await device.leaveSwarm('Frost watch');
      await expect(device.leaveSwarmDialog).toContainText('you no longer see its members');
      await device.confirmLeaving();
      await expect(shell.undoToasts).toContainText('Removing Orchard 3 from Frost watch');
      await shell.undo();
      await page.clock.runFor(15_000);
      await expect(device.swarm('Frost watch')).toBeVisible();
    });
    await step('after leaving, the public swarm shows no members', async () => {
      await swarm.open(created.id);
      await swarm.openMenu('Orchard 3');
      await swarm.choose('Leave swarm…');
      await device.confirmLeaving();
      await runPending(page.request);
      await expect(swarm.main).toContainText('This swarm is public');
      await expect(swarm.heading).toHaveText('Frost watch');
      await expect(swarm.main).toContainText('Warns before dawn.');
      await expect(swarm.main).toContainText(owner.name);
      await expect(swarm.main).toContainText('0 members');
      await expect(swarm.members).toBeHidden();
    });
    await step('its page stays up to date for a guest', async () => {
      await owner.changeSwarm(created, { description: 'Warns at dusk.' });
      await page.clock.runFor(6000);
      await expect(swarm.main).toContainText('Warns at dusk.');
    });
  },
);

test(
  'settings saved elsewhere are merged, and conflicting fields are shown',
  { tag: '@once' },
  async ({ user, swarm, step }) => {
    const created = await user.createSwarm({ name: 'Ice watch', description: 'Ice.' });
    await swarm.open(created.id, '?tab=settings');
    await swarm.nameField.fill('Ice and snow');
    await user.changeSwarm(created, { description: 'Ice and frost.' });
    await step('a field that only they changed is merged without a dialog', async () => {
      await swarm.save();
      await expect(swarm.heading).toHaveText('Ice and snow');
      await expect(swarm.descriptionField).toHaveValue('Ice and frost.');
    });
    await swarm.nameField.fill('Mine');
    await user.changeSwarm(created, { name: 'Theirs' });
    await step('a field that both changed is shown', async () => {
      await swarm.save();
      await expect(swarm.main).toContainText('changed elsewhere to “Theirs”');
      await expect(swarm.nameField).toHaveValue('Mine');
    });
    await step('saved again, my value stays', async () => {
      await swarm.save();
      await expect(swarm.heading).toHaveText('Mine');
      await expect(swarm.takeTheirs).toBeHidden();
    });
  },
);

test(
  'a draft of a swarm is saved, and unsaved settings ask for confirmation',
  { tag: '@once' },
  async ({ page, user, swarms, swarm, device, step }) => {
    await swarms.open();
    await step('a dialog closed by mistake loses nothing, and neither does a reload', async () => {
      await swarms.startCreating();
      await swarms.nameField.fill('Harbour ');
      await page.keyboard.press('Escape');
      await page.reload();
      await swarms.startCreating();
      await expect(swarms.nameField).toHaveValue('Harbour ');
      await expect(swarms.nameField).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(swarm.heading).toHaveText('Harbour');
    });
    const [created] = (await (await page.request.get('/api/swarms?limit=10')).json()) as { id: string; name: string }[];
    expect(created?.name, 'without the blank at its end').toBe('Harbour');
    await step('after the swarm is created, the dialog is empty', async () => {
      await swarms.open();
      await swarms.startCreating();
      await expect(swarms.nameField).toHaveValue('');
      await page.keyboard.press('Escape');
    });
    const other = await user.createSwarm({ name: 'Ice watch', description: '' });
    await swarm.open(other.id, '?tab=settings');
    await swarm.nameField.fill('Ice and snow');
    await step("another tab of the swarm's page asks, too", async () => {
      await swarm.show('Members');
      await expect(device.leaveDialog).toContainText('1 field has unsaved changes.');
      await device.stay();
      await expect(swarm.nameField).toHaveValue('Ice and snow');
    });
    await step('the user can leave anyway', async () => {
      await swarm.show('Members');
      await device.leave();
      await expect(page).toHaveURL(`/swarms/${other.id}`);
    });
  },
);

test('the list of swarms shows each of its states', { tag: '@once' }, async ({ page, user, swarms, step }) => {
  await user.createSwarm({ name: 'Quay sensors', description: 'Bilge floats.' });
  await user.createSwarm({ name: 'Night lamps', description: '' });
  await step('search finds a swarm, and is in the URL', async () => {
    await swarms.open();
    await swarms.search('bilge');
    await expect(swarms.row('Quay sensors')).toBeVisible();
    await expect(swarms.row('Night lamps')).toBeHidden();
    await expect(page).toHaveURL(/q=bilge/);
  });
  await step('nothing matches', async () => {
    // `$&` has a meaning in `String.replace`.
    await swarms.search('nothing of $& kind');
    await expect(swarms.nothing).toContainText('No swarms match “nothing of $& kind”');
  });
  await step('those that a later page has are not said to be none', async () => {
    const none = 'Other users’ swarms that your devices join appear here, except those that you manage or watch.';
    await swarms.open();
    await expect(swarms.table('Joined')).toContainText(none);
    await page.route('**/api/swarm-list?*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), joined: 1 } });
    });
    await swarms.open();
    await expect(swarms.row('Night lamps')).toBeVisible();
    await expect(swarms.table('Joined')).toHaveCount(0);
    await page.unroute('**/api/swarm-list?*');
  });
  await step('the server fails, and Retry is offered', async () => {
    const absence = await failUntilClick({ page, path: '**/api/swarm-list?*', fail: failInside });
    await swarms.open();
    await expect(swarms.failure).toContainText('The swarms could not be loaded');
    await absence.endBy(() => swarms.retry());
    await expect(swarms.row('Night lamps')).toBeVisible();
  });
});

test('selecting a member in a cluster of the map zooms to it', { tag: '@once' }, async ({ user, swarm }) => {
  const created = await user.createSwarm({ name: 'River levels', description: '' });
  const places = [
    [10, 54],
    [10.01, 54.01],
    [30, 40],
  ] as const;
  for (const [index, [longitude, latitude]] of places.entries()) {
    const device = { name: `Gauge ${index}`, machine_type: 'bug' as const, position: { longitude, latitude } };
    await user.join(created, { resource_id: (await user.add(device)).id, resource_type: 'producer' });
  }
  await swarm.open(created.id);
  await expect(swarm.member('Gauge 0')).toBeVisible();
  await expect(swarm.scale).toHaveText(/^\d{3,4} km$/);
  await swarm.select('Gauge 0');
  await expect(swarm.scale).toHaveText(/^(\d{1,2} km|\d+ m)$/);
});

test('members are a table for screen readers', { tag: '@once' }, async ({ user, swarm }) => {
  const ring = await user.createSwarm({ name: 'Greenhouse ring', description: '' });
  const { id } = await user.add({ name: 'Greenhouse hub', machine_type: 'bug' });
  await user.join(ring, { resource_id: id, resource_type: 'producer' });
  await swarm.open(ring.id);
  await expect(swarm.memberCell('Greenhouse hub', 'sends')).toBeVisible();
  await expect(swarm.memberColumn('Role')).toHaveCount(1);
  await expect(swarm.members).toHaveAttribute('aria-rowcount', '2');
});

test(
  'with few devices, the dialog that adds them shows all its fields',
  { tag: '@once' },
  async ({ page, user, swarm }) => {
    await user.add({ name: 'Harbour hub 1', machine_type: 'pc' });
    const { id } = await user.createSwarm({ name: 'Harbour weather', description: '' });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`/swarms/${id}`);
    await swarm.startAdding();
    await expect(swarm.choiceToAdd('Harbour hub 1')).toBeInViewport({ ratio: 1 });
    await expect(swarm.addShownByLinks).toBeInViewport({ ratio: 1 });
    await expect.poll(() => swarm.addDialog.evaluate(scrolls)).toBe(false);
  },
);

const scrolls = (dialog: Element) => [...dialog.children].some((part) => part.scrollHeight > part.clientHeight + 1);
