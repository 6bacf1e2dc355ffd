import { devices } from 'playwright/test';
import { runPending } from '../actions.ts';
import { inviteDevices } from '../invitations.ts';
import { countReceived } from '../many-invitations.ts';
import { expect, test } from '../fixtures.ts';
import { InboxPage } from '../pages/inbox.page.ts';
import { ShellPart } from '../pages/shell.part.ts';

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
