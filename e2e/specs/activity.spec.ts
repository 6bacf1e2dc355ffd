import type { Resource } from '@swarmdeck/bff/contract';
import { invite, inviteDevices } from '../invitations.ts';
import { expectAccessible } from '../accessibility.ts';
import { expect, test } from '../fixtures.ts';
import { ActivityPage } from '../pages/activity.page.ts';
import { BulkPart } from '../pages/bulk.part.ts';

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
      await expect(activity.box).toContainText('Silo sensor 5 joined River levels (receives)');
      await expect(shell.destination('Account')).toHaveText('Account');
    });
    await step('a removal by the other owner is counted in the navigation', async () => {
      await owner.removeMember(swarm, silo!);
      await expect(shell.destination('Account')).toHaveText(/Account\s*1/);
    });
    await step('the account marks it as new, and reading all activity removes the count', async () => {
      await expect(activity.box).toContainText(`New ${owner.name} removed Silo sensor 5`);
      await shell.destination('Account').click();
      await expect(page).toHaveURL(/\/account#activity$/);
      await expect(activity.box).toBeInViewport();
      await activity.openAll();
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
      await expect(activity.box).toContainText(`${owner.name} invited Silo sensor 5 to River levels (receives)`);
    });
    await step("the user's own change appears at once", async () => {
      await device.form.fill({ name: 'Silo sensor 6' });
      await device.save();
      await expect(activity.box).toContainText('You renamed Silo sensor 5 to Silo sensor 6');
    });
    await step('it can be put back from there', async () => {
      const change = activity.change('Changed name');
      await expect(change.line).toContainText('Silo sensor 6');
      await change.undo();
      await activity.confirmUndo();
      await expect(activity.change('Undone').line).toContainText('Changed name');
      await expect(device.heading).toHaveText('Silo sensor 5');
    });
  },
);

test(
  'a bulk action is one line, which lists its devices',
  { tag: ['@long', '@once'] },
  async ({ page, user, step }) => {
    const activity = new ActivityPage(page);
    const swarm = await user.createSwarm({ name: 'Harbour', description: '' });
    const names = Array.from({ length: 60 }, (_, number) => `Buoy ${number + 1}`);
    for (const { id } of await user.addMany(names.map((name) => ({ name, machine_type: 'bug' })))) {
      await user.join(swarm, { resource_id: id, resource_type: 'producer' });
    }
    await step('the box says of how many devices, also if it has not loaded all of them', async () => {
      await page.goto('/account');
      await expect(activity.box).toContainText('You added 60 devices to Harbour (sends)');
    });
    await step('the page shows all of them, and each one when it is opened', async () => {
      await activity.open();
      await expect(activity.entries.first()).toContainText('You added 60 devices to Harbour (sends)');
      await expectAccessible({ page, title: 'grouped activity' });
      await activity.openGroup('You added 60 devices');
      await expect(activity.entries.filter({ hasText: /^You added Buoy 7 to Harbour \(sends\)/ })).toBeVisible();
    });
  },
);

test(
  'a bulk change is listed with its devices, and is undone from the list',
  { tag: ['@long', '@once'] },
  async ({ page, user, home, step }) => {
    const activity = new ActivityPage(page);
    const names = ['Buoy 1', 'Buoy 2', 'Buoy 3'];
    const [first, ...others] = await user.addMany(names.map((name) => ({ name, machine_type: 'bug' })));
    await user.act({
      kind: 'update',
      about: { machine_type: 'pc' },
      items: [first!, ...others, { id: crypto.randomUUID(), name: 'Buoy 4' }].map(({ id, name }) => ({ id, name })),
    });
    await activity.openChanges();
    const change = activity.change('Changed the machine type');
    await step('the entry says what was changed and what failed', async () => {
      await expect(change.line).toContainText('Changed the machine type of 3 devices to PC · 1 failed');
      await change.open();
      await expect(change.line).toContainText('Buoy 4');
      await expect(change.line).toContainText('Buoy 2');
      await expectAccessible({ page, title: 'opened action' });
    });
    await step('its devices are a filter of the list', async () => {
      await change.showDevices();
      await expect(home.count).toHaveText(/^3\b/);
    });
    await user.act({
      kind: 'update',
      about: { machine_type: 'smartphone' },
      items: [{ id: first!.id, name: 'Buoy 1' }],
    });
    await step('it is undone, except for a device that was changed since then', async () => {
      await activity.openChanges();
      const bulk = activity.change('3 devices');
      await bulk.undo();
      await expect(activity.undoDialog).toContainText('The devices get their previous values back.');
      await activity.confirmUndo();
      await expect(bulk.line).toContainText('Undone');
      await expect(activity.changes.first()).toContainText(
        'Undone: “Changed the machine type of 2 devices to PC” · 1 kept',
      );
    });
    const now = await user.devices();
    expect(Object.fromEntries(now.map(({ name, machine_type }) => [name, machine_type]))).toEqual({
      'Buoy 1': 'smartphone',
      'Buoy 2': 'bug',
      'Buoy 3': 'bug',
    });
  },
);

test(
  'what failed is tried again, from the notice and from the list',
  { tag: ['@long', '@once'] },
  async ({ page, user, shell, step }) => {
    const activity = new ActivityPage(page);
    const bulk = new BulkPart(page);
    const [first, second] = await user.addMany(['Buoy 1', 'Buoy 2'].map((name) => ({ name, machine_type: 'bug' })));
    const { id, name, ...swarm } = await user.createSwarm({ name: 'Harbour', description: '' });
    const join = ({ id: resource_id }: Resource) =>
      user.join({ id, name, ...swarm }, { resource_id, resource_type: 'producer' });
    await user.act({
      kind: 'change_role',
      about: { swarm: { id, name }, resource_type: 'consumer' },
      items: [first!, second!].map((device) => ({ id: device.id, name: device.name })),
    });
    await page.goto('/account');
    await step('the notice lists what failed, and one can be executed now', async () => {
      await expect(shell.undoToasts).toContainText('2 roles were not changed');
      await bulk.showFailures();
      await join(first!);
      await bulk.confirm('Retry');
      await expect(shell.undoToasts).toContainText('1 role was not changed');
      await expect(shell.undoToasts).not.toContainText('2 roles were not changed');
    });
    await step('from the list, the other one succeeds', async () => {
      await join(second!);
      await activity.openChanges();
      const change = activity.change('1 device in Harbour: receives · 1 failed');
      await change.open();
      await change.retry();
      await expect(activity.changes).toHaveCount(3);
      await expect(activity.changes.first()).toContainText('Changed the role of 1 device in Harbour: receives');
      await expect(activity.changes.first()).not.toContainText('failed');
    });
    await page.goto('/account');
    await expect(shell.undoToasts).not.toContainText('not changed');
  },
);

test('a deleted device comes back with its swarms', { tag: '@once' }, async ({ page, user, device, step }) => {
  const activity = new ActivityPage(page);
  const swarm = await user.createSwarm({ name: 'Harbour', description: '' });
  const buoy = await user.add({ name: 'Buoy 1', machine_type: 'bug', description: 'red' });
  await user.join(swarm, { resource_id: buoy.id, resource_type: 'producer' });
  await user.act({ kind: 'delete', about: {}, items: [{ id: buoy.id, name: buoy.name }] });
  await activity.openChanges();
  await step('the dialog says what does not come back', async () => {
    await activity.change('Deleted 1 device').undo();
    await expect(activity.undoDialog).toContainText(
      'Their keys, links, messages, tracks and recorded values do not come back',
    );
    await expect(activity.undoDialog).toContainText('the owners of these swarms must invite the devices again');
  });
  await activity.confirmUndo();
  await expect(activity.changes.first()).toContainText('Undone: “Deleted 1 device”');
  await step('its page has the same id', async () => {
    await device.open(buoy.id);
    await expect(device.swarm('Harbour')).toBeVisible();
  });
});

test(
  'Z undoes the newest change that can be undone, or says why not',
  { tag: '@once' },
  async ({ page, user, shell, step }) => {
    const activity = new ActivityPage(page);
    const buoy = await user.add({ name: 'Buoy 1', machine_type: 'bug' });
    await page.goto('/account');
    await expect(activity.box).toBeVisible();
    await step('without a change there is nothing to undo', async () => {
      await page.keyboard.press('z');
      await expect(shell.notices).toContainText('Nothing to undo');
    });
    await user.act({ kind: 'update', about: { machine_type: 'pc' }, items: [{ id: buoy.id, name: buoy.name }] });
    await step('the log begins with the own changes', async () => {
      await activity.open();
      await expect(activity.change('Changed the machine type').line).toContainText('Undo…');
    });
    await step('a change that has ended is undone after a question', async () => {
      await page.keyboard.press('z');
      await expect(activity.undoDialog).toContainText('The devices get their previous values back.');
      await activity.confirmUndo();
      await expect.poll(async () => (await user.devices())[0]?.machine_type).toBe('bug');
    });
    await step('and then nothing is left to undo', async () => {
      await expect(activity.change('Undone: ').line).toBeVisible();
      await page.keyboard.press('z');
      await expect(shell.notices).toContainText(
        'Undone: “Changed the machine type of 1 device to PC”. This can’t be undone.',
      );
    });
  },
);
