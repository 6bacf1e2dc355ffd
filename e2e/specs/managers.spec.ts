import { expect, test } from '../fixtures.ts';
import { BoardPart } from '../pages/board.part.ts';
import { ManagersPart } from '../pages/managers.part.ts';
import { StartPage } from '../pages/start.page.ts';
import { WallPage } from '../pages/wall.page.ts';

test('a watcher sees the swarm and changes nothing, until the owner removes the watcher', async ({
  page,
  user,
  owner: deviceOwner,
  enter,
  swarm,
  step,
}) => {
  const managers = new ManagersPart(page);
  const made = await user.createSwarm({ name: 'Night shift', description: 'Pumps' });
  const device = await deviceOwner.add({ name: 'Pump', machine_type: 'bug' });
  await user.invite(made, { to: deviceOwner.name, resource_id: device.id, resource_type: 'producer' });
  await deviceOwner.answerAll('accept');
  const watcher = await enter();
  const theirs = new ManagersPart(watcher.page);

  await step('the owner asks a user to watch', async () => {
    await swarm.open(made.id, '?tab=settings');
    await managers.ask(watcher.name, 'watch');
    await expect(managers.row(watcher.name)).toContainText('Watcher, asked');
  });
  await watcher.step('who agrees', async () => {
    await watcher.page.goto('/swarms');
    await theirs.answer('asks you to watch Night shift', 'Agree');
    await expect(watcher.swarms.table('Watched')).toContainText('Night shift');
    await expect(theirs.offers).toBeHidden();
    await watcher.swarms.visit('Night shift');
  });
  await watcher.step('sees the members, without a way to change them', async () => {
    await expect(watcher.swarm.member('Pump')).toBeVisible();
    await expect(theirs.page).toContainText('Watcher');
    await expect(watcher.swarm.tab('Messages')).toBeVisible();
    await watcher.page.goto(`/swarms/${made.id}/map`);
    await expect(new WallPage(watcher.page).heading).toHaveText('Night shift');
  });
  await watcher.step('and chooses to be notified of silent devices', async () => {
    await watcher.swarm.open(made.id, '?tab=settings');
    await expect(theirs.silenceNotices).toBeVisible();
    await expect(theirs.silenceNotices).not.toBeChecked();
    await theirs.silenceNotices.click();
    await expect(theirs.silenceNotices).toBeChecked();
    await watcher.page.reload();
    await expect(theirs.silenceNotices).toBeChecked();
    await watcher.page.goto(`/swarms/${made.id}/map`);
    await expect(new WallPage(watcher.page).heading).toHaveText('Night shift');
  });
  await step('the owner, who is notified already, removes the watcher', async () => {
    await expect(managers.silenceNotices).toBeChecked();
    await managers.remove(watcher.name, 'watcher');
    await expect(managers.rows).toHaveCount(0);
  });
  await watcher.step('who sees nothing of it any more', async () => {
    await expect(new WallPage(watcher.page).gone).toBeVisible();
  });
});

test('an owner names a manager, who looks after the swarm, takes it over and removes the former owner', async ({
  page,
  user,
  owner: deviceOwner,
  enter,
  swarm,
  step,
}) => {
  const managers = new ManagersPart(page);
  const made = await user.createSwarm({ name: 'Harbour weather', description: 'Wind on every quay' });
  const device = await deviceOwner.add({ name: 'Mast', machine_type: 'bug' });
  await user.invite(made, { to: deviceOwner.name, resource_id: device.id, resource_type: 'producer' });
  await deviceOwner.answerAll('accept');
  const manager = await enter();
  const theirs = new ManagersPart(manager.page);

  await step('the owner asks a user', async () => {
    await swarm.open(made.id, '?tab=settings');
    await managers.ask('no');
    await expect(managers.error('A user name has 3 to 32 letters, digits, _ or -.')).toBeVisible();
    await managers.ask(manager.name);
    await expect(managers.row(manager.name)).toContainText('no answer yet');
  });

  await manager.step('who finds it in the inbox, and agrees with the keyboard', async () => {
    await manager.page.goto('/invitations');
    await expect(theirs.offer('Harbour weather')).toContainText(user.name);
    await expect(manager.inbox.badge(1)).toBeVisible();
    await expect(manager.inbox.says('No invitations yet')).toBeHidden();
    await theirs.answerByKey('Harbour weather', 'Agree');
    await expect(theirs.offers).toBeHidden();
    await expect(manager.inbox.noBadge).toBeVisible();
    await expect(manager.inbox.says('No invitations yet')).toBeVisible();
    // so that Tab continues on the page
    await expect(theirs.page).toBeFocused();
  });
  await manager.step('and then has the swarm', async () => {
    await manager.page.goto('/swarms');
    await expect(manager.swarms.table('Managed')).toContainText('Harbour weather');
    await expect(theirs.offers).toBeHidden();
    await manager.swarms.visit('Harbour weather');
    await expect(manager.swarm.main).toContainText('Wind on every quay');
  });
  await manager.step('and sees its devices at home, without owning one', async () => {
    const { home } = manager;
    await manager.shell.goTo('Devices');
    await expect(home.row('Mast')).toContainText(deviceOwner.name);
    await expect(home.rowCheckbox('Mast')).toHaveCount(0);
    await home.select('Mast');
    await expect(home.card).toContainText(deviceOwner.name);
    await expect(home.cardButton('Edit')).toHaveCount(0);
    await home.closeCard();
    const start = new StartPage(manager.page);
    await home.seesAll.click();
    await expect(start.watching).toContainText('You see 1 device of others');
    await home.open();
    await expect(start.watching).toBeVisible();
    await start.showSeen();
    await expect(home.row('Mast')).toBeVisible();
    await home.open();
    await expect(home.seesAll).toHaveAttribute('aria-pressed', 'true');
  });
  await expect(managers.row(manager.name)).toContainText('Manager, agreed');

  await manager.step('invites another device of the member', async () => {
    const { id } = await deviceOwner.add({ name: 'Quay light', machine_type: 'bug' });
    const form = new URLSearchParams({ swarm: made.id, to: deviceOwner.name, resource: id, role: 'consumer' });
    await manager.page.goto(`/invite?${form}`);
    await manager.invite.sendButton.click();
    await expect(manager.invite.results).toHaveCount(1);
    await manager.swarm.open(made.id, '?tab=invitations');
    await expect(new BoardPart(manager.page).rows.filter({ hasText: deviceOwner.name })).toHaveCount(2);
  });
  await manager.step('and removes one', async () => {
    await manager.swarm.show('Members');
    await expect(manager.swarm.member('Mast')).toBeVisible();
    await manager.swarm.openMenu('Mast');
    await manager.swarm.choose('Remove from swarm');
    await manager.runPending();
    await expect(manager.swarm.member('Mast')).toBeHidden();
  });
  await manager.step('but does not change the swarm', async () => {
    await manager.swarm.show('Settings');
    await expect(theirs.row(manager.name)).toContainText('(you)');
    await expect(manager.swarm.nameField).toBeHidden();
  });

  await step('the owner hands the swarm over', async () => {
    await managers.handOver(manager.name);
    await expect(managers.row(manager.name)).toContainText('Manager, was offered the swarm');
  });
  await manager.step('to the manager, who removes the former owner', async () => {
    await theirs.answer('Harbour weather', 'Take over');
    await expect(manager.swarm.nameField).toBeVisible();
    await expect(theirs.row(user.name)).toContainText('Manager, agreed');
    await theirs.remove(user.name);
    await expect(theirs.rows).toHaveCount(0);
  });
  await step('who no longer sees it', async () => {
    await expect(swarm.notFound).toBeVisible();
  });
});

test(
  'an open invitation says who sent it, also after the swarm was handed over',
  { tag: '@long' },
  async ({ user, page, enter, swarm, step }) => {
    const made = await user.createSwarm({ name: 'Harbour weather', description: 'Wind on every quay' });
    const recipient = await enter();
    const device = await recipient.add({ name: 'Mast', machine_type: 'bug' });
    const manager = await enter();
    const theirs = new ManagersPart(manager.page);
    await user.askForRole(made, { user_id: manager.name, role: 'manager' });
    await manager.page.goto('/invitations');
    await theirs.answer('Harbour weather', 'Agree');
    await user.invite(made, { to: recipient.name, resource_id: device.id, resource_type: 'producer' });

    await recipient.step('the recipient reads who invites', async () => {
      await recipient.page.goto('/invitations');
      await expect(recipient.inbox.rows).toContainText(`${user.name} invited Mast`);
    });
    await step('the owner hands the swarm over', async () => {
      await swarm.open(made.id, '?tab=settings');
      await new ManagersPart(page).handOver(manager.name);
      await expect(new ManagersPart(page).row(manager.name)).toContainText('Manager, was offered the swarm');
    });
    await manager.step('to the manager, whose box says who has sent it', async () => {
      await manager.page.goto('/invitations');
      await theirs.answer('Harbour weather', 'Take over');
      await expect(theirs.offers).toBeHidden();
      await manager.page.goto('/invitations?tab=sent');
      await expect(manager.inbox.pane).toContainText(`sent by ${user.name}`);
    });
    await recipient.step('the recipient still reads the same name', async () => {
      await recipient.page.reload();
      await expect(recipient.inbox.rows).toContainText(`${user.name} invited Mast`);
      await expect(recipient.inbox.pane).toContainText(`Harbour weather by ${manager.name}`);
      await recipient.page.goto(`/devices/${device.id}`);
      await expect(recipient.inbox.onDevice('Harbour weather')).toContainText(`${user.name} invited it to`);
    });
    await recipient.step('an invitation from before names nobody', async () => {
      await recipient.page.route(/\/api\/inbox\?/, async (route) => {
        const answer = await route.fetch();
        const text = (await answer.text()).replaceAll(`"sent_by":"${user.name}"`, '"sent_by":null');
        await route.fulfill({ response: answer, body: text });
      });
      await recipient.page.goto('/invitations');
      await expect(recipient.inbox.rows).toContainText('Invitation for Mast');
      await expect(recipient.inbox.rows).not.toContainText('invited');
    });
  },
);
