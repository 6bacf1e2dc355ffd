import type { Page } from 'playwright/test';
import { runPending } from '../actions.ts';
import { expectAccessible } from '../accessibility.ts';
import { expect, test } from '../fixtures.ts';
import { BoardPart } from '../pages/board.part.ts';
import type { User } from '../user.ts';

/** Creates a swarm of the user that has invited three devices of the owner. */
async function sendThree({ page, user, owner }: { page: Page; user: User; owner: User }) {
  const swarm = await user.createSwarm({ name: 'Harbour weather', description: '' });
  const devices = await owner.addMany([
    { name: 'Pier 4 anemometer', machine_type: 'bug' },
    { name: 'Fairway buoy', machine_type: 'bug' },
    { name: 'Tide gauge', machine_type: 'pc', position: { longitude: 9.9, latitude: 53.5 } },
  ]);
  const ids = devices.map(({ id }) => id);
  for (const [at, resource_id] of ids.entries()) {
    const until = new Date();
    until.setHours(24 * (at + 1), 59, 59, 999);
    // The first two are offered without an end.
    const end = at < 2 ? {} : { ends_at: until.toISOString() };
    await user.invite(swarm, { to: owner.name, resource_id, resource_type: 'producer', ...end });
  }
  return { swarm, ids, board: new BoardPart(page) };
}

test(
  'several invitations are sent again or withdrawn together, with ten seconds to undo',
  { tag: '@once' },
  async ({ page, user, owner, swarm: screen, shell, step }) => {
    const { swarm, ids, board } = await sendThree({ page, user, owner });
    const [pier = '', buoy = '', tide = ''] = ids;

    await step('a search finds an invitation by its user or its device', async () => {
      await screen.open(swarm.id, '?tab=invitations');
      await board.search(pier);
      await expect(board.rows).toHaveCount(1);
      await expect(board.row(pier)).toBeVisible();
      await board.search('nobody');
      await expect(board.none).toBeVisible();
      await board.search(owner.name);
      await expect(board.rows).toHaveCount(3);
      await expect(board.row(tide)).toContainText(/until \d/);
      await expect(board.row(pier)).not.toContainText('until');
      await board.search('');
      await expect(page).not.toHaveURL(/[?&]q=/);
    });
    await step('selecting one shows the actions', async () => {
      await board.checkbox(pier).check();
      await expect(board.count).toHaveText('1 selected');
      await board.checkbox(buoy).check();
      await expect(board.count).toHaveText('2 selected');
    });
    await step('sending again is pending in its rows and in a toast', async () => {
      await board.open('Resend');
      await expect(board.dialog).toContainText('Resend 2 invitations?');
      await expect(board.dialog).toContainText(`${owner.name} · 2 invitations`);
      await expectAccessible({ page, title: 'summary of sending again' });
      await board.confirm('Resend 2 invitations');
      await expect(shell.undoToasts).toContainText('Resending 2 invitations');
      await expect(board.row(pier)).toContainText('Resending…');
      await expect(board.row(tide)).not.toContainText('Resending…');
      await expect(board.count).toBeHidden();
    });
    await step('until the rows of a filter are read, those of the one before cannot be withdrawn', async () => {
      const asked = Promise.withResolvers<void>();
      await page.route('**/board?state=accepted*', async (route) => {
        await asked.promise;
        await route.continue();
      });
      await board.filter('Accepted');
      await expect(board.rows).toHaveCount(0);
      asked.resolve();
      await board.filter('Accepted');
      await expect(board.row(pier)).toContainText('Resending…');
    });
    await step('it is sent', async () => {
      await runPending(page.request);
      await expect(shell.notices).toContainText('2 invitations resent');
      await expect(board.row(pier)).toContainText('open');
    });
    await step('all open invitations are selected at once', async () => {
      await board.checkbox(tide).check();
      await board.selectAll();
      await expect(board.count).toHaveText('3 selected');
      await expect(board.checkedRows).toHaveCount(3);
    });
    await step('one is excluded from the withdrawal', async () => {
      await board.start('Withdraw', 3);
      await expect(shell.undoToasts).toContainText('Withdrawing 3 invitations');
      await board.undoRow(buoy);
      await expect(shell.undoToasts).toContainText('Withdrawing 2 invitations');
      await expect(board.row(buoy)).not.toContainText('Withdrawing…');
    });
    await step('the others are withdrawn', async () => {
      await runPending(page.request);
      await expect(shell.notices).toContainText('2 invitations withdrawn');
      await expect(board.rows).toHaveCount(1);
      await expect(board.row(buoy)).toContainText('open');
    });
  },
);

test(
  'an invitation answered meanwhile is reported and does not stop the others',
  { tag: ['@long', '@once'] },
  async ({ page, user, owner, swarm: screen, shell, step }) => {
    const {
      swarm,
      ids: [pier = ''],
      board,
    } = await sendThree({ page, user, owner });
    // this page does not receive changes made elsewhere in time
    await page.route('**/api/events?*', (route) => route.abort());
    await screen.open(swarm.id, '?tab=invitations');
    await step('one click undoes all of them', async () => {
      await board.checkbox(pier).check();
      await board.selectAll();
      await board.start('Withdraw', 3);
      await shell.undo();
      await expect(board.row(pier)).toContainText('open');
      await expect(board.checkedRows).toHaveCount(0);
    });
    await step('an answered invitation stays, with its answer', async () => {
      await board.checkbox(pier).check();
      await board.selectAll();
      await board.start('Withdraw', 3);
      await owner.answerAll('accept');
      await runPending(page.request);
      await expect(shell.undoToasts).toContainText('3 invitations could not be withdrawn');
      await expect(board.rows.filter({ hasText: 'accepted' })).toHaveCount(3);
      await shell.showFailures();
      await expect(board.dialog).toContainText('3 invitations could not be withdrawn');
      await expect(board.dialog).toContainText(owner.name);
      await page.keyboard.press('Escape');
    });
    await step('only those with a position can be shown on the map', async () => {
      await expect(board.rows.filter({ hasText: 'No position' })).toHaveCount(2);
      await expect(board.mapLinks).toHaveCount(1);
      await expect(board.mapLinks).toHaveAccessibleName('Show on map: Tide gauge');
    });
    await step('it can no longer be selected', async () => {
      await board.filter('Accepted');
      await expect(board.rows).toHaveCount(3);
      await expect(board.checkboxes).toHaveCount(0);
      await expect(board.tickAll).toHaveCount(0);
    });
  },
);

test(
  'the board is operated by keyboard',
  { tag: ['@long', '@once'] },
  async ({ page, user, owner, swarm: screen, shell }) => {
    const { swarm, ids, board } = await sendThree({ page, user, owner });
    const press = (...keys: string[]) =>
      keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
    await screen.open(swarm.id, '?tab=invitations');
    await expect(board.rows).toHaveCount(ids.length);
    await press('j');
    await expect(board.checkboxes.first()).toBeFocused();
    await press('x', 'j', 'j', 'Shift+x');
    await expect(board.count).toHaveText('3 selected');
    await press('k', 'x');
    await expect(board.count).toHaveText('2 selected');
    await press('Escape');
    await expect(board.count).toBeHidden();
    await press('x');
    await expect(board.count).toHaveText('1 selected');
    await board.start('Withdraw', 1);
    await expect(shell.undoToasts).toContainText('Withdrawing');
    await press('z');
    await expect(shell.undoToasts).not.toContainText('Withdrawing');
    await expect(board.rows).toHaveCount(ids.length);
  },
);

test(
  'a cluster that cannot be split by zooming lists its devices',
  { tag: '@once' },
  async ({ page, user, swarm: screen }) => {
    const swarm = await user.createSwarm({ name: 'Harbour weather', description: '' });
    const spot = { longitude: 9.987654321, latitude: 53.512345678 };
    const devices = await user.addMany([
      { name: 'Pier 4 anemometer', machine_type: 'bug', position: spot },
      { name: 'Pier 4 camera', machine_type: 'pc', position: spot },
      { name: 'Depot phone 1', machine_type: 'smartphone' },
    ]);
    for (const { id } of devices) await user.join(swarm, { resource_id: id, resource_type: 'producer' });
    await screen.open(swarm.id);
    await expect(screen.member('Depot phone 1')).toBeVisible();
    // symbols are drawn on a canvas, and nothing in the DOM says when
    await expect(async () => {
      await screen.clickMiddleOfMap();
      await expect(screen.member('Depot phone 1')).toBeHidden({ timeout: 2000 });
    }).toPass();
    await expect(screen.member('Pier 4 camera')).toBeVisible();
    await expect(screen.member('Pier 4 anemometer')).toBeVisible();
    await page.reload();
    await expect(screen.member('Pier 4 camera')).toBeVisible();
    await expect(screen.member('Depot phone 1')).toBeHidden();
    await screen.chip(/^Same location/).click();
    await expect(screen.member('Depot phone 1')).toBeVisible();
  },
);
