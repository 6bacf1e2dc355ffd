import { join } from 'node:path';
import type { Page, TestInfo } from 'playwright/test';
import { connectDevice } from '../device-client.ts';
import { expect, test } from '../fixtures.ts';
import { harbourFleet, longName } from '../fleet.ts';
import { ActivityPage } from '../pages/activity.page.ts';
import { inviteDevices } from '../invitations.ts';
import { BoardPart } from '../pages/board.part.ts';
import { ImportPage } from '../pages/import.page.ts';
import { ManagersPart } from '../pages/managers.part.ts';
import type { User } from '../user.ts';

const folder = join(import.meta.dirname, '../../screenshots');
const isMirrored = ({ project }: TestInfo) => project.metadata['lang'] === 'en-XR';

test.beforeEach(async ({ context }, info) => {
  if (!isMirrored(info)) return;
  // a blank page has no storage
  await context.addInitScript(() => location.protocol === 'http:' && localStorage.setItem('lang', 'en-XR'));
});

async function take({ page, name }: { page: Page; name: string }) {
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => document.fonts.ready);
  // the map draws on the frame after its data
  await page.waitForTimeout(600);
  await page.screenshot({ path: join(folder, `${name}-${test.info().project.name}.png`) });
}

/** Too long, from right to left, and one that a page must not run or turn around. */
const unusualNames = [longName, 'محطة الطقس 4', '<img src=x onerror=alert(1)> "quoted" \u202Eright to left'];

async function moveIn(user: User) {
  const [first] = await user.addMany(harbourFleet());
  await user.add({ name: longName, machine_type: 'bug', position: { longitude: 4.4, latitude: 51.9 } });
  await user.add({ name: 'محطة الطقس 4', machine_type: 'smartphone', position: { longitude: 13.4, latitude: 52.5 } });
  if (!first) throw new Error('there is no fleet');
  return first;
}

test('signed out', async ({ page, context }) => {
  await context.clearCookies();
  await page.goto('/sign-in?next=%2Finvitations');
  await take({ page, name: 'sign-in' });
});

test('no devices yet', async ({ page }) => {
  await page.goto('/');
  await take({ page, name: 'start' });
  for (const name of ['swarms', 'invitations', 'nowhere']) {
    await page.goto(`/${name}`);
    await take({ page, name });
  }
});

test('import', async ({ page, shell }, info) => {
  const file = new ImportPage(page);
  await file.open();
  await take({ page, name: 'import-file' });
  await file.chooseText(quaySensors(2000), 'quay-sensors.csv');
  if (isMirrored(info)) return take({ page, name: 'import-check' });
  await expect(file.startButton).toBeEnabled();
  await take({ page, name: 'import-check' });
  await file.openFix(871);
  await take({ page, name: 'import-fix' });
  await page.keyboard.press('Escape');
  const uploaded = Promise.withResolvers<void>();
  await page.route('**/parts/2', async (route) => {
    await uploaded.promise;
    await route.continue();
  });
  await file.start();
  await expect(file.job).toContainText('1,000 of');
  await take({ page, name: 'import-upload' });
  await shell.goTo('Devices');
  await take({ page, name: 'import-notice' });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('the result of an import, and the user’s changes', async ({ page, user }, info) => {
  const file = new ImportPage(page);
  const activity = new ActivityPage(page);
  const items = harbourFleet().map((create, index) => ({ line: index + 2, name: create.name, create }));
  const { id, name } = await user.add({ name: longName, machine_type: 'bug' });
  const gone = { id: crypto.randomUUID(), name: 'Quay sensor 1' };
  await user.act({
    kind: 'import',
    about: { file: 'quay-sensors.csv', hash: 'none' },
    items: [...items, { line: 871, name: gone.name, id: gone.id, update: { machine_type: 'pc' } }],
  });
  await file.open();
  await take({ page, name: 'import' });
  const swarm = await user.createSwarm({ name: 'Harbour watch', description: '' });
  const some = (await user.devices()).slice(0, 20).map(({ id, name }) => ({ id, name }));
  await user.act({
    kind: 'add_member',
    about: { swarm: { id: swarm.id, name: swarm.name }, resource_type: 'producer' },
    items: some,
  });
  await user.act({ kind: 'update', about: { machine_type: 'pc' }, items: [...some.slice(0, 5), gone] });
  await user.act({ kind: 'delete', about: {}, items: [{ id, name }] });
  await activity.openChanges();
  await take({ page, name: 'changes' });
  if (!isMirrored(info)) {
    const change = activity.change('Changed the machine type');
    await change.open();
    await take({ page, name: 'changes-open' });
    await activity.change('Deleted').undo();
    await take({ page, name: 'changes-undo' });
    await activity.confirmUndo();
    await expect(activity.changes).toHaveCount(5);
    await take({ page, name: 'changes-undone' });
  }
  await page.goto('/activity');
  await take({ page, name: 'activity' });
});

test('home', async ({ page, user, home }, info) => {
  const first = await moveIn(user);
  await page.goto('/');
  await take({ page, name: 'home' });
  await page.goto(`/?sel=${first.id}`);
  await take({ page, name: 'home-card' });
  await page.goto('/?q=quay&machine_type=bug&swarm=none&in_view=1&map=7/53.5/9.9');
  await take({ page, name: 'home-filtered-empty' });
  await page.goto('/?placed=no');
  await take({ page, name: 'home-without-position' });
  if (isMirrored(info)) return;
  await home.open();
  await home.startAdding();
  await home.addForm.fill({ latitude: '91', longitude: '10' });
  await home.confirmAdding();
  await take({ page, name: 'home-add' });
});

test('home while it loads', async ({ page, user }) => {
  await moveIn(user);
  // answered when the picture is taken
  const taken = Promise.withResolvers<void>();
  await page.route(/\/api\/(devices|map)\?/, async (route) => {
    await taken.promise;
    await route.continue().catch(() => undefined);
  });
  await page.goto('/');
  await page.waitForTimeout(1500);
  await page.screenshot({ path: join(folder, `home-loading-${test.info().project.name}.png`) });
  taken.resolve();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('the server is unreachable', async ({ page, user, home }, info) => {
  await moveIn(user);
  await page.goto('/');
  await page.waitForLoadState('networkidle');
  await page.route('**/api/**', (route) => route.abort());
  if (isMirrored(info)) await page.goto('/?q=quay');
  else await home.toggle('PC');
  await page.waitForTimeout(3000);
  await take({ page, name: 'error' });
});

test('the server is stopped while changes wait', async ({ page, user, owner, inbox, shell }, info) => {
  if (isMirrored(info)) return;
  await inviteDevices({ user, owner, names: unusualNames });
  await inbox.goto();
  await expect(shell.settled).toBeAttached();
  await page.route('**/api/**', (route) => route.abort());
  // Rows leave out what turns the direction of a name.
  for (const name of unusualNames) await inbox.answerInRow(name.replace('\u202E', ''), 'Accept');
  await expect(shell.waiting).toHaveText('3 waiting');
  await take({ page, name: 'waiting' });
  await shell.waiting.click();
  await take({ page, name: 'waiting-list' });
});

test('a part of a page could not be loaded', async ({ page, user, home, shell }, info) => {
  if (isMirrored(info)) return;
  await moveIn(user);
  await home.open();
  await page.route('**/assets/**', (route) => route.abort());
  await home.startAdding();
  await expect(shell.reloadToast).toBeVisible();
  await take({ page, name: 'part-not-loaded' });
});

test('watchers', async ({ page, user, owner, enter, swarm }, info) => {
  const [own] = await Promise.all(
    unusualNames.map(async (name) => {
      const theirs = await owner.createSwarm({ name, description: '' });
      await owner.askForRole(theirs, { user_id: user.name, role: 'watcher' });
      return user.createSwarm({ name, description: '' });
    }),
  );
  const managers = new ManagersPart(page);
  await page.goto('/swarms');
  await take({ page, name: 'watch-offers' });
  if (isMirrored(info)) return;
  await managers.answer(`asks you to watch ${longName}`, 'Agree');
  await take({ page, name: 'watched' });
  const [watcher, manager] = [await enter(), await enter()];
  await user.askForRole(own!, { user_id: watcher.name, role: 'watcher' });
  await user.askForRole(own!, { user_id: manager.name, role: 'manager' });
  await user.askForRole(own!, { user_id: owner.name, role: 'watcher' });
  for (const { page: theirs } of [watcher, manager]) {
    await theirs.goto('/swarms');
    await new ManagersPart(theirs).answer(longName, 'Agree');
  }
  await swarm.open(own!.id, '?tab=settings');
  await managers.row(owner.name).scrollIntoViewIfNeeded();
  await take({ page, name: 'swarm-watchers' });
});

test('a device', async ({ page, server, user, device }, info) => {
  const { id } = await moveIn(user);
  await page.goto(`/devices/${id}`);
  await take({ page, name: 'device' });
  await page.goto('/devices/none');
  await take({ page, name: 'device-gone' });
  if (isMirrored(info)) return;
  const far = connectDevice({ origin: server.origin, key: await user.createKey('far'), id });
  await device.open(id);
  await device.form.fill({
    name: 'Greenhouse sensor 3b',
    description: 'Soil moisture and air at bed 3. Battery changed in spring.',
  });
  await far.put({ description: 'Soil moisture, air and light at bed 3.', machine_type: 'pc' });
  await device.save();
  await expect(device.conflict).toBeVisible();
  await take({ page, name: 'device-conflict' });
  await device.backToEditing();
  await device.discardChanges();
  await device.startDestroying();
  await take({ page, name: 'device-destroy' });
  await page.keyboard.press('Escape');
  await device.destroy();
  await take({ page, name: 'home-destroying' });
});

test('the account', async ({ page, user, account }, info) => {
  for (const name of ['field gateway', 'wall display', 'old van tracker']) await user.createKey(name);
  await page.goto('/account');
  await take({ page, name: 'account' });
  if (isMirrored(info)) return;
  await account.createKey('tide gauge');
  await take({ page, name: 'account-key' });
  await account.open();
  await account.startChangingPassword();
  await take({ page, name: 'account-password' });
  await account.open();
  await account.startDeleting();
  await take({ page, name: 'account-delete' });
});

test('the inbox', async ({ page, user, owner, inbox }, info) => {
  const rivers = await owner.createSwarm({
    name: 'River levels',
    description: 'Water levels of the Havel and the Elbe, every ten minutes.',
    public: true,
  });
  const air = await owner.createSwarm({ name: 'Air quality north', description: '' });
  const names = ['Cellar hub 2', 'Silo sensor 5', longName, 'Van phone 7', 'Harbour hub 12', 'Greenhouse sensor 3'];
  for (const [index, name] of names.entries()) {
    const device = await user.add({ name, machine_type: 'bug', position: { longitude: 13.4, latitude: 52.5 } });
    await owner.invite(index % 2 ? rivers : air, {
      to: user.name,
      resource_id: device.id,
      resource_type: index % 2 ? 'consumer' : 'producer',
      description: 'Your greenhouse draws from the canal: the readings upstream would reach it first.',
    });
  }
  await inbox.goto();
  await take({ page, name: 'inbox' });
  if (isMirrored(info)) return;
  await inbox.answerInRow('Harbour hub 12', 'Accept');
  await take({ page, name: 'inbox-waiting' });
  await inbox.toggle('Van phone 7');
  await inbox.toggle('Silo sensor 5');
  await inbox.review();
  await take({ page, name: 'inbox-bulk' });
  await page.keyboard.press('Escape');
  await inbox.goto();
  await inbox.select('Greenhouse sensor 3');
  await take({ page, name: 'inbox-one' });
});

test('the palette and the help', async ({ page, user, owner, home }) => {
  await moveIn(user);
  const ring = await owner.createSwarm({ name: 'Greenhouse ring', description: '', public: true });
  const [sensor] = await user.addMany([
    { name: 'Greenhouse sensor 3', machine_type: 'bug' },
    { name: 'Greenhouse hub 31', machine_type: 'pc' },
  ]);
  if (!sensor) throw new Error('there is no sensor');
  await owner.invite(ring, { to: user.name, resource_id: sensor.id, resource_type: 'producer' });
  await user.answerAll('accept');
  await home.open();
  await page.waitForLoadState('networkidle');
  await page.keyboard.press('ControlOrMeta+k');
  await take({ page, name: 'palette-open' });
  await page.keyboard.type('green');
  await take({ page, name: 'palette' });
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await take({ page, name: 'help' });
});

test('the board', async ({ page, user, owner, swarm }, info) => {
  const harbour = await user.createSwarm({ name: 'Harbour weather', description: '', public: true });
  const board = new BoardPart(page);
  const names = [
    'Pier 4 anemometer',
    'Tide gauge inner basin',
    'Fairway buoy',
    'Lock gate 2',
    'Quay crane',
    'Mole light',
  ];
  const devices = await owner.addMany(names.map((name) => ({ name, machine_type: 'bug' as const })));
  for (const [index, { id }] of devices.entries()) {
    if (index === 3) await owner.answerAll('accept');
    await user.invite(harbour, {
      to: owner.name,
      resource_id: id,
      resource_type: index % 2 ? 'consumer' : 'producer',
      ...(index % 3 !== 1 && { description: 'Please share wind data from your pier.' }),
    });
  }
  await swarm.open(harbour.id, '?tab=invitations');
  await take({ page, name: 'swarm-board' });
  if (isMirrored(info)) return;
  await board.checkboxes.nth(0).check();
  await board.checkboxes.nth(1).check();
  await take({ page, name: 'swarm-board-ticked' });
  await board.start('Withdraw', 2);
  await take({ page, name: 'swarm-board-waiting' });
});

/** Three rows with errors, as in the design. */
function quaySensors(count: number): string {
  const wrong: Record<number, string> = {
    214: 'Pier 214,bug,94.2,9.9937,Cup type,A-214',
    871: 'Pier 871,gateway,53.5,9.9937,Cup type,A-871',
    1402: ',pc,53.5,9.9937,Cup type,A-1402',
  };
  const rows = Array.from({ length: count }, (_, index) => {
    const line = index + 2;
    return wrong[line] ?? `Pier ${line} anemometer,bug,${53.5 + index / 10_000},9.9937,"Cup type, 4 m mast",A-${line}`;
  });
  return ['name,kind,lat,lon,note,serial', ...rows].join('\n');
}
