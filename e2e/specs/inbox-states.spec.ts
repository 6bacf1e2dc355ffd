import { runPending } from '../actions.ts';
import { failInside } from '../intercept-requests.ts';
import { invite, inviteDevices } from '../invitations.ts';
import { countReceived } from '../many-invitations.ts';
import { expect, test } from '../fixtures.ts';
import { TouchPart } from '../pages/touch.part.ts';

test(
  'every state of the inbox is accessible',
  { tag: ['@long', '@once'] },
  async ({ page, user, owner, inbox, shell, step }) => {
    const { swarm, devices } = await inviteDevices({
      user,
      owner,
      names: ['Sensor 1', 'Sensor 2', 'Sensor 3', 'Sensor 4'],
    });
    await step('loading', async () => {
      const held = Promise.withResolvers<void>();
      await page.route('**/api/inbox?**', async (route) => {
        await held.promise;
        await route.abort();
      });
      await inbox.goto();
      await expect(inbox.loading).toBeVisible();
      held.resolve();
    });
    await step('the server is unreachable', async () => {
      await expect(inbox.says('The invitations could not be loaded')).toBeVisible();
      await page.unroute('**/api/inbox?**');
    });
    await step('a missing invitation', async () => {
      await inbox.goto({ sel: '00000000-0000-7000-8000-000000000000' });
      await expect(inbox.says('Invitation not found')).toBeVisible();
    });
    await step('an invitation that could not be loaded', async () => {
      await page.route('**/api/inbox/0*', failInside);
      await inbox.goto({ sel: '01000000-0000-7000-8000-000000000000' });
      await expect(inbox.paneAlert).toBeVisible();
    });
    await step('some are selected and summarised', async () => {
      await inbox.goto();
      await inbox.toggle('Sensor 4');
      await inbox.toggle('Sensor 3');
      await inbox.review();
      await expect(inbox.summary).toContainText('Accept 2 invitations');
    });
    await step('their answers are pending together', async () => {
      await inbox.answerAll('Accept', 2);
      await expect(shell.undoToasts).toContainText('Accepting 2 invitations');
      await expect(inbox.row('Sensor 4')).toContainText('Accepting…');
    });
    await step('one fails, and the notice says why', async () => {
      await inbox.undo('Sensor 3');
      await expect(inbox.row('Sensor 3')).not.toContainText('Accepting');
      await page.request.delete(`/api/resources/${devices[3]?.id}`, {
        headers: { origin: new URL(page.url()).origin },
      });
      await runPending(page.request);
      await expect(shell.undoToasts).toContainText('The invitation could not be accepted');
    });
    await step('and its row, and the list of failures', async () => {
      await expect(inbox.ended('unknown device')).toContainText(/has been (deleted|withdrawn)/);
      await shell.showFailures();
      await expect(shell.dialog).toContainText('Sensor 4');
      await page.keyboard.press('Escape');
    });
    await step('which then was seen', async () => {
      await expect(shell.undoToasts).not.toContainText('could not be accepted');
    });
    await step('an answered invitation is opened', async () => {
      await inbox.goto();
      await inbox.answerInRow('Sensor 1', 'Reject');
      await runPending(page.request);
      await expect(inbox.past('Sensor 1')).toContainText(/rejected/i);
      await inbox.selectPast('Sensor 1');
      await expect(inbox.paneHeading).toContainText('Sensor 1');
    });
    await step('an invitation arrives while the list is open', async () => {
      await inbox.goto();
      await expect(inbox.past('Sensor 1')).toBeVisible();
      await invite({ user, owner, swarm, device: devices[0]! });
      await expect(inbox.row('Sensor 1')).toBeVisible();
    });
    await step('nothing matches a search', async () => {
      await inbox.search('no such thing');
      await expect(inbox.says('No invitations match')).toBeVisible();
    });
    await expect.poll(() => countReceived(page.request)).toMatchObject({ rejected: 2 });
  },
);

test('what was offered for a time that is over cannot be accepted, and says why', async ({
  page,
  user,
  owner,
  inbox,
  shell,
  step,
}, { project }) => {
  const reason = 'It has expired.';
  const { swarm } = await inviteDevices({ user, owner, names: ['Sensor 1'] });
  for (const name of ['Sensor 2', 'Sensor 3']) {
    const device = await user.add({ name, machine_type: 'bug' });
    await invite({ user, owner, swarm, device, ends_at: new Date(Date.now() + 5000).toISOString() });
  }
  await inbox.goto();
  await step('its row has no Accept', async () => {
    for (const name of ['Sensor 2', 'Sensor 3']) await expect(inbox.row(name)).toContainText(reason);
    await expect(inbox.answerButton('Sensor 2', 'Reject')).toBeVisible();
    await expect(inbox.answerButton('Sensor 2', 'Accept')).toBeHidden();
  });
  await step('the key or the finger that accepts only says it', async () => {
    if (project.name === 'phone') {
      await new TouchPart(page).swipe({ from: inbox.row('Sensor 3'), aside: 200, across: 0.3 });
    } else {
      await inbox.select('Sensor 3');
      await expect(inbox.paneHeading).toContainText('Sensor 3');
      await expect(inbox.showOnLinks).toBeDisabled();
      await page.keyboard.press('a');
    }
    await expect(shell.notices).toContainText(reason);
    await expect(inbox.row('Sensor 3')).toContainText(reason);
  });
  await step('all three are selected, and one is accepted', async () => {
    await inbox.selectAll();
    await inbox.review();
    await expect(inbox.summary).toContainText('2 have expired and can only be rejected');
    await inbox.answerAll('Accept', 1);
    await runPending(page.request);
    await expect.poll(() => countReceived(page.request)).toEqual({ new: 2, accepted: 1, rejected: 0 });
  });
  await step('two are selected, and can only be rejected', async () => {
    await inbox.toggle('Sensor 2');
    await inbox.toggle('Sensor 3');
    await inbox.review();
    await expect(inbox.summary).toContainText('Reject 2 invitations');
    await inbox.answerAll('Reject', 2);
    await runPending(page.request);
    await expect.poll(() => countReceived(page.request)).toEqual({ new: 0, accepted: 1, rejected: 2 });
  });
});
