import { invite } from '../invitations.ts';
import { expect, test } from '../fixtures.ts';

test.use({ clock: true });

/** Longer than any poll interval, and, with 3 s before it, shorter than the silence (25 s) after which the stream is reopened. */
const quiet = 21_000;

/** What an open invitation reads every 5 s: the stream has no events of a swarm that the user is not in. */
const readsOfConsent = /^\/api\/(inbox\/[\da-f-]{36}|swarms\/[^/]+\/flow)$/;

test('no page polls while the stream is connected, and ages still grow', async ({
  page,
  user,
  owner,
  inbox,
  shell,
}) => {
  const swarm = await owner.createSwarm({ name: 'River levels', description: '' });
  const device = await user.add({ name: 'Silo sensor 5', machine_type: 'bug' });
  await invite({ user, owner, swarm, device });
  const read = page.waitForResponse((response) => response.url().includes('/api/events'));
  await inbox.goto();
  await read;
  const requests: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/') && !readsOfConsent.test(pathname)) requests.push(pathname);
  });
  /** Waits for a message of the stream, and for the requests that it causes. */
  const hearSomething = async () => {
    requests.length = 0;
    await user.add({ name: 'Silo sensor 6', machine_type: 'bug' });
    await expect.poll(() => requests).toContain('/api/account');
    await page.clock.runFor(3000);
    requests.length = 0;
  };
  await page.waitForLoadState('load');
  await expect(inbox.row('Silo sensor 5')).toBeVisible();
  // the page may still be starting, so that its last reads come late; polls come every time
  await expect(async () => {
    await hearSomething();
    await page.clock.runFor(quiet);
    await expect(inbox.row('Silo sensor 5')).toContainText(/([2-9]\d s|\d min)/);
    expect(requests).toEqual([]);
  }).toPass();

  await shell.goTo('Swarms');
  await expect(shell.heading).toHaveText('Swarms');
  await expect(inbox.says('River levels')).toBeHidden();
  await expect.poll(() => requests).toContain('/api/swarm-list');
  await expect(async () => {
    await hearSomething();
    await page.clock.runFor(quiet);
    expect(requests.filter((path) => path === '/api/swarm-list')).toEqual([]);
  }).toPass();
});

test('pages poll while the stream is disconnected', async ({ page, user, owner, inbox, shell }) => {
  const swarm = await owner.createSwarm({ name: 'River levels', description: '' });
  const device = await user.add({ name: 'Silo sensor 5', machine_type: 'bug' });
  await page.route('**/api/events?*', (route) => route.fulfill({ status: 503, body: 'no' }));
  await inbox.goto();
  await expect(shell.notLive).toBeVisible();
  await invite({ user, owner, swarm, device });
  await page.clock.runFor(21_000);
  await expect(inbox.row('Silo sensor 5')).toBeVisible();
});
