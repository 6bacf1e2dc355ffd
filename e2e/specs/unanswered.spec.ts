import { expect, test } from '../fixtures.ts';
import { answerAsPortal } from '../intercept-requests.ts';
import { invite, inviteDevices } from '../invitations.ts';

test.use({ mounted: false, serviceWorkers: 'allow' });

test(
  'what the user has confirmed while the server does not answer is done once it does, also if the page was loaded again',
  { tag: '@once' },
  async ({ context, page, server, user, owner, device, inbox, shell, step }) => {
    await context.addInitScript(() => localStorage.setItem('undo_seconds', '10'));
    const { swarm } = await inviteDevices({ user, owner, names: ['Silo sensor 5'] });
    const buoy = await user.add({ name: 'Buoy 7', machine_type: 'bug' });
    await invite({ user, owner, swarm, device: buoy });
    await user.answerAll('accept', buoy);
    await inbox.goto();
    await expect(inbox.row('Silo sensor 5')).toBeVisible();
    await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
    await device.open(buoy.id);
    await expect(device.swarm('River levels')).toBeVisible();
    // code that loads later would not load any more
    await expect(shell.settled).toBeAttached();
    await step('a device leaves a swarm', async () => {
      await device.leaveSwarm('River levels');
      await expect(device.leaveSwarmDialog).toBeVisible();
      server.freeze();
      await device.confirmLeaving();
      await expect(device.swarm('River levels')).toContainText('Leaving…');
      await page.reload();
      await expect(shell.waiting).toHaveText('1 waiting');
      await expect(device.swarm('River levels')).toContainText('Leave · Waiting to be sent');
    });
    await step('an invitation is accepted', async () => {
      await shell.destination('Invitations').click();
      await inbox.answerInRow('Silo sensor 5', 'Accept');
      await expect(inbox.row('Silo sensor 5')).toContainText('Accept');
      await page.reload();
      await expect(shell.waiting).toHaveText('2 waiting');
      await expect(inbox.row('Silo sensor 5')).toContainText('Accept · Waiting to be sent');
    });
    await step('the server answers', async () => {
      server.thaw();
      await expect(shell.waiting).toHaveCount(0);
      await expect(inbox.past('Silo sensor 5')).toContainText('Accepted', { timeout: 20_000 });
      await device.open(buoy.id);
      await expect(device.swarm('River levels')).toHaveCount(0, { timeout: 20_000 });
    });
  },
);

test(
  'a network that answers with its own page is no server: the page says how old it is, and an answer waits',
  { tag: ['@long', '@once'] },
  async ({ context, page, user, owner, inbox, shell, layout }) => {
    await context.addInitScript(() => localStorage.setItem('undo_seconds', '10'));
    await inviteDevices({ user, owner, names: ['Silo sensor 5'] });
    await inbox.goto();
    await expect(inbox.row('Silo sensor 5')).toBeVisible();
    await layout.ready();
    await page.route(/\/(api|auth)\//, answerAsPortal);
    await inbox.answerInRow('Silo sensor 5', 'Accept');
    await expect(shell.waiting).toHaveText('1 waiting');
    await expect(shell.notice).toContainText('As of');
    await expect(shell.notice).toContainText('This network may need a sign-in first.');
    await expect(inbox.row('Silo sensor 5')).toContainText('Accept · Waiting to be sent');
    await page.unrouteAll({ behavior: 'wait' });
    await expect(shell.waiting).toHaveCount(0);
    await expect(inbox.past('Silo sensor 5')).toContainText('Accepted');
  },
);
