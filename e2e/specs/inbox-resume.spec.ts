import type { Page } from 'playwright/test';
import { expectAccessible } from '../accessibility.ts';
import { countReceived, inviteMany } from '../many-invitations.ts';
import { expect, test } from '../fixtures.ts';
import { batchOf, holdRequestsAfter } from '../intercept-requests.ts';
import { InboxPage } from '../pages/inbox.page.ts';
import { ShellPart } from '../pages/shell.part.ts';

const count = 250;
const answers = { path: '**/api/batch', method: 'POST' };

/** The answers that a page sends. */
function watchAnswers(page: Page) {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/batch')) sent.push(...batchOf(request).map(({ path }) => path));
  });
  return sent;
}

let drop: () => Promise<void>;
test.beforeEach(async ({ page, user, owner, inbox, server }) => {
  await inviteMany({ server, user, owner, count, names: ['Oldest buoy', 'Middle gauge'] });
  await page.clock.install();
  drop = await holdRequestsAfter({ page, ...answers, few: 1 });
  await inbox.goto();
  await inbox.selectAll();
  await expect(inbox.selected).toHaveText(`${count} selected`);
  await inbox.review();
  await inbox.answerAll('Accept', count);
  await page.clock.runFor(11_000);
  await expect(inbox.job).toContainText(`100 of ${count}`);
});

const allAccepted = { new: 0, accepted: count, rejected: 0 };

test('many answers continue after their tab is closed, once each', async ({ page, context }) => {
  await drop();
  await page.close();
  const next = await context.newPage();
  const sent = watchAnswers(next);
  const inbox = new InboxPage(next);
  await inbox.goto();
  await expect.poll(() => countReceived(context.request)).toEqual(allAccepted);
  await expect(inbox.says('All answered.')).toBeVisible();
  await expect(inbox.noBadge).toBeVisible();
  expect([sent.length, new Set(sent).size], 'the rest, each once').toEqual([count - 100, count - 100]);
});

/** Runs in a page: how many tabs wait to take over another tab's job. */
const waitingTabs = async () =>
  (await navigator.locks.query()).pending?.filter(({ name }) => name?.startsWith('answers:')).length ?? 0;

test('another open tab takes over and shows the progress', async ({ page, context }) => {
  const other = await context.newPage();
  const shell = new ShellPart(other);
  await holdRequestsAfter({ page: other, ...answers, few: 1 });
  await shell.goto('/swarms');
  await expect.poll(() => other.evaluate(waitingTabs)).toBe(1);
  await page.close();
  await expect(shell.undoToasts).toContainText(`Accepting ${count} invitations`);
  await expect(shell.undoToasts).toContainText(`200 of ${count}`);
  await expectAccessible({ page: other, title: 'a job in its notice' });
  await other.close();
  await new InboxPage(await context.newPage()).goto();
  await expect.poll(() => countReceived(context.request)).toEqual(allAccepted);
});

test('paused answers stay paused after the tab is closed, and stopping leaves the rest open', async ({
  page,
  context,
  inbox,
}) => {
  await inbox.holdJob('Pause');
  await expect(inbox.job).toContainText(`Paused · 100 of ${count}`);
  await drop();
  await page.close();
  const next = new InboxPage(await context.newPage());
  await next.goto();
  await expect(next.job).toContainText(`Paused · 100 of ${count}`);
  await next.holdJob('Stop');
  await expect(next.job).toHaveCount(0);
  await expect(next.badge(count - 100)).toBeVisible();
  expect(await countReceived(context.request)).toEqual({ new: count - 100, accepted: 100, rejected: 0 });
});
