import { pausePending } from '../actions.ts';
import { countReceived, inviteMany } from '../many-invitations.ts';
import { expect, test } from '../fixtures.ts';

const long = process.env['SWARMDECK_LONG'] === '1';
/** More than one page of the list, and more than one part of an action. */
const count = long ? 10_000 : 1200;
const counted = count.toLocaleString('en-GB');
/** Generous, for a busy machine. */
const patiently = { timeout: 300_000 };

test(
  'thousands of invitations are read and answered, also across a restart of the server',
  { tag: '@long' },
  async ({ page, user, owner, inbox, shell, server, step }) => {
    test.setTimeout(900_000);
    await inviteMany({ server, user, owner, count, names: ['Oldest buoy', 'Middle gauge'] });
    await step('the badge and the title show the number', async () => {
      await inbox.goto();
      await expect(inbox.badge(counted)).toBeVisible();
      await expect(page).toHaveTitle(new RegExp(`^\\(${counted}\\) `));
      await expect(inbox.says('Needs an answer')).toBeVisible();
    });
    await step('scrolling reaches the last one', async () => {
      await expect(async () => {
        await inbox.scroll(200_000);
        await expect(inbox.row('Oldest buoy')).toBeInViewport({ timeout: 2000 });
      }).toPass(patiently);
    });
    await step('the keyboard reaches it', async () => {
      await page.reload();
      await expect(inbox.rows.first()).toBeVisible();
      await page.keyboard.press('l');
      await page.keyboard.press('End');
      await expect(inbox.paneHeading).toContainText('Oldest buoy', patiently);
      await expect(inbox.row('Oldest buoy')).toBeInViewport();
      await page.keyboard.press('k');
      await expect(inbox.paneHeading).not.toContainText('Oldest buoy');
      await page.keyboard.press('Home');
      await expect(inbox.row('Oldest buoy')).toHaveCount(0);
    });
    await step('search finds it, and one in the middle', async () => {
      await inbox.search('middle GAUGE');
      await expect(inbox.rows).toHaveCount(1);
      await expect(inbox.row('Middle gauge')).toBeVisible();
      await inbox.clearSearch.click();
      await expect(inbox.row('Middle gauge')).toHaveCount(0);
    });
    await step('all are selected and summarised', async () => {
      await inbox.selectAll();
      await expect(inbox.selected).toHaveText(`${counted} selected`, patiently);
      await expect(inbox.summary).toContainText(`Accept ${counted} invitations`);
      await expect(inbox.summary).toContainText(`${counted} devices join 3 swarms.`);
    });
    await step('the answers are pending, and are no longer counted', async () => {
      await inbox.answerAll('Accept', counted);
      await expect(shell.undoToasts).toContainText(`Accepting ${counted} invitations`);
      await expect(inbox.noBadge).toBeVisible();
    });
    await step('they are paused, also after a reload, and resumed', async () => {
      await pausePending(page.request);
      await expect(shell.undoToasts).toContainText('Paused');
      await page.reload();
      await expect(shell.undoToasts).toContainText('Paused');
      await shell.resumeAction();
      await expect(shell.undoToasts).not.toContainText('Paused');
    });
    await test.step('the server is stopped and started again', async () => {
      await server.end();
      await server.again();
    });
    await test.step('each invitation is accepted once', async () => {
      await expect(inbox.rows).toHaveCount(0, patiently);
      await expect(inbox.says('All answered.')).toBeVisible();
      await expect(inbox.noBadge).toBeVisible();
      await expect.poll(() => countReceived(page.request)).toEqual({ new: 0, accepted: count, rejected: 0 });
    });
  },
);
