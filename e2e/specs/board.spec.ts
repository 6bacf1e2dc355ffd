import type { Page } from 'playwright/test';
import { expect, test } from '../fixtures.ts';
import { BoardPart } from '../pages/board.part.ts';
import type { Person } from '../person.ts';

/** A swarm of the user's, and three devices of the owner's that it has invited. */
async function sendThree({ page, user, owner }: { page: Page; user: Person; owner: Person }) {
  const swarm = await user.createSwarm({ name: 'Harbour weather', description: '' });
  const devices = await owner.addMany([
    { name: 'Pier 4 anemometer', machine_type: 'bug' },
    { name: 'Fairway buoy', machine_type: 'bug' },
    { name: 'Tide gauge', machine_type: 'pc' },
  ]);
  const ids = devices.map(({ id }) => id);
  for (const resource_id of ids) {
    await user.invite(swarm, { to: owner.name, resource_id, resource_type: 'producer' });
  }
  await page.clock.install();
  return { swarm, ids, board: new BoardPart(page) };
}

test(
  'several are sent again or withdrawn together, with ten seconds to take it back',
  { tag: '@once' },
  async ({ page, user, owner, swarm: screen, shell, step }) => {
    const { swarm, ids, board } = await sendThree({ page, user, owner });
    const [pier = '', buoy = '', tide = ''] = ids;

    await step('a tick brings up what can be done', async () => {
      await screen.open(swarm.id, '?tab=invitations');
      await board.tick(pier).check();
      await expect(board.count).toHaveText('1 selected');
      await board.tick(buoy).check();
      await expect(board.count).toHaveText('2 selected');
    });
    await step('sending again waits, in its rows and in a notice', async () => {
      await board.start('Resend 2');
      await expect(shell.waiting).toContainText('Resending 2 invitations');
      await expect(board.row(pier)).toContainText('Resending …');
      await expect(board.row(tide)).not.toContainText('Resending …');
      await expect(board.count).toBeHidden();
    });
    await step('and is sent', async () => {
      await page.clock.runFor(11_000);
      await expect(shell.notices).toContainText('2 invitations resent');
      await expect(board.row(pier)).toContainText('open');
    });
    await step('all that are open are selected at once', async () => {
      await board.tick(tide).check();
      await board.selectAll();
      await expect(board.count).toHaveText('3 selected');
      await expect(board.ticked).toHaveCount(3);
    });
    await step('one is taken out of what is withdrawn', async () => {
      await board.start('Withdraw 3');
      await expect(shell.waiting).toContainText('Withdrawing 3 invitations');
      await board.undoRow(buoy);
      await expect(shell.waiting).toContainText('Withdrawing 2 invitations');
      await expect(board.row(buoy)).not.toContainText('Withdrawing …');
    });
    await step('the others go', async () => {
      await page.clock.runFor(11_000);
      await expect(shell.notices).toContainText('2 invitations withdrawn');
      await expect(board.rows).toHaveCount(1);
      await expect(board.row(buoy)).toContainText('open');
    });
  },
);

test(
  'what was answered meanwhile is told, and costs the others nothing',
  { tag: '@once' },
  async ({ page, user, owner, swarm: screen, shell, step }) => {
    const {
      swarm,
      ids: [pier = ''],
      board,
    } = await sendThree({ page, user, owner });
    // what happens elsewhere is not heard of before it is too late
    await page.route('**/api/events?*', (route) => route.abort());
    await screen.open(swarm.id, '?tab=invitations');
    await step('all of them are undone by one press', async () => {
      await board.tick(pier).check();
      await board.selectAll();
      await board.start('Withdraw 3');
      await shell.undo();
      await expect(board.row(pier)).toContainText('open');
      await expect(board.ticked).toHaveCount(0);
    });
    await step('what has an answer stays, with it', async () => {
      await board.tick(pier).check();
      await board.selectAll();
      await board.start('Withdraw 3');
      await owner.answerAll('accept');
      await page.clock.runFor(11_000);
      await expect(shell.notices).toContainText('3 invitations could not be withdrawn');
      await expect(board.rows.filter({ hasText: 'accepted' })).toHaveCount(3);
    });
    await step('and has no tick any more', async () => {
      await board.filter('Accepted');
      await expect(board.rows).toHaveCount(3);
      await expect(board.ticks).toHaveCount(0);
      await expect(board.tickAll).toHaveCount(0);
    });
  },
);

test('the board is worked by keys', { tag: '@once' }, async ({ page, user, owner, swarm: screen, shell }) => {
  const { swarm, ids, board } = await sendThree({ page, user, owner });
  const press = (...keys: string[]) =>
    keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
  await screen.open(swarm.id, '?tab=invitations');
  await expect(board.rows).toHaveCount(ids.length);
  await press('j');
  await expect(board.ticks.first()).toBeFocused();
  await press('x', 'j', 'j', 'Shift+x');
  await expect(board.count).toHaveText('3 selected');
  await press('k', 'x');
  await expect(board.count).toHaveText('2 selected');
  await press('Escape');
  await expect(board.count).toBeHidden();
  await press('x');
  await expect(board.count).toHaveText('1 selected');
  await board.start('Withdraw');
  await press('z');
  await expect(shell.waiting).not.toContainText('Withdrawing');
  await expect(board.rows).toHaveCount(ids.length);
});

test('a cluster that no zoom takes apart shows who is there', async ({ page, user, swarm: screen }) => {
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
  // symbols are paint, and nothing in the page says when they are there
  await expect(async () => {
    await screen.clickMiddleOfMap();
    await expect(screen.member('Depot phone 1')).toBeHidden({ timeout: 2000 });
  }).toPass();
  await expect(screen.member('Pier 4 camera')).toBeVisible();
  await expect(screen.member('Pier 4 anemometer')).toBeVisible();
  await page.reload();
  await expect(screen.member('Pier 4 camera')).toBeVisible();
  await expect(screen.member('Depot phone 1')).toBeHidden();
  await screen.chip(/^At one place/).click();
  await expect(screen.member('Depot phone 1')).toBeVisible();
});
