import { inviteDevices } from '../invitations.ts';
import { expect, test } from '../fixtures.ts';
import { TouchPart } from '../pages/touch.part.ts';

test('a finger answers invitations by swiping, selects one by resting, and steps through the open ones', async ({
  page,
  user,
  owner,
  inbox,
  step,
}) => {
  const names = ['Silo sensor 5', 'Greenhouse sensor 3', 'Van phone 7'];
  await inviteDevices({ user, owner, names });
  const touch = new TouchPart(page);
  await inbox.goto();
  const [silo, greenhouse, van] = names as [string, string, string];
  await expect(inbox.row(silo)).toBeVisible();

  await test.step('a movement down, a short one, and one from the edge of the screen do nothing', async () => {
    await touch.swipe({ from: inbox.row(van), by: -160, aside: 60 });
    await touch.swipe({ from: inbox.row(van), aside: 70 });
    await touch.swipe({ from: inbox.row(van), aside: 240, across: 8 });
    await expect(inbox.swipedRow(van)).not.toHaveAttribute('data-swipe');
    for (const name of names) await expect(inbox.row(name)).not.toContainText(/Accepting|Rejecting/);
  });
  await step('a swipe shows what it will do, and can be undone', async () => {
    await touch.drag({ from: inbox.row(van), aside: 200, across: 0.3 });
    await expect(inbox.swipedRow(van)).toHaveAttribute('data-swipe-label', 'Accept');
    await expect(inbox.swipedRow(van)).toHaveAttribute('data-swipe-ready');
    await touch.release();
    await expect(inbox.row(van)).toContainText('Accepting');
    await inbox.undo(van);
    await expect(inbox.row(van)).not.toContainText('Accepting');
    await touch.swipe({ from: inbox.row(van), aside: -200, across: 0.7 });
    await expect(inbox.row(van)).toContainText('Rejecting');
  });
  await test.step('a finger that rests on a row selects it, and does not open it', async () => {
    await touch.hold(inbox.rowButton(silo));
    await expect(inbox.checkbox(silo)).toBeChecked();
    await touch.release();
    await expect(page).not.toHaveURL(/sel=/);
    await inbox.toggle(silo);
    await expect(inbox.checkbox(silo)).not.toBeChecked();
  });
  await test.step('in an open invitation, a swipe shows the next and the previous one', async () => {
    await inbox.select(greenhouse);
    await expect(inbox.paneHeading).toContainText(greenhouse);
    await touch.swipe({ from: inbox.paneHeading, aside: -200, across: 0.8 });
    await expect(inbox.paneHeading).toContainText(silo);
    await touch.swipe({ from: inbox.paneHeading, aside: 200, across: 0.2 });
    await expect(inbox.paneHeading).toContainText(greenhouse);
  });
});
