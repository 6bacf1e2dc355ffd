import { devices } from 'playwright/test';
import { runPending } from '../actions.ts';
import { inviteDevices } from '../invitations.ts';
import { countReceived, inviteMany } from '../many-invitations.ts';
import { expect, test } from '../fixtures.ts';
import { InboxPage } from '../pages/inbox.page.ts';
import { ShellPart } from '../pages/shell.part.ts';

test(
  'answers of a closed browser are executed, and those whose countdown it closed',
  { tag: '@once' },
  async ({ page, context, user, owner, inbox, server }) => {
    const count = 250;
    await inviteMany({ server, user, owner, count, names: ['Oldest buoy', 'Middle gauge'] });
    await inbox.goto();
    await inbox.selectAll();
    await inbox.review();
    await inbox.answerAll('Accept', count);
    await expect(inbox.rows.first()).toContainText('Accepting…');
    await page.close();
    await runPending(context.request);
    await expect.poll(() => countReceived(context.request)).toEqual({ new: 0, accepted: count, rejected: 0 });
    const next = new InboxPage(await context.newPage());
    await next.goto();
    await expect(next.noBadge).toBeVisible();
    await expect(next.answered.first()).toBeVisible();
  },
);

test(
  'another tab and the user’s phone show the same, and can undo it',
  { tag: '@once' },
  async ({ page, context, browser, server, user, owner, inbox, shell, step }) => {
    await inviteDevices({ user, owner, names: ['Silo sensor 5', 'Gate sensor 18'] });
    const phone = await browser.newContext({ ...devices['iPhone 15'], baseURL: server.origin });
    await phone.addCookies(await context.cookies());
    const tab = await context.newPage();
    const [inTab, onPhone] = [new InboxPage(tab), new InboxPage(await phone.newPage())];
    const phoneShell = new ShellPart(phone.pages()[0]!);
    for (const each of [inbox, inTab, onPhone]) await each.goto();
    await expect(onPhone.row('Silo sensor 5')).toBeVisible();
    await expect(inTab.row('Silo sensor 5')).toBeVisible();
    await step('an answer is pending everywhere', async () => {
      await inbox.answerInRow('Silo sensor 5', 'Accept');
      await expect(inTab.row('Silo sensor 5')).toContainText('Accepting…');
      await expect(onPhone.row('Silo sensor 5')).toContainText('Accepting…');
      await expect(onPhone.badge('1 unanswered')).toBeVisible();
    });
    await step('it is undone on the phone', async () => {
      await onPhone.undo('Silo sensor 5');
      await expect.poll(() => countReceived(page.request)).toMatchObject({ new: 2 });
      for (const each of [inbox, inTab, onPhone]) {
        await expect(each.row('Silo sensor 5')).not.toContainText('Accepting');
      }
    });
    await step('several answers of the phone are executed for all', async () => {
      await onPhone.selectAll();
      await onPhone.review();
      await onPhone.answerAll('Reject', 2);
      await expect(shell.undoToasts).toContainText('Rejecting 2 invitations');
      await runPending(page.request);
      await expect(phoneShell.notices).toContainText('2 invitations rejected');
      for (const each of [inbox, inTab, onPhone]) await expect(each.answered).toHaveCount(2);
    });
    await phone.close();
  },
);

test(
  'a server that is killed again and again executes each answer once',
  { tag: '@once' },
  async ({ page, user, owner, inbox, server }) => {
    const count = 1200;
    await inviteMany({ server, user, owner, count, names: ['Oldest buoy', 'Middle gauge'] });
    await inbox.goto();
    await inbox.selectAll();
    await expect(inbox.selected).toHaveText('1,200 selected');
    await inbox.answerAll('Accept', '1,200');
    await runPending(page.request);
    for (let times = 0; times < 3; times += 1) {
      await server.kill();
      await server.again();
    }
    await expect.poll(() => countReceived(page.request)).toEqual({ new: 0, accepted: count, rejected: 0 });
    await expect(inbox.noBadge).toBeVisible();
    await expect(inbox.rows).toHaveCount(0);
  },
);
