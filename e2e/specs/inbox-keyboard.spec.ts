import { runPending } from '../actions.ts';
import { inviteDevices } from '../invitations.ts';
import { expect, test } from '../fixtures.ts';

test('the focus moves with J and K, and keys act on the row that has it', async ({
  page,
  user,
  owner,
  inbox,
  step,
}) => {
  await inviteDevices({ user, owner, names: ['Sensor 1', 'Sensor 2', 'Sensor 3', 'Sensor 4'] });
  await inbox.goto();
  await expect(inbox.paneHeading).toContainText('Sensor 4');
  await step('J and K', async () => {
    await page.keyboard.press('j');
    await expect(inbox.focusInList).toHaveText(/Sensor 3/);
    await expect(inbox.paneHeading).toContainText('Sensor 3');
    await page.keyboard.press('k');
    await expect(inbox.focusInList).toHaveText(/Sensor 4/);
  });
  await step('X selects the focused row, and not the one in the details', async () => {
    await inbox.rowButton('Sensor 4').focus();
    await inbox.checkbox('Sensor 2').focus();
    await page.keyboard.press('x');
    await expect(inbox.checkbox('Sensor 2')).toBeChecked();
    await expect(inbox.checkbox('Sensor 4')).not.toBeChecked();
    await page.keyboard.press('x');
    await expect(inbox.checkbox('Sensor 2')).not.toBeChecked();
  });
  await step('R shows it first, and rejects it then', async () => {
    await page.keyboard.press('r');
    await expect(inbox.paneHeading).toContainText('Sensor 2');
    await expect(inbox.row('Sensor 2')).not.toContainText('Rejecting…');
    await page.keyboard.press('r');
    await expect(inbox.row('Sensor 2')).toContainText('Rejecting…');
    await expect(inbox.focusInList).toHaveText(/Sensor 1/);
  });
});

test(
  'the focus moves with J and K among sent invitations',
  { tag: ['@long', '@once'] },
  async ({ page, user, owner, inbox }) => {
    const { devices } = await inviteDevices({ user: owner, owner: user, names: ['Sensor 1', 'Sensor 2'] });
    const short = (at: number) => new RegExp(devices[at]!.id.slice(-4));
    await inbox.goto({ tab: 'sent' });
    await expect(inbox.rows).toHaveCount(2);
    await page.keyboard.press('j');
    await expect(inbox.focusInList).toHaveText(short(0));
    await page.keyboard.press('x');
    await expect(inbox.selected).toHaveText('1 selected');
    await expect(inbox.focusInList).toHaveText(short(0));
  },
);

test('the inbox is emptied by keyboard alone', async ({ page, user, owner, inbox, signIn }) => {
  const press = (...keys: string[]) =>
    keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
  await inviteDevices({ user, owner, names: ['Sensor 1', 'Sensor 2', 'Sensor 3', 'Sensor 4'] });
  await page.context().clearCookies();
  await inbox.goto();
  await expect(signIn.userName).toBeFocused();
  await page.keyboard.type(user.name);
  await press('Tab');
  await page.keyboard.type(user.password);
  await press('Enter');
  await expect(inbox.paneHeading).toContainText('Sensor 4');
  await press('j', 'r');
  await expect(inbox.row('Sensor 3')).toContainText('Rejecting…');
  await expect(inbox.paneHeading).toContainText('Sensor 2');
  await press('z');
  await expect(inbox.row('Sensor 3')).not.toContainText('Rejecting');
  await inbox.answerInRow('Sensor 3', 'Reject');
  await inbox.undoButton('Sensor 3').focus();
  await press('z');
  await expect(inbox.focusInList, 'the focus of the removed Undo').toHaveText(/Sensor 3/);
  await expect(inbox.paneHeading).toContainText('Sensor 2');
  // the details show another one than the focused one, so the first key shows that
  await press('r');
  await expect(inbox.paneHeading).toContainText('Sensor 3');
  await press('r');
  await expect(inbox.row('Sensor 3')).toContainText('Rejecting…');
  await press('k', 'x', 'j', 'x');
  await expect(inbox.selected).toHaveText(/selected$/);
  await press('Escape');
  await expect(inbox.selected).toHaveCount(0);
  await press('l', 'Home', 'x', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter', 'Shift+X');
  await expect(inbox.selected).toHaveText('3 selected');
  await press('a');
  await expect(inbox.row('Sensor 1')).toContainText('Accepting…');
  await runPending(page.request, 2);
  await expect(inbox.past('Sensor 3')).toContainText(/rejected/i);
  await expect(inbox.past('Sensor 4')).toContainText(/accepted/i);
  await expect(inbox.rows).toHaveCount(0);
  await press('/');
  await expect(inbox.searchField).toBeFocused();
});
