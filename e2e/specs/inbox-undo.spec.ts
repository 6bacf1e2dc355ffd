import type { BrowserContext } from 'playwright/test';
import { invite, inviteDevices } from '../invitations.ts';
import { countReceived, inviteMany } from '../many-invitations.ts';
import { expect, test } from '../fixtures.ts';
import { InboxPage } from '../pages/inbox.page.ts';

/** Ends the countdown of ten seconds. */
const tenSeconds = 11_000;

test.beforeEach(async ({ page }) => {
  await page.clock.install();
});

/** Answers the browser's own question whether to leave. */
function answerQuestions(context: BrowserContext, answers: ('stay' | 'leave')[]) {
  const left = [...answers];
  context.on('dialog', (dialog) => void (left.shift() === 'leave' ? dialog.accept() : dialog.dismiss()));
  return left;
}

test(
  'a pending answer survives navigation and is undone on another page',
  { tag: '@once' },
  async ({ page, user, owner, inbox, shell, step }) => {
    await inviteDevices({ user, owner, names: ['Silo sensor 5'] });
    await inbox.goto();
    await inbox.answerInRow('Silo sensor 5', 'Accept');
    await step('its toast names the action and the device', async () => {
      await shell.goTo('Swarms');
      await expect(shell.heading).toHaveText('Swarms');
      await expect(shell.undoToasts).toContainText('Accepting the invitation to River levels for Silo sensor 5');
    });
    await shell.undo();
    await expect(shell.undoToasts).not.toContainText('Silo sensor 5');
    await page.clock.runFor(tenSeconds);
    expect(await countReceived(page.request)).toMatchObject({ new: 1 });
    await shell.goTo('Invitations');
    await expect(inbox.row('Silo sensor 5')).not.toContainText('Accepting');
    await inbox.answerInRow('Silo sensor 5', 'Reject');
    await shell.goTo('Swarms');
    await expect(shell.undoToasts).toContainText('Rejecting the invitation to River levels for Silo sensor 5');
    await page.clock.runFor(tenSeconds);
    await expect(shell.undoToasts).not.toContainText('Silo sensor 5');
    await expect.poll(() => countReceived(page.request)).toEqual({ new: 0, accepted: 0, rejected: 1 });
  },
);

test(
  'a pending answer is sent at once when its tab is closed',
  { tag: '@once' },
  async ({ page, context, user, owner, inbox }) => {
    await inviteDevices({ user, owner, names: ['Silo sensor 5', 'Gate sensor 18'] });
    await inbox.goto();
    await inbox.answerInRow('Silo sensor 5', 'Accept');
    await inbox.answerInRow('Gate sensor 18', 'Reject');
    await expect(inbox.row('Gate sensor 18')).toContainText('Rejecting…');
    await page.close({ runBeforeUnload: true });
    await expect.poll(() => countReceived(context.request)).toEqual({ new: 0, accepted: 1, rejected: 1 });
  },
);

test(
  'a pending answer is sent at once when its tab is hidden',
  { tag: '@once' },
  async ({ page, context, user, owner, inbox }) => {
    await inviteDevices({ user, owner, names: ['Silo sensor 5'] });
    await inbox.goto();
    await inbox.answerInRow('Silo sensor 5', 'Accept');
    await expect(inbox.row('Silo sensor 5')).toContainText('Accepting…');
    // in a headless browser all tabs are visible
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await expect.poll(() => countReceived(context.request)).toMatchObject({ accepted: 1 });
  },
);

test('a browser that crashes has sent nothing', { tag: '@once' }, async ({ page, context, user, owner, inbox }) => {
  await inviteDevices({ user, owner, names: ['Silo sensor 5', 'Gate sensor 18'] });
  await inbox.goto();
  await inbox.selectAll();
  await inbox.review();
  await inbox.answerAll('Accept', 2);
  await expect(inbox.row('Silo sensor 5')).toContainText('Accepting…');
  const crashed = page.waitForEvent('crash');
  const devtools = await context.newCDPSession(page);
  devtools.send('Page.crash').catch(() => undefined);
  await crashed;
  await page.close();
  const next = await context.newPage();
  const inboxAgain = new InboxPage(next);
  await inboxAgain.goto();
  await expect(inboxAgain.row('Silo sensor 5')).not.toContainText('Accepting');
  await next.clock.runFor(tenSeconds);
  await expect(inboxAgain.badge(2)).toBeVisible();
  expect(await countReceived(context.request)).toEqual({ new: 2, accepted: 0, rejected: 0 });
});

test(
  'more pending answers than a closing tab can send ask for confirmation, and continue on the next visit',
  { tag: '@once' },
  async ({ page, context, user, owner, inbox, server }) => {
    const count = 220;
    await inviteMany({ server, user, owner, count, names: ['Oldest buoy', 'Middle gauge'] });
    const questions = answerQuestions(context, ['stay', 'leave']);
    await inbox.goto();
    await inbox.selectAll();
    await inbox.review();
    await inbox.answerAll('Reject', count);
    await expect(inbox.job).toContainText(`Rejecting ${count} invitations`);
    await page.close({ runBeforeUnload: true });
    await expect.poll(() => questions.length).toBe(1);
    await expect(inbox.undoAll).toBeVisible();
    expect(await countReceived(context.request)).toMatchObject({ new: count });

    const closed = page.waitForEvent('close');
    await page.close({ runBeforeUnload: true });
    await closed;
    const next = new InboxPage(await context.newPage());
    await next.goto();
    const received = expect.poll(() => countReceived(context.request), { timeout: 90_000 });
    await received.toEqual({ new: 0, accepted: 0, rejected: count });
  },
);

test(
  'an answer that fails while the user is on another page is reported there, and in its row',
  { tag: '@once' },
  async ({ page, user, owner, inbox, shell, step }) => {
    const swarm = await owner.createSwarm({ name: 'Fleet south', description: '' });
    const silo = await user.add({ name: 'Silo sensor 5', machine_type: 'bug' });
    const invitation = await invite({ user, owner, swarm, device: silo });
    await inbox.goto();
    await inbox.answerInRow('Silo sensor 5', 'Accept');
    await shell.goTo('Swarms');
    await owner.withdraw(invitation);
    await step('the notice says why', async () => {
      await page.clock.runFor(tenSeconds);
      await expect(shell.notices).toContainText('The invitation could not be accepted');
    });
    await shell.goTo('Invitations');
    await expect(inbox.row('Silo sensor 5')).toContainText('It has been withdrawn.');
  },
);

test(
  'failed answers return to the list with their reasons, and the others are sent',
  { tag: '@once' },
  async ({ page, user, owner, inbox, shell, step }) => {
    const { swarm, devices } = await inviteDevices({
      user,
      owner,
      names: ['Van phone 7', 'Gate sensor 18', 'Silo sensor 5'],
    });
    const late = await user.add({ name: 'Buoy 12', machine_type: 'bug' });
    const withdrawn = await invite({ user, owner, swarm, device: late });
    await inbox.goto();
    await inbox.selectAll();
    await inbox.review();
    await inbox.answerAll('Accept', 4);
    await owner.withdraw(withdrawn);
    await page.request.delete(`/api/resources/${devices[1]?.id}`, { headers: { origin: new URL(page.url()).origin } });
    await step('both are shown', async () => {
      await page.clock.runFor(tenSeconds);
      await expect(inbox.row('Buoy 12')).toContainText('It has been withdrawn.');
      await expect(inbox.row('Gate sensor 18')).toContainText(/has been deleted/);
      await expect(inbox.rows).toHaveCount(2);
      await expect(shell.notices).toContainText('2 invitations accepted');
      await expect(shell.notices).toContainText('2 failed');
    });
    expect(await countReceived(page.request)).toMatchObject({ new: 0, accepted: 2 });
  },
);
