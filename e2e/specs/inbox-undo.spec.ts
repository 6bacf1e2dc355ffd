import { runPending } from '../actions.ts';
import { invite, inviteDevices } from '../invitations.ts';
import { countReceived } from '../many-invitations.ts';
import { expect, test } from '../fixtures.ts';

test(
  'a pending answer survives navigation and a reload, and is undone on another page',
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
    await step('and after a reload', async () => {
      await page.reload();
      await expect(shell.undoToasts).toContainText('Accepting the invitation to River levels for Silo sensor 5');
    });
    await shell.undo();
    await expect(shell.undoToasts).not.toContainText('Silo sensor 5');
    await expect.poll(() => countReceived(page.request)).toMatchObject({ new: 1 });
    await shell.goTo('Invitations');
    await expect(inbox.row('Silo sensor 5')).toBeVisible();
    await expect(inbox.row('Silo sensor 5')).not.toContainText('Accepting');
    await inbox.answerInRow('Silo sensor 5', 'Reject');
    await shell.goTo('Swarms');
    await expect(shell.undoToasts).toContainText('Rejecting the invitation to River levels for Silo sensor 5');
    await runPending(page.request);
    await expect(shell.undoToasts).not.toContainText('Silo sensor 5');
    await expect.poll(() => countReceived(page.request)).toEqual({ new: 0, accepted: 0, rejected: 1 });
  },
);

test('an undo that comes too late says so', { tag: '@once' }, async ({ page, user, owner, inbox, shell }) => {
  await inviteDevices({ user, owner, names: ['Silo sensor 5'] });
  await inbox.goto();
  await inbox.answerInRow('Silo sensor 5', 'Accept');
  await page.route('**/api/actions/*/undo', async (route) => {
    await runPending(page.request);
    await expect.poll(() => countReceived(page.request)).toMatchObject({ accepted: 1 });
    await route.continue();
  });
  await inbox.undo('Silo sensor 5');
  await expect(shell.notices).toContainText(/Too late to undo.*River levels.* has already started/);
  await expect(inbox.ended('Silo sensor 5')).toContainText('Accepted');
});

test(
  'an answer that fails while the user is on another page is reported on every page until it is dismissed',
  { tag: '@once' },
  async ({ page, user, owner, inbox, shell, step }) => {
    const swarm = await owner.createSwarm({ name: 'Fleet south', description: '' });
    const silo = await user.add({ name: 'Silo sensor 5', machine_type: 'bug' });
    const invitation = await invite({ user, owner, swarm, device: silo });
    await inbox.goto();
    await inbox.answerInRow('Silo sensor 5', 'Accept');
    await shell.goTo('Swarms');
    await owner.withdraw(invitation);
    await runPending(page.request);
    await step('with the reason', async () => {
      await expect(shell.undoToasts).toContainText('The invitation could not be accepted');
      await page.reload();
      await expect(shell.undoToasts).toContainText('The invitation could not be accepted');
    });
    await shell.dismissFailure();
    await expect(shell.undoToasts).not.toContainText('could not be accepted');
    await page.reload();
    await shell.goTo('Invitations');
    await expect(inbox.says('No invitations yet')).toBeVisible();
    await expect(shell.undoToasts).not.toContainText('could not be accepted');
  },
);

test(
  'failed answers are listed with their reasons, and the others are sent',
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
    await runPending(page.request);
    await step('in their rows, as long as these are in view', async () => {
      await expect(inbox.ended('Buoy 12')).toContainText('It has been withdrawn.');
      await expect(inbox.ended('unknown device')).toContainText(/has been (deleted|withdrawn)/);
      await expect(inbox.rows).toHaveCount(0);
    });
    await step('and in a list', async () => {
      await expect(shell.undoToasts).toContainText('2 invitations could not be accepted');
      await expect(shell.undoToasts).toContainText('2 invitations accepted');
      await shell.showFailures();
      await expect(shell.dialog).toContainText('Buoy 12');
      await expect(shell.dialog).toContainText('Gate sensor 18');
    });
    await expect.poll(() => countReceived(page.request)).toMatchObject({ new: 0, accepted: 2 });
  },
);

test(
  'beside a mouse, Undo is not in the place of Accept or Reject',
  { tag: ['@long', '@once'] },
  async ({ user, owner, inbox, device, step }) => {
    const { devices } = await inviteDevices({ user, owner, names: ['Silo sensor 5'] });
    type Name = 'Accept' | 'Reject';
    const places = [
      {
        place: 'in its row',
        open: () => inbox.goto(),
        answer: (name: Name) => inbox.answerButton('Silo sensor 5', name),
        undo: inbox.undoButton('Silo sensor 5'),
      },
      {
        place: 'in the details',
        open: () => inbox.select('Silo sensor 5'),
        answer: (name: Name) => inbox.answerButtonInPane(name),
        undo: inbox.undoInPane,
      },
      {
        place: "on the device's page",
        open: () => device.open(devices[0]!.id),
        answer: (name: Name) => inbox.answerOnDevice('River levels', name),
        undo: inbox.undoOnDevice('River levels'),
      },
    ];
    for (const { place, open, answer, undo } of places) {
      await step(place, async () => {
        await open();
        const [accept, reject] = [await answer('Accept').boundingBox(), await answer('Reject').boundingBox()];
        for (const name of ['Accept', 'Reject'] as const) {
          await answer(name).click();
          const isAside = async () => {
            const box = (await undo.boundingBox())!;
            return [accept!, reject!].every(({ x, y, width, height }) => {
              const isBeside = box.x >= x + width || box.x + box.width <= x;
              const isAbove = box.y >= y + height || box.y + box.height <= y;
              return isBeside || isAbove;
            });
          };
          await expect.poll(isAside, name).toBe(true);
          await undo.click();
          await expect(answer(name)).toBeVisible();
        }
      });
    }
  },
);
