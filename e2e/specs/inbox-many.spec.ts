import { countReceived, inviteMany } from '../many-invitations.ts';
import { expect, test } from '../fixtures.ts';
import { slowDownBatches } from '../intercept-requests.ts';

const long = process.env['SWARMDECK_LONG'] === '1';
/** More than one page of the list, and more than the app sends or renders at once. */
const count = long ? 10_000 : 1200;
const counted = count.toLocaleString('en-GB');
/** Generous, for a busy machine. */
const patiently = { timeout: 300_000 };

test('thousands of invitations are read and answered, also across a restart of the server', async ({
  page,
  user,
  owner,
  inbox,
  server,
  step,
}) => {
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
  await step('the answers show their progress and can be paused', async () => {
    await slowDownBatches(page, 2000);
    await inbox.answerAll('Accept', counted);
    await expect(inbox.job).toContainText(`Accepting ${counted} invitations`);
    await expect(inbox.noBadge).toBeVisible();
    await expect(inbox.job).toContainText(new RegExp(`[1-9][\\d,]* of ${counted}`), patiently);
    await inbox.holdJob('Pause');
    await expect(inbox.job).toContainText(new RegExp(`Paused · [1-9][\\d,]* of ${counted}`));
  });
  await test.step('the server is stopped and started again', async () => {
    await inbox.holdJob('Resume');
    await server.end();
    await expect(inbox.job).toContainText(` of ${counted}`);
    await server.again();
    await expect(inbox.job).toHaveCount(0, patiently);
  });
  await test.step('each invitation is accepted once', async () => {
    await expect(inbox.rows).toHaveCount(0);
    await expect(inbox.says('All answered.')).toBeVisible();
    await expect(inbox.noBadge).toBeVisible();
    expect(await countReceived(page.request)).toEqual({ new: 0, accepted: count, rejected: 0 });
  });
});
