import type { Invitation, PushedNotice, PushSettings, Resource } from '@swarmdeck/bff/contract';
import type { Page } from 'playwright/test';
import { expectAccessible, stepsOn } from '../accessibility.ts';
import { runPending } from '../actions.ts';
import { expect, test } from '../fixtures.ts';
import { inviteDevices } from '../invitations.ts';
import { startOlderServer } from '../older-server.ts';
import { AccountPage } from '../pages/account.page.ts';
import { DevicePage } from '../pages/device.page.ts';
import { GuestPage } from '../pages/share-links.part.ts';
import { HomePage } from '../pages/home.page.ts';
import { InboxPage } from '../pages/inbox.page.ts';
import { NamesPart } from '../pages/names.part.ts';
import { SheetPart } from '../pages/sheet.part.ts';
import { ShellPart } from '../pages/shell.part.ts';
import { SwarmsPage } from '../pages/swarms.page.ts';
import { WallPage } from '../pages/wall.page.ts';
import { signUp } from '../user.ts';

test.use({ mounted: false, serviceWorkers: 'allow' });

/** The data of pages that the app has stored in this browser, each with its kind. */
const storedData = (page: Page) =>
  page.evaluate(async () => {
    const { promise, resolve } = Promise.withResolvers<string[]>();
    const opening = indexedDB.open('keyval-store');
    // The app has not stored anything yet. A database that is made here would have no place for it, and the app could never store.
    opening.addEventListener('upgradeneeded', () => opening.transaction?.abort());
    opening.addEventListener('error', () => resolve([]));
    opening.addEventListener('success', () => {
      const database = opening.result;
      const reading = database.transaction('keyval').objectStore('keyval').getAll();
      reading.addEventListener('success', () => {
        database.close();
        resolve((reading.result as { kind: string; json: string }[]).map(({ kind, json }) => `${kind}: ${json}`));
      });
    });
    return promise;
  });

/** The URLs in the caches of the service worker. */
const cachedUrls = (page: Page) =>
  page.evaluate(async () => {
    const all = await Promise.all(
      (await caches.keys()).map(async (name) => (await caches.open(name)).keys().then((keys) => keys)),
    );
    return all.flat().map(({ url }) => new URL(url).pathname);
  });

const isServed = (page: Page) => page.evaluate(() => navigator.serviceWorker.controller !== null);

test(
  'without a network a map has the cells that were shown, and no others are kept',
  { tag: '@once' },
  async ({ page, context, user, home }) => {
    const names = new NamesPart(page);
    await user.add({ name: 'Buoy 1', machine_type: 'bug', position: { longitude: 12, latitude: 54.3 } });
    await home.open({ map: '9/54.3/10' });
    await expect.poll(() => isServed(page)).toBe(true);
    await page.reload();
    const near = [522, 523].flatMap((cell) =>
      ['land', 'water', 'towns', 'villages'].map((kind) => `${kind}-${cell}.bin`),
    );
    const kept = async () =>
      (await cachedUrls(page)).filter((path) => path.includes('/cells-')).map((path) => path.replace(/.*\//, ''));
    await expect.poll(async () => (await kept()).toSorted()).toEqual(near.toSorted());
    await expect.poll(() => names.painted()).toBeGreaterThan(300);
    const online = await names.painted();
    await context.setOffline(true);
    await page.reload();
    await expect.poll(() => names.painted()).toBe(online);
  },
);

/**
 * They also load again with the next page (app-update.test.ts). No journey waits for that, because Chromium's worker of the
 * older version does not always let go of its requests. A page that is opened after them has the newer version.
 */
test('pages of an older version work with a newer server @sources', { tag: '@long' }, async ({ browser }) => {
  await using server = await startOlderServer();
  await using context = await browser.newContext({ baseURL: server.origin });
  const user = await signUp({ request: context.request, origin: server.origin });
  await user.add({ name: 'Buoy 7', machine_type: 'bug' });
  await user.createSwarm({ name: 'Harbour', description: '' });
  const page = await context.newPage();
  const [home, shell] = [new HomePage(page), new ShellPart(page)];
  await home.open();
  await expect(home.row('Buoy 7')).toBeVisible();
  await expect(shell.appScript).toHaveAttribute('src', /\.older\.js$/);
  await expect.poll(() => isServed(page)).toBe(true);

  await server.update();
  await expect.poll(() => page.evaluate(async () => (await navigator.serviceWorker.ready).waiting !== null)).toBe(true);
  await shell.destination('Swarms').click();
  await expect(new SwarmsPage(page).row('Harbour')).toBeVisible();

  await page.close();
  const later = await context.newPage();
  // Chromium lets a worker that has not answered all its requests finish for up to five minutes, and opens the older app until then. The
  // page that is closing may have started it again after it was stopped.
  const devtools = await context.newCDPSession(later);
  await devtools.send('ServiceWorker.enable');
  await expect(async () => {
    await later.goto('about:blank');
    await devtools.send('ServiceWorker.stopAllWorkers');
    await new HomePage(later).open();
    await expect(new HomePage(later).row('Buoy 7')).toBeVisible();
    await expect(new ShellPart(later).appScript).not.toHaveAttribute('src', /\.older\.js$/, { timeout: 1000 });
  }).toPass();
});

test('the app opens without a network and with a stopped server, with the last data, and what the user did is sent later', async ({
  context,
  page,
  server,
  user,
  owner,
  home,
  device,
  swarms,
  inbox,
  shell,
  wall,
  step,
}) => {
  const { devices } = await inviteDevices({ user, owner, names: ['Silo sensor 5'] });
  await context.addInitScript(() => {
    // a document without an origin has no storage
    if (location.origin !== 'null') localStorage.setItem('undo_seconds', '10');
  });
  await user.add({ name: 'Buoy 7', machine_type: 'bug', position: { longitude: 10, latitude: 54 } });
  await user.createSwarm({ name: 'Harbour', description: '' });
  const path = `/devices/${devices[0]!.id}`;
  const isStored = (kind: string, name: string) =>
    expect
      .poll(async () => (await storedData(page)).some((one) => one.startsWith(kind) && one.includes(name)))
      .toBe(true);
  await step('the first visit stores the app and the data of its pages', async () => {
    await home.open();
    await expect.poll(() => isServed(page)).toBe(true);
    await expect(home.row('Buoy 7')).toBeVisible();
    await shell.destination('Swarms').click();
    await expect(swarms.row('Harbour')).toBeVisible();
    await shell.destination('Invitations').click();
    await expect(inbox.row('Silo sensor 5')).toBeVisible();
    await isStored('devices pages', 'Buoy 7');
    await isStored('swarms list', 'Harbour');
    await isStored('invitations pages', 'Silo sensor 5');
    await device.open(devices[0]!.id);
    await expect(device.heading).toHaveText('Silo sensor 5');
    await isStored('device record', 'Silo sensor 5');
    await wall.open({});
    await expect(wall.heading).toBeVisible();
    await isStored('wall summary', '"total":2');
  });
  await step('it can be installed', async () => {
    const devtools = await context.newCDPSession(page);
    const { installabilityErrors: errors } = await devtools.send('Page.getInstallabilityErrors');
    // a browser that is not a headless shell counts the context of a journey as a private window
    expect(errors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
  });
  await page.close();

  let later = await context.newPage();
  await later.setViewportSize({ width: 390, height: 844 });
  let atShell = new ShellPart(later);
  let stepLater = stepsOn(later);
  const isOld = () => expect(atShell.notice).toContainText(/As of .+ ago\./);
  await stepLater('without a network', async () => {
    await context.setOffline(true);
    await later.goto('/');
    await expect(new HomePage(later).row('Buoy 7')).toBeVisible();
    await expect(new HomePage(later).map).toBeVisible();
    await expect(atShell.offline).toBeVisible();
    await isOld();
    await atShell.destination('Swarms').click();
    await expect(new SwarmsPage(later).row('Harbour')).toBeVisible();
    await isOld();
    await atShell.destination('Invitations').click();
    await expect(new InboxPage(later).row('Silo sensor 5')).toBeVisible();
    await isOld();
    const atWall = new WallPage(later);
    await atWall.open({});
    await expect(atWall.placed).toHaveText('2 of 2 with a position');
    await expect(atWall.notLive).toBeVisible();
    await later.goto(path);
    await expect(new DevicePage(later).heading).toHaveText('Silo sensor 5');
    await isOld();
  });
  await stepLater('what the user does waits', async () => {
    await new DevicePage(later).form.name.fill('Silo sensor 6');
    await new DevicePage(later).save();
    await expect(atShell.waiting).toHaveText('1 waiting');
    await atShell.destination('Invitations').click();
    await new InboxPage(later).answerInRow('Silo sensor 5', 'Accept');
    await expect(new InboxPage(later).row('Silo sensor 5')).toContainText('Accept · Waiting to be sent');
    await expect(atShell.waiting).toHaveText('2 waiting');
  });
  await later.close();
  later = await context.newPage();
  await later.setViewportSize({ width: 390, height: 844 });
  atShell = new ShellPart(later);
  stepLater = stepsOn(later);
  await stepLater('it still waits when the app is opened again', async () => {
    await later.goto('/invitations');
    await expect(new InboxPage(later).row('Silo sensor 5')).toContainText('Accept · Waiting to be sent');
    await expect(atShell.waiting).toHaveText('2 waiting');
    await later.goto(path);
    await expect(new DevicePage(later).form.name).toHaveValue('Silo sensor 6');
    await later.goto('/invitations');
    await atShell.waiting.click();
    await expect(atShell.waitingChanges).toContainText([
      'Edit Silo sensor 5: name',
      /Accepting the invitation to .+ for Silo sensor 5/,
    ]);
    await expectAccessible({ page: later, title: 'outbox' });
    await atShell.discardButton('Accepting the invitation').click();
    await expect(atShell.waitingChanges).toHaveText([/^Edit/]);
    await expect(atShell.waitingList).toBeFocused();
    await later.keyboard.press('Escape');
    await new InboxPage(later).answerInRow('Silo sensor 5', 'Accept');
    await expect(atShell.waiting).toHaveText('2 waiting');
  });
  await stepLater('a page that was never visited says why it is empty', async () => {
    await later.goto('/discover');
    // In a page that is opened offline, `navigator.onLine` is otherwise that of the machine.
    const devtools = await context.newCDPSession(later);
    const offline = { offline: true, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
    await devtools.send('Network.emulateNetworkConditions', offline);
    await expect(atShell.offline).toBeVisible();
    await expect(atShell.reloadToast).toHaveCount(0);
    await devtools.detach();
  });
  await stepLater('with a server that is stopped', async () => {
    await server.end();
    await context.setOffline(false);
    await later.goto('/');
    await expect(new HomePage(later).row('Buoy 7')).toBeVisible();
    await expect(atShell.outage).toBeVisible();
    await expect(atShell.waiting).toHaveText('2 waiting');
    await server.again();
    await user.add({ name: 'Buoy 8', machine_type: 'bug' });
    await expect(new HomePage(later).row('Buoy 8')).toBeVisible();
    await expect(atShell.outage).toHaveCount(0);
    await expect(atShell.notices).toContainText('2 waiting changes sent', { timeout: 20_000 });
    await expect(atShell.waiting).toHaveCount(0);
    await later.goto('/invitations');
    await expect(new InboxPage(later).past('Silo sensor 6')).toContainText(/accepted/i);
    await later.goto(path);
    await expect(new DevicePage(later).heading).toHaveText('Silo sensor 6');
  });
  await stepLater('after sign-out, nothing of the user is left in the browser', async () => {
    await later.goto('/account');
    await new AccountPage(later).signOut();
    await expect(later).toHaveURL(/\/sign-in$/);
    await expect.poll(() => storedData(later)).toEqual([]);
    const urls = await cachedUrls(later);
    expect(urls).toContain('/index.html');
    expect(urls.filter((url) => !/^\/(assets\/|[\w-]+\.(html|js|svg|png|webmanifest)$)/.test(url))).toEqual([]);
  });
});

// one that can still be undone: stored-data.test.ts
test(
  'an answer that was executed before the network was lost is not asked for again when the page is loaded anew',
  { tag: '@long' },
  async ({ context, page, user, owner, home, inbox, shell }) => {
    await inviteDevices({ user, owner, names: ['Silo sensor 5'] });
    await home.open();
    await expect.poll(() => isServed(page)).toBe(true);
    await shell.destination('Invitations').click();
    await inbox.answerInRow('Silo sensor 5', 'Accept');
    await runPending(context.request);
    await expect(inbox.past('Silo sensor 5')).toContainText('Accepted');
    const isStored = async () =>
      (await storedData(page)).some(
        (one) => one.startsWith('invitations pages') && one.includes('"status":"accepted"'),
      );
    await expect.poll(isStored).toBe(true);
    await context.setOffline(true);
    await page.reload();
    await expect(shell.offline).toBeVisible();
    await expect(inbox.past('Silo sensor 5')).toContainText(/accepted/i);
  },
);

test(
  'without a network, the map shows each stored device, a device is added later, and signing out ends the session',
  { tag: '@long' },
  async ({ context, page, user, home }, { project }) => {
    await user.addMany([
      { name: 'Buoy 7', machine_type: 'bug', position: { longitude: 10, latitude: 54 } },
      { name: 'Buoy 8', machine_type: 'bug', position: { longitude: 10.3, latitude: 54.2 } },
      { name: 'Gate 1', machine_type: 'pc', position: { longitude: -70, latitude: -30 } },
    ]);
    await home.open();
    await expect.poll(() => isServed(page)).toBe(true);
    await expect
      .poll(async () =>
        (await storedData(page)).some((one) => one.startsWith('devices pages') && one.includes('Gate 1')),
      )
      .toBe(true);
    await page.close();

    const later = await context.newPage();
    const step = stepsOn(later);
    const [atHome, atShell] = [new HomePage(later), new ShellPart(later)];
    await context.setOffline(true);
    await step('a view that was never seen has its devices, and its controls', async () => {
      await later.goto('/?map=11/54/10');
      await expect(atHome.row('Buoy 8')).toBeVisible();
      await expect(atShell.offline).toBeVisible();
      await expect.poll(() => atHome.pointsAtSomething()).toBe(true);
      await atHome.clickMiddleOfMap();
      await expect(atHome.card).toContainText('Buoy 7');
      await expect(atHome.zoomIn).toBeVisible();
    });
    await step('a device is added when the network is back', async () => {
      await atHome.showList();
      await atHome.startAdding();
      await atHome.addForm.fill({ name: 'Buoy 9', type: 'Bug' });
      await atHome.confirmAdding();
      await expect(atShell.waiting).toHaveText('1 waiting');
      await expect(atHome.waitingDevices).toHaveText([/Buoy 9.*not sent yet/]);
      if (project.name === 'phone') {
        const sheet = new SheetPart(later);
        await atHome.openWaiting();
        await expect(atHome.card).toContainText('Buoy 9');
        await expect(sheet.cardHandle, 'it has no page yet').toBeHidden();
        await sheet.handle.click();
        await expect(atHome.waitingDevices, 'the list is shown again').toBeVisible();
      }
      await atHome.openWaiting();
      await context.setOffline(false);
      await expect(atShell.waiting).toHaveCount(0);
      await expect(atHome.cardHeading, 'its card stays').toHaveText('Buoy 9');
      await expect(atHome.cardButton('Open')).toBeVisible();
      await atHome.showList();
      await expect(atHome.row('Buoy 9')).toBeVisible();
      await expect(atHome.waitingDevices).toHaveCount(0);
      await expect.poll(async () => (await user.devices()).map(({ name }) => name)).toContain('Buoy 9');
    });
    await step(
      'the user signs out without a network, though a device waits, and is signed out when it is back',
      async () => {
        await context.setOffline(true);
        await expect(atShell.offline).toBeVisible();
        await atHome.startAdding();
        await atHome.addForm.fill({ name: 'Buoy 10', type: 'Bug' });
        await atHome.confirmAdding();
        await expect(atShell.waiting).toHaveText('1 waiting');
        await atShell.destination('Account').click();
        await new AccountPage(later).signOut();
        await new AccountPage(later).confirmSignOut();
        await expect(later).toHaveURL(/\/sign-in$/);
        await expect.poll(() => storedData(later)).toEqual([]);
        await context.setOffline(false);
        await expect
          .poll(async () => (await context.request.get('/api/account')).status(), 'the sign-in page sends it')
          .toBe(401);
        await later.goto('/');
        await expect(later).toHaveURL(/\/sign-in$/);
      },
    );
  },
);

test(
  'the first device is listed while it waits for a network, also after a reload',
  { tag: '@long' },
  async ({ context, page, user, home, shell, step }) => {
    await home.open();
    await expect(home.firstRun).toBeVisible();
    await expect.poll(() => isServed(page)).toBe(true);
    await expect
      .poll(async () =>
        (await storedData(page)).some((one) => one.startsWith('devices pages') && one.includes('"all":0')),
      )
      .toBe(true);
    await step('it is added', async () => {
      await context.setOffline(true);
      await home.startAdding();
      await home.addForm.fill({ name: 'Buoy 7', type: 'Bug' });
      await home.confirmAdding();
      await expect(home.waitingDevices).toHaveText([/Buoy 7.*not sent yet/]);
      await expect(home.firstRun).toBeHidden();
      await home.openWaiting();
      await expect(home.card).toContainText('Buoy 7');
    });
    await step('the page is loaded again', async () => {
      await home.open();
      await expect(shell.offline).toBeVisible();
      await expect(home.waitingDevices).toHaveText([/Buoy 7.*not sent yet/]);
    });
    await step('the network is back', async () => {
      await context.setOffline(false);
      await expect(home.row('Buoy 7')).toBeVisible();
      await expect(shell.waiting).toHaveCount(0);
      await expect(home.waitingDevices).toHaveCount(0);
      expect((await user.devices()).map(({ name }) => name)).toEqual(['Buoy 7']);
    });
    await step('it is deleted, and the first steps are shown again', async () => {
      const [device] = await user.devices();
      await user.deleteDevice(device!);
      await expect(home.firstRun).toBeVisible();
    });
  },
);

test(
  'what is saved while the server does not answer waits after the page was loaded again or closed',
  { tag: '@long' },
  async ({ context, page, server, user, home, device, shell }) => {
    const buoy = await user.add({ name: 'Buoy 7', machine_type: 'bug', description: 'in the harbour' });
    await home.open();
    await expect.poll(() => isServed(page)).toBe(true);
    await device.open(buoy.id);
    await expect(device.form.description).toHaveValue('in the harbour');
    await expect
      .poll(async () =>
        (await storedData(page)).some((one) => one.startsWith('device record') && one.includes('Buoy 7')),
      )
      .toBe(true);
    server.freeze();
    page.on('dialog', (dialog) => void dialog.accept());
    const step = stepsOn(page);
    await step('an edit, and the page is loaded again', async () => {
      await device.form.description.fill('at the pier');
      await device.save();
      await page.reload();
      await expect(shell.waiting).toHaveText('1 waiting');
      await expect(device.form.description).toHaveValue('at the pier');
    });
    await step('a new device', async () => {
      await shell.destination('Devices').click();
      await home.startAdding();
      await home.addForm.fill({ name: 'Buoy 9', type: 'Bug' });
      await home.confirmAdding();
      await expect(shell.waiting, 'not while its page sends it').toHaveText('1 waiting');
    });
    await page.close();
    const later = await context.newPage();
    const [atHome, atShell] = [new HomePage(later), new ShellPart(later)];
    await stepsOn(later)('both are sent once the server answers', async () => {
      await later.goto('/');
      await expect(atShell.waiting).toHaveText('2 waiting');
      await expect(atHome.waitingDevices).toHaveText([/Buoy 9.*not sent yet/]);
      server.thaw();
      await expect(atShell.waiting).toHaveCount(0);
      await expect(atHome.row('Buoy 9')).toBeVisible();
      const described = async () =>
        Object.fromEntries((await user.devices()).map((each) => [each.name, each.description]));
      await expect.poll(described).toEqual({ 'Buoy 7': 'at the pier', 'Buoy 9': undefined });
      await expect.poll(async () => (await user.devices()).length).toBe(2);
    });
  },
);

test('a rewritten link is led back although the service worker opens the pages of the app', async ({
  page,
  user,
  home,
  server,
}) => {
  const device = await user.add({ name: 'Buoy 7', machine_type: 'bug' });
  const answer = await page.request.post(`/api/resources/${device.id}/share-links`, {
    data: { name: 'For the pick-up', expires_at: new Date(Date.now() + 3_600_000).toISOString() },
    headers: { origin: server.origin },
  });
  const { url } = (await answer.json()) as { url: string };
  await home.open();
  await expect.poll(() => isServed(page)).toBe(true);
  for (const rewritten of [url.replace('#', '%23'), url.replace('#', '?utm_source=mail#')]) {
    await page.goto(rewritten);
    await expect(new GuestPage(page).heading).toHaveText('Buoy 7');
    expect(new URL(page.url()).pathname).toBe('/view');
  }
  await page.goto('/sign-in%23link=ann.1.abc');
  await expect(page).toHaveURL(`${server.origin}/sign-in#link=ann.1.abc`);
});

test('a session that has ended shows nothing of it, and deletes the data', async ({ context, page, user, home }) => {
  await user.add({ name: 'Buoy 7', machine_type: 'bug' });
  await home.open();
  await expect.poll(() => isServed(page)).toBe(true);
  await expect.poll(async () => (await storedData(page)).length).toBeGreaterThan(1);
  await page.close();
  await context.clearCookies();
  const later = await context.newPage();
  await later.goto('/');
  // With the place of the map, if the page was there before the server said so.
  await expect(later).toHaveURL(/\/sign-in\?(next=.*&)?ended=1$/);
  await expect.poll(() => storedData(later)).toEqual([]);
});

test(
  'notifications are switched on in Preferences, gathered, answered without a page, and end with the session',
  { tag: '@long' },
  async ({ context, page, server, user, owner, account, step }) => {
    const { swarm, devices } = await inviteDevices({ user, owner, names: ['Silo sensor 5'] });
    const [device] = devices as [Resource];
    const of = { user_id: user.name, resource_id: device.id, swarm_id: swarm.id, swarm_name: swarm.name };
    const received = await context.request.get(`${server.origin}/api/resources/${device.id}/invitations`);
    const [{ id: invitation_id }] = (await received.json()) as [Invitation];
    await context.grantPermissions(['notifications']);
    // The browser's push service is on the internet: a test of the server has one of its own, with the real encryption.
    const browserKeys = {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    };
    await context.addInitScript((keys) => {
      localStorage.setItem('undo_seconds', '10');
      const isOn = () => localStorage.getItem('test-push') !== null;
      const endpoint = 'https://push.invalid/1';
      const subscription = {
        endpoint,
        toJSON: () => ({ endpoint, keys }),
        unsubscribe: async () => localStorage.removeItem('test-push'),
      };
      Object.assign(PushManager.prototype, {
        getSubscription: async () => (isOn() ? subscription : null),
        subscribe: async () => {
          localStorage.setItem('test-push', '1');
          return subscription;
        },
      });
      // The page closes what the worker shows (below).
      Object.assign(ServiceWorkerRegistration.prototype, {
        getNotifications: async (filter?: { tag: string }) => [
          { close: () => new BroadcastChannel('test-close').postMessage(filter?.tag) },
        ],
      });
    }, browserKeys);
    await account.open();
    await expect.poll(() => isServed(page)).toBe(true);
    await step('the user switches them on', async () => {
      // not `check()`: a switch shows what is being saved one turn after the click
      await account.notifications.click();
      await expect(account.notifications).toBeChecked();
      await expect(account.namesInNotifications).not.toBeChecked();
      await page.reload();
      await expect(account.notifications).toBeChecked();
    });
    const devtools = await context.newCDPSession(page);
    const registered = new Promise<string>((resolve) =>
      devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
        if (first) resolve(first.registrationId);
      }),
    );
    await devtools.send('ServiceWorker.enable');
    const registrationId = await registered;
    const push = () => {
      const about = { ...of, invitation_id, resource_name: device.name };
      const notice: PushedNotice = { kind: 'invitation.sent', amount: 1, language: 'en', ...about };
      const data = JSON.stringify(notice);
      return devtools.send('ServiceWorker.deliverPushMessage', { origin: server.origin, registrationId, data });
    };
    const worker = context.serviceWorkers()[0]!;
    // The headless browser has no notifications, so the worker's are kept in a list.
    await worker.evaluate(() => {
      const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
      let all: Notification[] = [];
      const close = (tag: string) => (all = all.filter((other) => other.tag !== tag));
      new BroadcastChannel('test-close').addEventListener('message', ({ data }) => (all = close(data as string)));
      const titles: string[] = [];
      Object.assign(registration, {
        titles,
        getNotifications: async (filter?: { tag: string }) => all.filter(({ tag }) => !filter || tag === filter.tag),
        async showNotification(title: string, options: { tag: string }) {
          titles.push(title);
          all = [
            ...close(options.tag),
            { title, ...options, close: () => close(options.tag) } as unknown as Notification,
          ];
        },
      });
    });
    const shown = () =>
      worker.evaluate(async () => {
        const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
        return (await registration.getNotifications()).map(({ title, body }) => (body ? `${title}: ${body}` : title));
      });
    /** Also those that are closed since. */
    const titles = () =>
      worker.evaluate(() => (globalThis as unknown as { registration: { titles: string[] } }).registration.titles);
    const press = (button: 'reject') =>
      worker.evaluate(async (action) => {
        const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
        const { ExtendableEvent } = globalThis as unknown as { ExtendableEvent: typeof Event };
        const [notification] = await registration.getNotifications();
        dispatchEvent(Object.assign(new ExtendableEvent('notificationclick'), { notification, action }));
      }, button);
    await step('in a network that answers with its own page, Reject waits for a page of the app', async () => {
      await push();
      await expect.poll(shown).toEqual(['New invitation: \u2068Silo sensor 5\u2069 · \u2068River levels\u2069']);
      await worker.evaluate(() => {
        const real = globalThis.fetch;
        globalThis.fetch = async () => {
          globalThis.fetch = real;
          return new Response('<h1>Welcome to our hotel</h1>');
        };
      });
      await press('reject');
      await expect
        .poll(titles)
        .toEqual(['New invitation', expect.stringContaining('“Reject” is sent when you open Swarmdeck')]);
      const path = `${server.origin}/api/resources/${device.id}/invitations`;
      await expect
        .poll(async () => ((await (await context.request.get(path)).json()) as Invitation[])[0]?.status)
        .toBe('rejected');
      await expect.poll(shown, 'nothing waits any more').toEqual([]);
    });
    await step('several are one notification', async () => {
      await push();
      await push();
      await expect.poll(shown).toEqual(['2 new invitations']);
    });
    await step('a new address of the browser is sent to the server', async () => {
      await worker.evaluate((keys) => {
        const { PushManager, ExtendableEvent } = globalThis as unknown as {
          PushManager: { prototype: object };
          ExtendableEvent: typeof Event;
        };
        const subscribe = async () => ({ toJSON: () => ({ endpoint: 'https://push.invalid/2', keys }) });
        Object.assign(PushManager.prototype, { subscribe });
        dispatchEvent(new ExtendableEvent('pushsubscriptionchange'));
      }, browserKeys);
      const settings = async () =>
        ((await (await context.request.get(`${server.origin}/api/account/push`)).json()) as PushSettings).subscription;
      await expect.poll(settings).toMatchObject({ endpoint: 'https://push.invalid/2', shows_names: false });
    });
    await step('after sign-out, the browser is not registered', async () => {
      await account.signOut();
      await expect(page).toHaveURL(/\/sign-in$/);
      await expect.poll(() => page.evaluate(() => localStorage.getItem('test-push'))).toBeNull();
    });
  },
);
