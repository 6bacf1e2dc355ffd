import type { Page } from 'playwright/test';
import type { MemberRole, MachineType } from '@swarmdeck/bff/contract';
import { expectAccessible } from '../accessibility.ts';
import { runPending } from '../actions.ts';
import { expect, test } from '../fixtures.ts';
import { BulkPart } from '../pages/bulk.part.ts';
import { MembersPart } from '../pages/members.part.ts';
import type { User } from '../user.ts';

/** A swarm of the user with own devices and devices of the owner, all with one role. */
async function fill({ page, user, owner }: { page: Page; user: User; owner: User }, role: MemberRole) {
  const swarm = await user.createSwarm({ name: 'Harbour weather', description: '' });
  const named = (names: string[]) => names.map((name) => ({ name, machine_type: 'bug' as MachineType }));
  for (const { id } of await user.addMany(named(['Buoy 1', 'Buoy 2', 'Buoy 3']))) {
    await user.join(swarm, { resource_id: id, resource_type: role });
  }
  const [gauge] = await owner.addMany(named(['Gauge 1']));
  for (const resource_type of role === 'both' ? (['producer', 'consumer'] as const) : [role]) {
    await user.invite(swarm, { to: owner.name, resource_id: gauge!.id, resource_type });
    await owner.answerAll('accept');
  }
  return { swarm, members: new MembersPart(page), bulk: new BulkPart(page) };
}

test(
  'members get another role, as far as their owners have agreed',
  { tag: ['@long', '@once'] },
  async ({ page, user, owner, swarm: screen }) => {
    const { swarm, members, bulk } = await fill({ page, user, owner }, 'producer');
    await screen.open(swarm.id);
    await members.select('Buoy 1');
    await bulk.selection.selectAll();
    await expect(bulk.selection.count).toHaveText('4 selected');
    await bulk.start('Change role…');
    await expect(bulk.confirmButton, 'no role is preselected').toBeDisabled();
    await bulk.choose('Both');
    const desk = page.viewportSize()!;
    for (const size of [desk, { width: 390, height: 844 }, desk]) {
      await page.setViewportSize(size);
      await expect(bulk.dialog('Change the role of 3 devices')).toContainText('1 will be skipped');
    }
    await expectAccessible({ page, title: 'role of members' });
    await bulk.confirm('Change 3 devices');
    await expect(bulk.toast('Role of 3 devices changed')).toBeVisible();
    await expect(screen.member('Buoy 2')).toContainText('both');
    await expect(screen.member('Gauge 1')).toContainText('sends');
  },
);

test(
  'members are removed together, with a summary and ten seconds to undo',
  { tag: '@once' },
  async ({ page, user, owner, swarm: screen, step }) => {
    const { swarm, members, bulk } = await fill({ page, user, owner }, 'both');
    await screen.open(swarm.id);
    await step('the summary says whose devices they are', async () => {
      await members.select('Buoy 1', 'Buoy 2', 'Gauge 1');
      await bulk.start('Remove from swarm…');
      await expect(bulk.dialog('Remove 3 devices from the swarm?')).toContainText(`${user.name} · 2 devices`);
      await expect(bulk.dialog('Remove 3 devices from the swarm?')).toContainText(`${owner.name} · 1 device`);
      await expectAccessible({ page, title: 'remove members' });
      await bulk.confirm('Remove 3 devices');
    });
    await step('one of them is undone in its row', async () => {
      await expect(screen.member('Buoy 1')).toContainText('Removing…');
      await members.undoRow('Buoy 2');
      await expect(bulk.job('Removing 2 devices from Harbour weather')).toBeVisible();
      await expect(screen.member('Buoy 2')).not.toContainText('Removing…');
    });
    await step('the others are removed', async () => {
      await runPending(page.request);
      await expect(bulk.toast('2 devices removed from Harbour weather')).toBeVisible();
      await expect(screen.memberRows).toHaveCount(2);
      await expect(screen.member('Buoy 2')).toBeVisible();
    });
  },
);

test(
  'a member exports the list, and can only remove own devices',
  { tag: ['@long', '@once'] },
  async ({ page, user, owner, swarm: screen }) => {
    const swarm = await owner.createSwarm({ name: 'Coast', description: '' });
    const gauge = await owner.add({ name: 'Gauge 1', machine_type: 'bug' });
    await owner.join(swarm, { resource_id: gauge.id, resource_type: 'producer' });
    const buoy = await user.add({ name: '=Buoy', machine_type: 'pc' });
    await owner.invite(swarm, { to: user.name, resource_id: buoy.id, resource_type: 'consumer' });
    await user.answerAll('accept');
    const bulk = new BulkPart(page);
    const members = new MembersPart(page);
    await screen.open(swarm.id);
    await members.select('Gauge 1', '=Buoy');
    await bulk.start('Export…');
    const file = await bulk.download('Export 2 devices');
    expect(file.name).toBe('members.csv');
    const lines = file.text.trim().split('\r\n').toSorted();
    const rows = lines.map((line) => line.replace(/,\d{4}-[^,]*Z,/, ',changed,'));
    expect(rows).toContain(`${buoy.id},'=Buoy,pc,,,,,,,,,changed,${user.name},consumer`);
    expect(rows).toContain(`${gauge.id},Gauge 1,bug,,,,,,,,,changed,${owner.name},producer`);
    await bulk.start('Remove from swarm…');
    await expect(bulk.dialog('Remove 1 device from the swarm?')).toContainText('1 will be skipped');
  },
);

test('members are selected with the keyboard @once', { tag: '@long' }, async ({ page, user, owner, swarm: screen }) => {
  const { swarm, members, bulk } = await fill({ page, user, owner }, 'producer');
  await screen.open(swarm.id);
  await expect(screen.memberRows).toHaveCount(4);
  const step = async (name: string) => {
    await page.keyboard.press('j');
    await expect(members.current).toContainText(name);
  };
  await step('Buoy 1');
  await page.keyboard.press('x');
  await expect(bulk.selection.count).toHaveText('1 selected');
  await step('Buoy 2');
  await step('Buoy 3');
  await page.keyboard.press('Shift+x');
  await expect(bulk.selection.count).toHaveText('3 selected');
  await page.keyboard.press('Escape');
  await expect(bulk.selection.bar).toBeHidden();
  // two keys in one frame, before the page has rendered the first one
  await page.evaluate(() => {
    for (let times = 0; times < 2; times += 1) {
      document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', code: 'KeyK', bubbles: true }));
    }
  });
  await expect(members.current).toContainText('Buoy 1');
});
