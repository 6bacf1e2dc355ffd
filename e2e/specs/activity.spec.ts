import { invite, inviteDevices } from '../invitations.ts';
import { expectAccessible } from '../accessibility.ts';
import { expect, test } from '../fixtures.ts';
import { ActivityPage } from '../pages/activity.page.ts';

test(
  'a user learns that a device was removed from a swarm, and by whom',
  { tag: '@once' },
  async ({ page, user, owner, device, shell, step }) => {
    const { swarm, devices } = await inviteDevices({ user, owner, names: ['Silo sensor 5'] });
    const [silo] = devices;
    const activity = new ActivityPage(page);
    await user.answerAll('accept');
    await page.goto('/account');
    await step('the newest entries are on the account page', async () => {
      await expect(activity.box).toContainText('Silo sensor 5 joined River levels as consumer');
      await expect(shell.destination('Account')).toHaveText('Account');
    });
    await step('a removal by the other owner is counted in the navigation', async () => {
      await owner.removeMember(swarm, silo!);
      await expect(shell.destination('Account')).toHaveText(/Account\s*1/);
    });
    await step('the count leads to the page, which marks it as new, and reading it removes the count', async () => {
      await expect(activity.box).toContainText(`New ${owner.name} removed Silo sensor 5`);
      await shell.destination('Account').click();
      await expect(page).toHaveURL(/\/activity$/);
      await expect(activity.entries.first()).toContainText(`New ${owner.name} removed Silo sensor 5 from River levels`);
      await expect(shell.destination('Account')).toHaveText('Account');
    });
    await step('the log is exported', async () => {
      const [head, first] = await activity.exported();
      expect(head).toContain('at,kind,actor,device_id,device');
      expect(first).toContain(`member.removed,${owner.name},${silo!.id},Silo sensor 5,${user.name}`);
    });
    await step('a topic filters the list, and the URL says so', async () => {
      await activity.toggle('Members');
      await expect(page).toHaveURL(/topic=member/);
      await expect(activity.entries).toHaveCount(1);
      await activity.toggle('Members');
      await activity.toggle('Swarms');
      await expect(activity.empty).toBeVisible();
    });
    await step("the device's page shows what happened to the device", async () => {
      await invite({ user, owner, swarm, device: silo! });
      await device.open(silo!.id);
      await expect(activity.box).toContainText(`${owner.name} removed Silo sensor 5 from River levels`);
      await expect(activity.box).toContainText(`${owner.name} invited Silo sensor 5 to River levels as consumer`);
    });
    await step("the user's own change appears at once", async () => {
      await device.form.fill({ name: 'Silo sensor 6' });
      await device.save();
      await expect(activity.box).toContainText('You renamed Silo sensor 5 to Silo sensor 6');
    });
  },
);

test('a bulk action is one line, which lists its devices', { tag: '@once' }, async ({ page, user, step }) => {
  const activity = new ActivityPage(page);
  const swarm = await user.createSwarm({ name: 'Harbour', description: '' });
  const names = Array.from({ length: 60 }, (_, number) => `Buoy ${number + 1}`);
  for (const { id } of await user.addMany(names.map((name) => ({ name, machine_type: 'bug' })))) {
    await user.join(swarm, { resource_id: id, resource_type: 'producer' });
  }
  await step('the box shows as much as it has loaded', async () => {
    await page.goto('/account');
    await expect(activity.box).toContainText('You added 50+ devices to Harbour as producer');
  });
  await step('the page shows all of them, and each one when it is opened', async () => {
    await activity.open();
    await expect(activity.entries.first()).toContainText('You added 60 devices to Harbour as producer');
    await expectAccessible({ page, title: 'grouped activity' });
    await activity.openGroup('You added 60 devices');
    await expect(activity.entries.filter({ hasText: /^You added Buoy 7 to Harbour as producer/ })).toBeVisible();
  });
});
