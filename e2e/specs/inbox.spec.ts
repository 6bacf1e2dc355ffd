import { runPending } from '../actions.ts';
import { invite, inviteDevices } from '../invitations.ts';
import { expect, test } from '../fixtures.ts';
import { ActivityPage } from '../pages/activity.page.ts';

test.use({ clock: true });

interface Span {
  x: number;
  width: number;
}
/** How much two boxes beside each other overlap, in px. */
const overlap = (one: Span, other: Span) =>
  Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);

const isPhone = () => test.info().project.name === 'phone';

test(
  'an invitation is read, accepted, undone and accepted again',
  { tag: '@phone' },
  async ({ page, user, owner, inbox, device, shell, step }) => {
    await step('the empty page says what to do', async () => {
      await inbox.goto();
      await expect(inbox.says('No invitations yet')).toBeVisible();
    });
    const { devices } = await inviteDevices({ user, owner, names: ['Silo sensor 5', 'Greenhouse sensor 3'] });
    await step('a new invitation appears in the list, the badge and the title', async () => {
      await page.clock.runFor(21_000);
      await expect(inbox.row('Greenhouse sensor 3')).toBeVisible();
      await expect(inbox.badge('2 unanswered')).toBeVisible();
      await expect(page).toHaveTitle(/^\(2\) /);
    });
    await step('the details name the owner, the swarm, and what joining shows to whom', async () => {
      await inbox.select('Greenhouse sensor 3');
      await expect(inbox.paneHeading).toHaveText(`${owner.name} invited Greenhouse sensor 3`);
      await expect(inbox.pane).toContainText('River levels');
      await expect(inbox.pane).toContainText('Water levels of the Havel');
      await expect(inbox.pane).toContainText('This device receives what other devices of the swarm send.');
      await expect(inbox.pane).toContainText('The readings upstream would reach it first.');
      await expect(inbox.pane).toContainText(/If you accept, the owner\b.*River levels see this device: name/);
      await expect(inbox.map).toBeVisible();
      await expect(page).toHaveURL(/sel=/);
    });
    await step('an accepted invitation is pending in its row, and the next one is opened', async () => {
      await inbox.answerInPane('Accept');
      await expect(inbox.paneHeading).toContainText('Silo sensor 5');
      await expect(inbox.paneHeading, 'the focus of the removed button').toBeFocused();
      await shell.undo();
      await inbox.back();
      await inbox.select('Greenhouse sensor 3');
      await inbox.answerInPane('Accept');
      await expect(shell.undoButton).toBeVisible();
      // fails if the toast covers it
      await inbox.consent.hover();
      await inbox.back();
      await expect(inbox.row('Greenhouse sensor 3')).toContainText('Accepting…');
      await expect(inbox.badge(1)).toBeVisible();
    });
    await step('after Undo nothing has happened', async () => {
      await inbox.undo('Greenhouse sensor 3');
      await expect(inbox.row('Greenhouse sensor 3')).not.toContainText('Accepting');
      await expect(inbox.badge(2)).toBeVisible();
    });
    await step('a double tap on Reject does not press the Undo that replaces it', async () => {
      await inbox.doubleClickReject('Greenhouse sensor 3');
      await expect(inbox.row('Greenhouse sensor 3')).toContainText('Rejecting…');
      await inbox.undo('Greenhouse sensor 3');
    });
    await step('Undo is not where the pressed button was', async () => {
      for (const answer of ['Accept', 'Reject'] as const) {
        const pressed = await inbox.answerButton('Greenhouse sensor 3', answer).boundingBox();
        await inbox.answerInRow('Greenhouse sensor 3', answer);
        const undo = inbox.undoButton('Greenhouse sensor 3');
        await expect.poll(async () => overlap(pressed!, (await undo.boundingBox())!), answer).toBeLessThanOrEqual(0);
        await inbox.undo('Greenhouse sensor 3');
      }
    });
    await step('accepted in its row, it is in History once it can no longer be undone', async () => {
      await inbox.answerInRow('Greenhouse sensor 3', 'Accept');
      await runPending(page.request);
      await expect(inbox.past('Greenhouse sensor 3')).toContainText(/accepted/i);
      await expect(inbox.rows).toHaveCount(1);
    });
    await step('the device is in the swarm', async () => {
      await device.open(devices[1]?.id ?? '');
      await expect(inbox.says('River levels')).toBeVisible();
    });
  },
);

test(
  'an answered row stays in its place, and no other row moves, until it is scrolled out of view',
  { tag: ['@long', '@phone'] },
  async ({ page, user, owner, inbox, step }) => {
    const names = Array.from({ length: 14 }, (_, at) => `Sensor ${10 + at}`);
    const { devices } = await inviteDevices({ user, owner, names });
    await inbox.goto();
    await expect(inbox.row('Sensor 23')).toBeVisible();
    const tops = async () => ({ answered: await inbox.topOf('Sensor 22'), next: await inbox.topOf('Sensor 21') });
    const before = await tops();
    await step('when an answer is executed', async () => {
      await inbox.answerInRow('Sensor 22', 'Accept');
      await runPending(page.request);
      await expect(inbox.ended('Sensor 22')).toContainText('Accepted');
      await expect(inbox.badge(13)).toBeVisible();
      await expect.poll(tops).toEqual(before);
      await expect.poll(() => inbox.scrollTop()).toBe(0);
    });
    await step('when an invitation in view is answered in another tab', async () => {
      await user.answerAll('reject', devices[11]);
      await page.clock.runFor(21_000);
      await expect(inbox.ended('Sensor 21')).toContainText('Rejected');
      await expect.poll(() => inbox.topOf('Sensor 21')).toBe(before.next);
    });
    await step('scrolled out of view, it is in History, and the rows in view do not move', async () => {
      await inbox.scroll(700);
      await expect(inbox.row('Sensor 16')).toBeInViewport();
      const top = await inbox.topOf('Sensor 16');
      await page.clock.runFor(1000);
      await expect(inbox.ended('Sensor 22')).toHaveCount(0);
      await expect.poll(() => inbox.topOf('Sensor 16')).toBe(top);
    });
    await step('Back from an invitation leads to its row', async () => {
      await inbox.select('Sensor 16');
      await inbox.back();
      await expect(inbox.row('Sensor 16')).toBeInViewport();
    });
    await step('the end of the list has what was answered', async () => {
      await inbox.scroll(10_000);
      await expect(inbox.past('Sensor 22')).toContainText('accepted');
    });
  },
);

test(
  'the row of an invitation that was withdrawn, deleted or answered elsewhere shows the reason',
  { tag: '@once' },
  async ({ page, user, owner, inbox, step }) => {
    const swarm = await owner.createSwarm({ name: 'Fleet south', description: '' });
    const van = await user.add({ name: 'Van phone 7', machine_type: 'smartphone' });
    const gate = await user.add({ name: 'Gate sensor 18', machine_type: 'bug' });
    const silo = await user.add({ name: 'Silo sensor 5', machine_type: 'bug' });
    const invitation = await invite({ user, owner, swarm, device: van });
    const other = await invite({ user, owner, swarm, device: silo });
    await invite({ user, owner, swarm, device: gate });
    await inbox.goto();
    await inbox.answerInRow('Van phone 7', 'Accept');
    await inbox.answerInRow('Gate sensor 18', 'Reject');
    await inbox.answerInRow('Silo sensor 5', 'Reject');
    const headers = { origin: new URL(page.url()).origin };
    await owner.withdraw(invitation);
    await page.request.delete(`/api/resources/${gate.id}`, { headers });
    const path = `/api/resources/${silo.id}/invitations/${other.id}`;
    await page.request.put(path, { headers, data: { status: 'accept' } });
    await step('each shows its reason', async () => {
      await runPending(page.request, 3);
      await expect(inbox.ended('Van phone 7')).toContainText('It has been withdrawn.');
      await expect(inbox.ended('unknown device')).toContainText(/has been (deleted|withdrawn)/);
      await expect(inbox.ended('Silo sensor 5')).toContainText(/You have already accepted it, .*(now|ago)/);
    });
    await step('opened again, the list has only the history', async () => {
      await inbox.goto();
      await expect(inbox.past('former device')).toContainText('not accepted');
      await expect(inbox.rows).toHaveCount(0);
      await expect(inbox.past('Silo sensor 5')).toContainText(/accepted/i);
    });
    await step('an accepted one says how to leave', async () => {
      await inbox.selectPast('Silo sensor 5');
      await expect(inbox.pane).toContainText('The page of Silo sensor 5 shows whether it is still in the swarm');
    });
  },
);

test(
  "an invitation is answered on its device's page",
  { tag: '@once' },
  async ({ page, user, owner, device, inbox, step }) => {
    const { devices } = await inviteDevices({ user, owner, names: ['Silo sensor 5'] });
    await step('the page names the owner, the swarm and the role', async () => {
      await device.open(devices[0]?.id ?? '');
      await expect(inbox.onDevice('River levels')).toContainText(`${owner.name} invited it to River levels`);
      await expect(inbox.onDevice('River levels')).toContainText('receives');
    });
    await step('the accepted invitation is pending there', async () => {
      await inbox.answerOnDevice('River levels', 'Accept').click();
      await expect(inbox.onDevice('River levels')).toContainText('Accepting…');
      await expect(inbox.linkOnDevice('River levels'), 'the focus of the removed button').toBeFocused();
    });
    await step('the device is in the swarm', async () => {
      await runPending(page.request);
      await expect(inbox.says('No open invitations.')).toBeVisible();
      await expect(inbox.says('River levels')).toBeVisible();
    });
  },
);

test('several invitations are selected, summarised and answered together', async ({
  page,
  user,
  owner,
  inbox,
  step,
}) => {
  await inviteDevices({ user, owner, names: ['Sensor 1', 'Sensor 2', 'Sensor 3', 'Sensor 4', 'Sensor 5'] });
  await inbox.goto();
  await step('a range with Shift', async () => {
    await inbox.toggle('Sensor 5');
    await inbox.toggle('Sensor 3', { range: true });
    await expect(inbox.selected).toHaveText('3 selected');
  });
  await step('all that match', async () => {
    await inbox.selectAll();
    await expect(inbox.selected).toHaveText('5 selected');
    await inbox.toggle('Sensor 1');
    await expect(inbox.selected).toHaveText('4 selected');
  });
  await step('the summary names the swarm, its owner, the devices, the roles and who will see them', async () => {
    await inbox.review();
    await expect(inbox.summary).toContainText('Accept 4 invitations');
    await expect(inbox.summary).toContainText(`River levels by ${owner.name}`);
    await expect(inbox.summary).toContainText('4 devices join 1 swarm.');
    await expect(inbox.summary).toContainText('Sensor 3');
    await expect(inbox.summary).toContainText(
      'see each device that joins: name, type, description, position and when it was last online.',
    );
  });
  await step('they are pending together, and one is excluded', async () => {
    await inbox.answerAll('Accept', 4);
    await expect(inbox.row('Sensor 4')).toContainText('Accepting…');
    await expect(isPhone() ? inbox.focusInList : inbox.paneHeading, 'the focus of the removed button').toBeFocused();
    await inbox.undo('Sensor 4');
    await expect(inbox.row('Sensor 4')).not.toContainText('Accepting');
    await expect(inbox.focusInList, 'the focus of the removed Undo').toBeFocused();
    await expect(inbox.says('Accepting 3 invitations')).toBeVisible();
  });
  await step('the sent answers are in History', async () => {
    await runPending(page.request);
    await expect(inbox.rows).toHaveCount(2);
    await expect(inbox.answered).toHaveCount(3);
    await expect(inbox.badge(2)).toBeVisible();
  });
});

test(
  'of a private swarm that the user rejected, only the name at that time remains',
  { tag: '@once' },
  async ({ user, owner, inbox, swarm: swarmPage, step }) => {
    const swarm = await owner.createSwarm({ name: 'River levels', description: 'Every ten minutes.' });
    const device = await user.add({ name: 'Silo sensor 5', machine_type: 'bug' });
    await invite({ user, owner, swarm, device });
    await user.answerAll('reject');
    await owner.changeSwarm(swarm, { name: 'Levels of the Elbe', description: 'Every hour.' });
    await step('in History', async () => {
      await inbox.goto();
      await expect(inbox.past('Silo sensor 5')).toContainText('River levels');
      await inbox.selectPast('Silo sensor 5');
      await expect(inbox.pane).toContainText('You no longer have access to this swarm.');
      await expect(inbox.pane).toContainText('River levels');
      await expect(inbox.linkToSwarm('River levels')).toHaveCount(0);
      await expect(inbox.says('Elbe')).toHaveCount(0);
      await expect(inbox.says('Every')).toHaveCount(0);
    });
    await step('on its page', async () => {
      await swarmPage.open(swarm.id);
      await expect(swarmPage.notFound).toBeVisible();
    });
  },
);

test(
  'open invitations and History are searched',
  { tag: ['@long', '@once'] },
  async ({ page, user, owner, inbox, step }) => {
    await inviteDevices({ user, owner, names: ['Quay crane 1', 'Cellar hub 2'] });
    await inbox.goto();
    await inbox.answerInRow('Cellar hub 2', 'Reject');
    await runPending(page.request);
    await expect(inbox.past('Cellar hub 2')).toContainText(/rejected/i);
    await step('only History contains it', async () => {
      await inbox.search('CELLAR');
      await page.clock.runFor(500);
      await expect(page).toHaveURL(/q=CELLAR/);
      await expect(inbox.rows).toHaveCount(0);
      await expect(inbox.past('Cellar hub 2')).toBeVisible();
    });
    await step('nothing matches', async () => {
      await inbox.search('no such thing');
      await page.clock.runFor(500);
      await expect(inbox.says('No invitations match')).toBeVisible();
    });
    await inbox.clearSearch.click();
    await expect(inbox.row('Quay crane 1')).toBeVisible();
    await step('the open ones are counted without those that match but are being answered', async () => {
      await inviteDevices({ user, owner, names: ['Quay crane 3', 'Cellar hub 4'] });
      await inbox.answerInRow('Cellar hub 4', 'Reject');
      await inbox.search('quay');
      await page.clock.runFor(500);
      await expect(inbox.rows).toHaveCount(2);
      await expect(inbox.openCount).toHaveText('2');
    });
  },
);

test(
  'a press on Sent counts, also if the counts of the tabs arrive before the button is released',
  { tag: '@once' },
  async ({ page, inbox }) => {
    const counts = Promise.withResolvers<void>();
    await page.route('**/api/inbox/count', async (route) => {
      await counts.promise;
      await route.continue();
    });
    await inbox.goto();
    const sent = inbox.boxes.last();
    await sent.hover();
    await page.mouse.down();
    counts.resolve();
    await expect(sent).toHaveText('Sent0');
    await page.mouse.up();
    await expect(page).toHaveURL(/tab=sent/);
  },
);

test('a sent invitation is withdrawn', { tag: '@once' }, async ({ page, user, owner, inbox, step }) => {
  const swarm = await user.createSwarm({ name: 'Own swarm', description: '' });
  const device = await owner.add({ name: 'Theirs', machine_type: 'pc' });
  await invite({ user: owner, owner: user, swarm, device });
  await step("it is in Sent, with the device's ID", async () => {
    await inbox.goto();
    // Nothing was received.
    await expect(page).toHaveURL(/tab=sent/);
    await expect(inbox.rows).toHaveCount(1);
    await expect(inbox.row(owner.name)).toBeVisible();
  });
  await step('the withdrawn invitation keeps its row until the page is left, and is in neither list then', async () => {
    await inbox.answerInRow(owner.name, 'Withdraw');
    await expect(inbox.row(owner.name)).toContainText('Withdrawing…');
    await runPending(page.request);
    await expect(inbox.ended(owner.name)).toContainText('Withdrawn');
    await inbox.showBox('Received');
    await inbox.showBox('Sent');
    await expect(inbox.says('No invitations sent from your own swarms')).toBeVisible();
  });
});

test(
  'the inbox shows when the server is unreachable, and recovers',
  { tag: '@once' },
  async ({ page, user, owner, inbox, step }) => {
    await inviteDevices({ user, owner, names: ['Silo sensor 5'] });
    await page.route('**/api/inbox?**', (route) => route.abort());
    await step('the list says so', async () => {
      await inbox.goto();
      await expect(inbox.says('The invitations could not be loaded')).toBeVisible();
    });
    await page.unroute('**/api/inbox?**');
    await page.clock.runFor(8000);
    await expect(inbox.row('Silo sensor 5')).toBeVisible();
  },
);

test(
  'a deleted swarm takes its invitations along, and the activity log names it and the devices',
  { tag: '@once' },
  async ({ page, user, owner, inbox, step }) => {
    const names = ['Silo sensor 5', 'Greenhouse sensor 3'];
    const { swarm } = await inviteDevices({ user, owner, names });
    const other = await owner.createSwarm({ name: 'Wind', description: '' });
    const device = await user.add({ name: 'Buoy', machine_type: 'bug' });
    await invite({ user, owner, swarm: other, device });
    await inbox.goto();
    await expect(inbox.row('Silo sensor 5')).toBeVisible();
    await owner.deleteSwarm(swarm);
    await page.clock.runFor(21_000);
    await expect(inbox.row('Silo sensor 5')).toBeHidden();
    await expect(inbox.row('Buoy')).toBeVisible();
    await step('in the log', async () => {
      const activity = new ActivityPage(page);
      await activity.open();
      const ended = activity.entries.filter({ hasText: `${owner.name} deleted River levels` });
      for (const name of names) await expect(ended).toContainText(name);
    });
  },
);
