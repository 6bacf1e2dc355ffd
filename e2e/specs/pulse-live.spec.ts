import { ask } from '../asked.ts';
import { expect, test } from '../fixtures.ts';

/** Shorter than a stream may be silent, longer than anybody waits to look again. */
const while30s = 30_000;

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
  // what is read once more, because something may have been missed before
  await expect.poll(() => asked.filter((path) => path === '/api/inbox/count').length).toBeGreaterThan(0);
  await page.waitForLoadState('load');
  await expect(inbox.row('Silo sensor 5')).toBeVisible();
  await page.clock.runFor(5000);
  asked.length = 0;
  await page.clock.runFor(while30s);
  await expect(inbox.row('Silo sensor 5')).toContainText(/([3-9]\d s|\d min)/);
  expect(asked.filter((path) => path.startsWith('/api/'))).toEqual([]);

  await page.clock.runFor(100);
  await shell.goTo('Swarms');
  await expect(shell.heading).toHaveText('Swarms');
  await expect(inbox.says('River levels')).toBeHidden();
  await expect.poll(() => asked.some((path) => path === '/api/swarm-list')).toBe(true);
  await page.clock.runFor(5000);
  asked.length = 0;
  await page.clock.runFor(25_000);
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
