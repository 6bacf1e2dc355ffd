import type { BrowserContext, Page } from 'playwright/test';
import { expectAccessible } from '../accessibility.ts';
import { connectDevice } from '../device-client.ts';
import { expect, test } from '../fixtures.ts';
import { BulkPart } from '../pages/bulk.part.ts';
import { DevicePage } from '../pages/device.page.ts';
import { HomePage } from '../pages/home.page.ts';
import { InboxPage } from '../pages/inbox.page.ts';
import { ShellPart } from '../pages/shell.part.ts';
import { startServer } from '../server.ts';

const position = { longitude: 13.4, latitude: 52.5 };

/** Returns the pages that request the stream. */
function watchStreams(context: BrowserContext): Page[] {
  const pages: Page[] = [];
  context.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/events') pages.push(request.frame().page());
  });
  return pages;
}

/** Waits until the page receives events: it has the stream, or listens to the tab that has it. */
const isLive = (page: Page) => page.waitForResponse((response) => response.url().includes('/api/events'));

/** Its journey is its only user: after a change of any other one, a stream says that its page may have missed something. */
const startAlone = () => startServer();
const testAlone = test.extend({ server: async ({ share }, use) => use(await share(startAlone)) });

// a connected page polls only once a minute, which is longer than an assertion waits: a change comes as an event
test('a device that is moved through the API moves in the list, the card and the map of an open page', async ({
  page,
  user,
  home,
  server,
}) => {
  const { id } = await user.add({ name: 'Tug 7', machine_type: 'smartphone', position });
  const tug = connectDevice({ origin: server.origin, key: await user.createKey('tug'), id });
  const live = isLive(page);
  await home.open({ sel: id });
  await expect(home.card).toContainText('52.5');
  await live;
  await expect(home.row('Tug 7')).toBeVisible();

  const map = page.waitForResponse(async (response) => {
    if (!response.url().includes('/api/map')) return false;
    // a response that is older than an event is dropped
    const text = await response.text().catch(() => '');
    return text.includes('14.25');
  });
  await tug.put({ position: { longitude: 14.25, latitude: 53.75 } });
  await map;
  await expect(home.card).toContainText('53.75');
  await tug.put({ name: 'Tug 8' });
  await expect(home.row('Tug 8')).toBeVisible();
});

testAlone(
  'a page reads nothing again when its stream opens, if nothing has happened since',
  { tag: '@page' },
  async ({ page, user, owner, home }) => {
    const device = await user.add({ name: 'Tug 7', machine_type: 'smartphone', position });
    const swarm = await owner.createSwarm({ name: 'River levels', description: 'Water levels.' });
    const read: string[] = [];
    page.on('request', (request) => read.push(request.url()));
    // not one of a page whose list is still loading: it is opened again, and the invitation could come before that
    const live = page.waitForResponse((response) => response.url().includes('/api/events?watch=own&'));
    await home.open();
    await expect(home.row('Tug 7')).toBeVisible();
    await live;
    // the event of an invitation comes after all that the opening causes
    await owner.invite(swarm, { to: user.name, resource_id: device.id, resource_type: 'consumer' });
    await expect(new InboxPage(page).badge(1)).toBeVisible();
    const data = read.filter((url) => /\/api\/(account|actions|demo|devices|map|resources|saved-views)/.test(url));
    expect(data.length).toBeGreaterThan(3);
    expect(data).toEqual([...new Set(data)]);
  },
);

test('the page of a device and the members of its swarm follow it, and its page shows when it is deleted', async ({
  page,
  user,
  server,
  swarm: members,
}) => {
  const { id } = await user.add({ name: 'Tug 7', machine_type: 'smartphone', position });
  const swarm = await user.createSwarm({ name: 'River levels', description: '' });
  await user.join(swarm, { resource_id: id, resource_type: 'both' });
  const key = await user.createKey('tug');
  const tug = connectDevice({ origin: server.origin, key, id });
  const live = page.waitForResponse((response) => response.url().includes(`resource=${id}`));
  await page.goto(`/devices/${id}`);
  await live;
  const shell = new ShellPart(page);
  await expect(shell.heading).toHaveText('Tug 7');
  await tug.put({ name: 'Tug 8' });
  await expect(shell.heading).toHaveText('Tug 8');
  await new BulkPart(page).swarmLink('River levels').click();
  await expect(members.member('Tug 8')).toBeVisible();
  await tug.put({ name: 'Tug 9' });
  await expect(members.member('Tug 9')).toBeVisible();
  await page.goBack();
  await fetch(`${server.origin}/service/resources/${id}`, { method: 'DELETE', headers: { 'x-serviceapikey': key } });
  await expect(new DevicePage(page).deletedElsewhere).toBeVisible();
});

test('a new invitation appears in the badge, the title and the inbox at once', async ({ page, user, owner, inbox }) => {
  const device = await user.add({ name: 'Silo sensor 5', machine_type: 'bug' });
  const swarm = await owner.createSwarm({ name: 'River levels', description: 'Water levels.', public: true });
  const live = isLive(page);
  await inbox.goto();
  await live;
  const invitation = await owner.invite(swarm, { to: user.name, resource_id: device.id, resource_type: 'consumer' });
  await expect(inbox.badge(1)).toBeVisible();
  await expect(inbox.row('Silo sensor 5')).toBeVisible();
  await expect(page).toHaveTitle(/^\(1\) /);
  await owner.withdraw(invitation);
  await expect(inbox.row('Silo sensor 5')).toBeHidden();
});

/** Runs in a page: how many tabs wait to take over the stream. */
const waitingTabs = async () => (await navigator.locks.query()).pending?.length ?? 0;

test(
  'four tabs share one stream; when its tab is closed, the others miss nothing',
  { tag: '@page' },
  async ({ context, page, user, owner }) => {
    const swarm = await owner.createSwarm({ name: 'River levels', description: 'Water levels.', public: true });
    const sendInvitation = async (name: string) => {
      const { id } = await user.add({ name, machine_type: 'bug' });
      await owner.invite(swarm, { to: user.name, resource_id: id, resource_type: 'consumer' });
    };
    const streamPages = watchStreams(context);
    const first = isLive(page);
    await new HomePage(page).open();
    await first;
    const others = [await context.newPage(), await context.newPage(), await context.newPage()];
    for (const other of others) await new InboxPage(other).goto();
    await expect.poll(() => page.evaluate(waitingTabs), 'tabs in line for the stream').toBe(others.length);
    await sendInvitation('Silo sensor 1');
    for (const other of others) await expect(new InboxPage(other).row('Silo sensor 1')).toBeVisible();
    await expect(new InboxPage(page).badge(1)).toBeVisible();
    expect(new Set(streamPages), 'the pages with a stream').toEqual(new Set([page]));

    // sent while no tab has the stream
    const sent = Promise.withResolvers<void>();
    await context.route('**/api/events?*', async (route) => {
      await sent.promise;
      await route.continue();
    });
    const next = context.waitForEvent('request', (request) => request.url().includes('/api/events'));
    await page.close();
    expect((await next).url(), 'it goes on after the last event').toContain('last_event_id=');
    await sendInvitation('Silo sensor 2');
    sent.resolve();
    for (const other of others) {
      await expect(new InboxPage(other).row('Silo sensor 2')).toBeVisible();
    }
    expect(new Set(streamPages).size, 'one stream after the other').toBe(2);
  },
);

test('a disconnected stream is shown quietly, and reconnects by itself', async ({ page, user, owner, inbox }) => {
  const device = await user.add({ name: 'Silo sensor 5', machine_type: 'bug' });
  const swarm = await owner.createSwarm({ name: 'River levels', description: 'Water levels.', public: true });
  const shell = new ShellPart(page);
  await page.route('**/api/events?*', (route) => route.fulfill({ status: 503, body: 'no' }));
  await inbox.goto();
  await expect(shell.notLive).toBeVisible();
  await expectAccessible({ page, title: 'not live' });
  await owner.invite(swarm, { to: user.name, resource_id: device.id, resource_type: 'consumer' });
  await page.unroute('**/api/events?*');
  await expect(shell.notLive).toBeHidden();
  await expect(inbox.row('Silo sensor 5')).toBeVisible();
});
