import { ask } from '../asked.ts';
import { expect, test } from '../fixtures.ts';

/** Longer than anybody waits to look again, and shorter than a stream may be silent (45 s) before another is opened. */
const quiet = 25_000;

test.beforeEach(async ({ page }) => {
  await page.clock.install();
});

test('while news come by themselves nobody looks for them, and ages grow all the same', async ({
  page,
  user,
  owner,
  inbox,
  shell,
}) => {
  const swarm = await owner.createSwarm({ name: 'River levels', description: '' });
  const device = await user.add({ name: 'Silo sensor 5', machine_type: 'bug' });
  await ask({ user, owner, swarm, device });
  const read = page.waitForResponse((response) => response.url().includes('/api/events'));
  await inbox.goto();
  await read;
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  /** The server has just been heard, and whatever that is a reason to ask for has been asked. */
  const hearSomething = async () => {
    asked.length = 0;
    await user.add({ name: 'Silo sensor 6', machine_type: 'bug' });
    await expect.poll(() => asked).toContain('/api/account');
    await page.clock.runFor(3000);
    asked.length = 0;
  };
  // what is read once more, because something may have been missed before
  await expect.poll(() => asked.filter((path) => path === '/api/inbox/count').length).toBeGreaterThan(0);
  await page.waitForLoadState('load');
  await expect(inbox.row('Silo sensor 5')).toBeVisible();
  await hearSomething();
  await page.clock.runFor(quiet);
  await expect(inbox.row('Silo sensor 5')).toContainText(/([2-9]\d s|\d min)/);
  expect(asked.filter((path) => path.startsWith('/api/'))).toEqual([]);

  await shell.goTo('Swarms');
  await expect(shell.heading).toHaveText('Swarms');
  await expect(inbox.says('River levels')).toBeHidden();
  await expect.poll(() => asked).toContain('/api/swarm-list');
  await hearSomething();
  await page.clock.runFor(quiet);
  expect(asked.filter((path) => path === '/api/swarm-list')).toEqual([]);
});

test('while the stream is lost the pages look for news themselves', async ({ page, user, owner, inbox, shell }) => {
  const swarm = await owner.createSwarm({ name: 'River levels', description: '' });
  const device = await user.add({ name: 'Silo sensor 5', machine_type: 'bug' });
  await page.route('**/api/events?*', (route) => route.fulfill({ status: 503, body: 'no' }));
  await inbox.goto();
  await expect(shell.notLive).toBeVisible();
  await ask({ user, owner, swarm, device });
  await page.clock.runFor(21_000);
  await expect(inbox.row('Silo sensor 5')).toBeVisible();
});
