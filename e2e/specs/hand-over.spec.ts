import { expect, test } from '../fixtures.ts';
import { HandOverPart } from '../pages/hand-over.part.ts';

test('an owner offers a device, takes it back, and hands it over to a user who accepts', async ({
  page,
  user,
  enter,
  device,
  step,
}) => {
  const { id } = await user.add({ name: 'عوامة الميناء', machine_type: 'bug', keep_track: true });
  const other = await enter();
  const mine = new HandOverPart(page);
  const theirs = new HandOverPart(other.page);

  await step('the owner does not offer it to a wrong name', async () => {
    await device.open(id);
    await mine.begin();
    await mine.send({ to: 'no name' });
    await expect(mine.form).toContainText('A user name has 3 to 32 letters');
    await mine.send({ to: user.name });
    await expect(mine.form).toContainText('This is your own user name.');
  });
  await step('offers it, and undoes that', async () => {
    await mine.send({ to: other.name });
    await expect(mine.note).toContainText(`You offered this device to ${other.name}`);
    await mine.undo();
    await expect(mine.note).toBeHidden();
  });
  await step('offers it with its history, and withdraws that', async () => {
    await mine.begin();
    await mine.send({ to: other.name, withHistory: true });
    await expect(mine.note).toContainText('with its track and recorded values');
    await mine.withdraw();
    await expect(mine.note).toBeHidden();
  });
  await step('and offers it again', async () => {
    await mine.begin();
    await mine.send({ to: other.name });
    await expect(mine.note).toBeVisible();
  });
  await other.step('the other user reads what comes with it, and takes it over', async () => {
    await other.page.goto('/invitations');
    await expect(theirs.offer).toContainText(`${user.name} wants to give you the device عوامة الميناء`);
    await expect(theirs.offer).toContainText('without its track and recorded values');
    await theirs.answer('Take over');
    await expect(theirs.offer).toBeHidden();
    await theirs.open();
    await expect(other.device.heading).toHaveText('عوامة الميناء');
    await expect(other.device.form.name).toBeEditable();
  });
  await step('it is not the former owner’s any more', async () => {
    await expect(device.takenOverBy(other.name)).toBeVisible();
    await device.open(id);
    await expect(device.notFound).toBeVisible();
  });
});

test(
  'a device that was taken over while its owner was offline says so at once, with the edit that can’t be sent',
  { tag: ['@long', '@once', '@page'] },
  async ({ context, page, user, enter, device, shell, step }) => {
    const { id } = await user.add({ name: 'Buoy 7', machine_type: 'bug' });
    const other = await enter();
    const mine = new HandOverPart(page);
    const theirs = new HandOverPart(other.page);
    await device.open(id);
    await mine.begin();
    await mine.send({ to: other.name });
    await expect(mine.note).toBeVisible();
    // It is open until the page has read what has changed.
    await expect(mine.form).toBeHidden();
    // What waits is listed by code that loads later.
    await expect(shell.settled).toBeAttached();
    await context.setOffline(true);
    await device.form.fill({ name: 'Buoy 8' });
    await device.save();
    await expect(shell.waiting).toHaveText('1 waiting');
    await other.page.goto('/invitations');
    await theirs.answer('Take over');
    await expect(theirs.offer).toBeHidden();
    await context.setOffline(false);
    await step('its page says who has it, and what was not sent', async () => {
      await expect(shell.waiting).toHaveText('1 not sent');
      await expect(device.takenOverBy(other.name)).toBeVisible();
      await expect(device.unsent).toHaveText('NameBuoy 8');
      await expect(mine.note).toBeHidden();
    });
    await step('the list of what waits offers to copy it, and no second attempt', async () => {
      await shell.waiting.click();
      await expect(shell.waitingButtons).toHaveText(['Copy text', /^Discard/]);
      await shell.waitingButtons.last().click();
      await shell.confirmDiscard();
      await expect(shell.waitingChanges).toHaveCount(0);
    });
  },
);
