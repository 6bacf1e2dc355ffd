import { failUntilClick } from '../intercept-requests.ts';
import { expect, test } from '../fixtures.ts';
import { PalettePart } from '../pages/palette.part.ts';

const greens = ['Greenhouse sensor 3', 'Greenhouse sensor 11', 'Greenhouse hub 31'].map(
  (name) => ({ name, machine_type: 'bug' }) as const,
);

test(
  'the palette finds devices, swarms, pages and actions',
  { tag: '@once' },
  async ({ page, user, home, device, swarm, inbox, step }) => {
    const palette = new PalettePart(page);
    const [first] = await user.addMany(greens);
    await user.add({ name: 'Depot phone 1', machine_type: 'smartphone' });
    await user.add({ name: 'Aalborg mast', machine_type: 'pc', description: 'At the ring road' });
    const ring = await user.createSwarm({ name: 'Greenhouse ring', description: '' });
    await user.join(ring, { resource_id: first!.id, resource_type: 'producer' });

    await step('it opens with the actions of the current page', async () => {
      await home.open();
      await expect(home.row('Depot phone 1')).toBeVisible();
      await palette.open();
      await expect(palette.field).toBeFocused();
      await expect(palette.group('Actions')).toContainText('Go to Invitations');
      await expect(palette.group('Devices')).toBeHidden();
    });
    await step('it finds devices with their swarms, and swarms with their owners', async () => {
      await palette.type('green');
      await expect(palette.group('Devices')).toContainText('Greenhouse sensor 3');
      await expect(palette.option(/^Greenhouse sensor 3/)).toContainText('Greenhouse ring');
      await expect(palette.option(/^Greenhouse sensor 11/)).toContainText('No swarm');
      await expect(palette.group('Devices')).not.toContainText('Depot phone 1');
      await expect(palette.group('Swarms')).toContainText('by you · 1 member');
      await expect(palette.marked(/^Greenhouse hub 31/)).toHaveText('Green');
      await expect(palette.count).toHaveText(/^\d+ results$/);
      await expect(palette.chosen).toContainText('Greenhouse');
    });
    await step('a device is opened', async () => {
      await palette.choose(/^Greenhouse sensor 11/);
      await expect(device.heading).toContainText('Greenhouse sensor 11');
      await expect(palette.dialog).toBeHidden();
    });
    await step('a swarm is opened: its name comes before a device that only mentions the word', async () => {
      await palette.open();
      await palette.type('ring');
      await expect(palette.option(/^Aalborg mast/)).toBeVisible();
      await expect(palette.chosen).toContainText('Greenhouse ring');
      await palette.choose(/^Greenhouse ring/);
      await expect(swarm.heading).toContainText('Greenhouse ring');
    });
    await step('a page is opened', async () => {
      await palette.open();
      await palette.type('inbox');
      await palette.choose(/Go to Invitations/);
      await expect(page).toHaveURL(/\/invitations$/);
      await expect(inbox.heading).toBeVisible();
    });
    await step('synonyms find a page', async () => {
      await palette.open();
      await palette.type('password');
      await expect(palette.chosen).toContainText('Change password');
      await palette.type('export');
      await expect(palette.group('Actions')).toContainText('API keys');
      await palette.type('undo');
      await expect(palette.group('Actions')).toContainText('Activity');
      await palette.type('delete');
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(/\/account#delete$/);
    });
    await step('a command comes before places: "dark" and Enter switch the theme', async () => {
      await palette.open();
      await palette.type('dark');
      await expect(palette.group('Places')).toContainText('Darkovice');
      await page.keyboard.press('Enter');
      await expect(palette.page).toHaveClass(/dark/);
      await expect(page).toHaveURL(/\/account/);
    });
    await step('the typed text can become the name of a new device', async () => {
      await palette.open();
      await palette.type('Quay crane 9');
      await expect(palette.dialog).toContainText('No devices or swarms match.');
      await palette.choose(/Add device/);
      await expect(home.addForm.name).toHaveValue('Quay crane 9');
    });
  },
);

test(
  'keys select a result, and Enter pressed before the response waits for it',
  { tag: '@once' },
  async ({ page, user, home, device }) => {
    const palette = new PalettePart(page);
    await user.addMany(greens);
    await home.open();
    await expect(home.row('Greenhouse hub 31')).toBeVisible();
    await palette.openByKey();
    await page.keyboard.press('ArrowUp');
    await expect(palette.chosen).toContainText('Sign out');
    await page.keyboard.press('ArrowDown');
    await expect(palette.chosen).toContainText(/Search this list|Go to Devices/);

    const answered = Promise.withResolvers<void>();
    await page.route('**/api/devices?*audience=visible*', async (route) => {
      await answered.promise;
      await route.continue();
    });
    await palette.type('hub');
    await page.keyboard.press('Enter');
    await expect(palette.dialog).toBeVisible();
    await expect(palette.count).toHaveText('Searching…');
    await expect(palette.foot).not.toContainText('result');
    answered.resolve();
    await expect(device.heading).toContainText('Greenhouse hub 31');
    await page.unrouteAll({ behavior: 'wait' });

    await palette.openByKey();
    await page.keyboard.press('ArrowUp');
    await expect(palette.chosen).toContainText('Sign out');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/sign-in/);
  },
);

test(
  'it opens while the user types in a field, and takes no key from dialogs',
  { tag: '@once' },
  async ({ page, user, home, shell }) => {
    const palette = new PalettePart(page);
    await user.addMany(greens);
    await home.open();
    await expect(home.row('Greenhouse hub 31')).toBeVisible();
    await home.search('hub');
    await home.searchField.focus();
    await palette.openByKey();
    await page.keyboard.type('c?g');
    await expect(palette.field).toHaveValue('c?g');
    await page.keyboard.press('Escape');
    await expect(palette.dialog).toBeHidden();
    await expect(home.searchField).toBeFocused();
    await palette.openByKey();
    await page.keyboard.press('ControlOrMeta+k');
    await expect(palette.dialog).toBeHidden();

    await home.startAdding();
    await home.addForm.name.fill('Quay');
    await page.keyboard.press('ControlOrMeta+k');
    await expect(shell.dialog).toHaveCount(1);
    await expect(home.addForm.name).toHaveValue('Quay');
  },
);

test(
  "the page's shortcuts can be chosen by name",
  { tag: '@once' },
  async ({ page, user, home, inbox, owner, step }) => {
    const palette = new PalettePart(page);
    const van = await user.add({ name: 'Van phone 7', machine_type: 'smartphone' });
    const swarm = await owner.createSwarm({ name: 'Fleet south', description: '' });
    await owner.invite(swarm, { to: user.name, resource_id: van.id, resource_type: 'consumer' });
    await step('the list is searched', async () => {
      await home.open();
      await expect(home.row('Van phone 7')).toBeVisible();
      await palette.open();
      await palette.type('search this');
      await palette.choose(/Search this list/);
      await expect(home.searchField).toBeFocused();
    });
    await step('the opened invitation is accepted', async () => {
      await page.goto('/invitations');
      await inbox.select('Van phone 7');
      await palette.open();
      await expect(palette.group('On this page')).toContainText('Accept');
      await palette.type('accept');
      await palette.choose(/^Accept/);
      await expect(inbox.row('Van phone 7')).toContainText('Accepting…');
    });
  },
);

test('a pasted invite code opens Invite with this code', { tag: '@once' }, async ({ page, owner, user, invite }) => {
  const palette = new PalettePart(page);
  await user.createSwarm({ name: 'Harbour weather', description: '' });
  const { id } = await owner.add({ name: 'Tide gauge', machine_type: 'pc' });
  await page.goto('/swarms');
  await palette.open();
  await palette.type(`${owner.name}/${id}`);
  await palette.choose(/^Invite/);
  await expect(invite.codes).toHaveValue(`${owner.name}/${id}`);
});

test(
  'pages and actions stay while the server is unreachable, and Retry searches again',
  { tag: '@once' },
  async ({ page, user, home, step }) => {
    const palette = new PalettePart(page);
    await user.addMany(greens);
    await home.open();
    await expect(home.row('Greenhouse hub 31')).toBeVisible();
    await palette.open();
    const absence = await failUntilClick({ page, path: '**/api/devices?*audience=visible*' });
    await step('it says so', async () => {
      await palette.type('green');
      await expect(palette.problem).toContainText('Devices and swarms could not be searched.');
      await expect(palette.group('More')).toContainText('Add device “green”');
    });
    await step('it finds results again', async () => {
      await absence.endBy(() => palette.retry());
      await expect(palette.group('Devices')).toContainText('Greenhouse hub 31');
      await expect(palette.problem).toBeHidden();
    });
  },
);

test('the first results of very many are shown, with the total', { tag: '@once' }, async ({ page, user, home }) => {
  const palette = new PalettePart(page);
  await user.addMany(
    Array.from({ length: 40 }, (_, at) => ({ name: `Rooftop ${at + 1}`, machine_type: 'bug' as const })),
  );
  await home.open();
  await palette.open();
  await palette.type('rooftop');
  await expect(palette.group('Devices')).toContainText('6 of 40');
  await expect(palette.devices).toHaveCount(6);
  await palette.choose(/Search your devices for “rooftop”/);
  await expect(page).toHaveURL(/q=rooftop/);
});

test(
  'a page’s own menu comes before the actions of other pages, and coordinates and languages are found',
  { tag: ['@long', '@once'] },
  async ({ page, user, device, home, layout, step }) => {
    const palette = new PalettePart(page);
    const { id } = await user.add({ name: 'Quay crane', machine_type: 'bug' });
    await step('"delete" on a device’s page deletes this device, not the account', async () => {
      await device.open(id);
      await expect(device.heading).toHaveText('Quay crane');
      await palette.open();
      await expect(palette.group('On this page')).toContainText('Delete device…');
      await palette.type('delete');
      await expect(palette.chosen).toContainText('Delete device…');
      await page.keyboard.press('Enter');
      await expect(device.destroyDialog).toContainText('Quay crane');
      await page.keyboard.press('Escape');
    });
    await step('coordinates are a place', async () => {
      await palette.open();
      await palette.type('47.3769° N, 8.5417° E');
      await expect(palette.count).toHaveText(/result/);
      await palette.choose('Go to 47.376900, 8.541700');
      await expect(page).toHaveURL(/map=15%2F47.3769%2F8.5417/);
      await expect(home.row('Quay crane')).toBeVisible();
    });
    await step('a language is found by its name in both languages', async () => {
      await palette.open();
      await palette.type('deutsch');
      await expect(palette.chosen).toContainText('Switch to German');
      await palette.type('german');
      await expect(palette.group('Actions')).toContainText('Switch to German');
      // until then, its options move
      await expect(palette.count).toHaveText(/result/);
      await palette.choose('Switch to German');
      await expect(palette.page).toHaveAttribute('lang', 'de');
      await expect(layout.text('Quay crane')).toBeVisible();
    });
  },
);

test('Ctrl-S saves a form, also in a dialog', { tag: '@once' }, async ({ page, user, device, home }) => {
  const { id } = await user.add({ name: 'Quay crane', machine_type: 'bug' });
  await device.open(id);
  await device.form.name.fill('Quay crane 2');
  await page.keyboard.press('ControlOrMeta+s');
  await expect(device.heading).toHaveText('Quay crane 2');
  await home.open();
  await home.startAdding();
  await home.addForm.name.fill('Gate sensor');
  await page.keyboard.press('ControlOrMeta+s');
  await expect(home.addForm.types).toHaveAccessibleDescription('Choose a machine type.');
  await expect(home.addForm.types).toHaveAttribute('aria-invalid', 'true');
});
