import { runPending } from '../actions.ts';
import { expect, test } from '../fixtures.ts';
import { RequestsPart } from '../pages/requests.part.ts';
import { SwarmsPage } from '../pages/swarms.page.ts';

test('a user asks to join a public swarm, and the owner answers in the inbox and on the board, then blocks the user', async ({
  page,
  context,
  server,
  user,
  enter,
  inbox,
  swarm,
  step,
}) => {
  const made = await user.createSwarm({ name: 'Harbour weather', description: 'Wind on every quay', public: true });
  const asker = await enter();
  for (const name of ['Buoy', 'Gauge', 'Mast']) await asker.add({ name, machine_type: 'bug' });
  const [asking, answering] = [new RequestsPart(asker.page), new RequestsPart(page)];

  await asker.step('the user asks with two devices', async () => {
    await asker.page.goto(`${server.origin}/swarms/${made.id}`);
    await asking.begin.click();
    await expect(asking.dialog).toContainText('see the name and type of these devices');
    for (const name of ['Buoy', 'Gauge']) await asking.device(name).check();
    await asking.choose('both');
    await asking.write('We measure the tide');
    await asking.send('Ask with 2 devices');
    await asker.runPending();
    await expect(asking.own).toHaveCount(2);
    await expect(asking.own.filter({ hasText: 'Buoy' })).toContainText('We measure the tide');
  });
  await asker.step('asks with a third, and takes that back', async () => {
    await asking.begin.click();
    await expect(asking.device('Buoy already asked')).toBeDisabled();
    await asking.device('Mast').check();
    await asking.send('Ask with 1 device');
    await asker.runPending();
    await expect(asking.own).toHaveCount(3);
    await asking.withdraw('Mast');
    await asker.runPending();
    await expect(asking.own).toHaveCount(2);
  });

  await step('the owner sees them in the list of swarms, and on the tab of the swarm', async () => {
    const swarms = new SwarmsPage(page);
    await swarms.open();
    await expect(swarms.row(made.name)).toContainText('2 requests');
    await swarms.nameOf(made.name).click();
    await expect(swarm.tab('Invitations')).toHaveText('Invitations2');
  });
  await step('finds them in the inbox, and accepts one', async () => {
    await inbox.goto();
    await expect(inbox.badge(2)).toBeVisible();
    await expect(inbox.rows).toHaveCount(2);
    await expect(inbox.row('Buoy')).toContainText(`${asker.name} asks to join with Buoy`);
    await inbox.select('Buoy');
    await expect(inbox.paneHeading).toHaveText(`${asker.name} asks to join with Buoy`);
    await expect(inbox.pane).toContainText('“We measure the tide”');
    await expect(inbox.consent).toContainText(asker.name);
    await inbox.answerInPane('Accept');
    await runPending(context.request);
  });
  await asker.step('the page of the user becomes that of a member', async () => {
    await expect(asker.swarm.member('Buoy')).toBeVisible();
  });
  await asker.step('which has the open requests too, and asks with one more device', async () => {
    await asking.begin.click();
    await expect(asking.own).toHaveText([/Gauge/]);
    await asking.device('Mast').check();
    await asking.send('Ask with 1 device');
    await asker.runPending();
    await asking.begin.click();
    await expect(asking.own).toHaveCount(2);
    await asking.withdraw('Mast');
    await asker.runPending();
    await expect(asking.own).toHaveCount(1);
    await asker.page.keyboard.press('Escape');
  });

  await step('the owner rejects the other one on the board, with undo', async () => {
    await swarm.open(made.id, '?tab=invitations');
    await expect(answering.received).toHaveCount(1);
    await answering.answer('Gauge', 'Reject');
    await expect(answering.received, 'the focus of the removed button').toBeFocused();
    await answering.undo('Gauge');
    await expect(answering.received, 'the focus of the removed Undo').toBeFocused();
    await answering.answer('Gauge', 'Reject');
    await runPending(context.request);
    await expect(answering.received).toHaveCount(0);
  });
  await asker.step('the user sees both answers', async () => {
    await asker.inbox.goto({ tab: 'sent' });
    await expect(asker.inbox.past('Gauge')).toContainText('rejected');
    await expect(asker.inbox.past('Buoy')).toContainText('accepted');
  });

  const second = await enter();
  const annoying = new RequestsPart(second.page);
  await second.add({ name: 'Spam', machine_type: 'pc' });
  await second.page.goto(`${server.origin}/swarms/${made.id}`);
  await annoying.begin.click();
  await annoying.device('Spam').check();
  await annoying.send('Ask with 1 device');
  await second.runPending();

  await step('the owner blocks a user, and later lets the user ask again', async () => {
    await inbox.goto();
    await inbox.select('Spam');
    await answering.block();
    await expect(inbox.rows).toHaveCount(0);
    await expect(annoying.text('This swarm does not accept requests to join.')).toBeVisible();
    await swarm.open(made.id, '?tab=settings');
    await expect(answering.blocked).toHaveText(new RegExp(second.name));
    await answering.unblock(second.name);
    await expect(answering.blocked).toHaveCount(0);
    await swarm.setting(/^Users can ask to join/).uncheck();
    await swarm.save();
    await expect(swarm.main).toContainText('Saved');
  });
});
