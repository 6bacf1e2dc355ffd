/**
 * One journey in three browsers: Mia owns a swarm, Ann and Ben own devices. Nobody reloads a page: each sees what the
 * others do.
 */
import type { Resource } from '@swarmdeck/bff/contract';
import { expect, test } from '../fixtures.ts';
import type { BrowserUser } from '../browser-user.ts';

test.use({ mounted: false });

interface Cast {
  mia: BrowserUser;
  ann: BrowserUser;
  ben: BrowserUser;
  hub: Resource;
  gate: Resource;
  van: Resource;
}

/** The board's name for a device whose owner has not accepted. */
const shortOf = ({ id }: Resource) => `${id.slice(0, 8)}…${id.slice(-4)}`;

test('three users, a swarm and three devices', { tag: '@once' }, async ({ enter }) => {
  test.slow();
  const [mia, ann, ben] = await Promise.all([enter(), enter(), enter()]);
  const hub = await ann.add({ name: 'Harbour hub 1', machine_type: 'pc', position: { longitude: 10, latitude: 54 } });
  const gate = await ben.add({ name: 'Gate sensor 18', machine_type: 'bug' });
  const van = await ben.add({ name: 'Van phone 7', machine_type: 'smartphone' });
  const cast: Cast = { mia, ann, ben, hub, gate, van };

  await ben.inbox.goto();
  await invite(cast);
  await answer(cast);
  await followUp(cast);
  await join(cast);
  await leave(cast);
  await end(cast);
});

async function invite({ mia, ann, ben, hub, gate, van }: Cast) {
  let link = '';
  await ann.step('Ann copies the invite code of her hub', async () => {
    await ann.home.open();
    await ann.home.select(hub.name);
    await ann.home.openSelected();
    await expect(ann.device.heading).toHaveText(hub.name);
    await ann.invite.copyCode();
    await expect(ann.invite.codeBox).toContainText('Copied');
    link = await ann.page.evaluate(() => navigator.clipboard.readText());
  });
  await mia.step('Mia creates a swarm', async () => {
    await mia.swarms.open();
    await mia.swarms.startCreating();
    await mia.swarms.fillIn({ name: 'River levels', description: 'Water levels, every ten minutes.', open: true });
    await mia.swarms.confirmCreating();
    await expect(mia.swarm.heading).toHaveText('River levels');
  });
  await mia.step("she pastes the code, and two of Ben's", async () => {
    await mia.swarm.startInviting();
    await mia.invite.enterCodes([link, `${ben.name}/${gate.id}`, `${ben.name}/${van.id}`].join('\n'));
    await mia.invite.role('Receives').check();
    await mia.invite.message.fill('The readings upstream would reach it first.');
    await expect(mia.invite.check).toContainText('3 ready');
    await expect(mia.invite.sentence).toContainText(/to join River levels, .*Role: receives/);
  });
  await mia.step('she sends the invitations', async () => {
    await mia.invite.sendButton.click();
    await expect(mia.invite.result).toContainText('3 sent');
    await expect(mia.invite.result).toBeInViewport();
    await mia.invite.toBoard();
    await expect(mia.swarm.invitations).toHaveCount(3);
    for (const device of [hub, gate, van]) {
      await expect(mia.swarm.invitation(shortOf(device))).toContainText('open');
    }
  });
}

async function answer({ mia, ann, ben, hub, gate, van }: Cast) {
  await ann.step('Ann sees the badge on her current page', async () => {
    await expect(ann.inbox.badge(1)).toBeVisible();
    await expect(ann.page).toHaveTitle(/^\(1\) /);
  });
  await ann.step('she reads who invited her, and what joining shows to whom', async () => {
    await ann.shell.goTo('Invitations');
    await ann.inbox.select(hub.name);
    await expect(ann.inbox.paneHeading).toHaveText(`${mia.name} invited ${hub.name}`);
    await expect(ann.inbox.pane).toContainText('The readings upstream would reach it first.');
    await expect(ann.inbox.pane).toContainText(/If you accept, the owner\b.*River levels see this device: name/);
  });
  await ann.step('she accepts, and the answer is pending', async () => {
    await ann.inbox.answerInPane('Accept');
    await expect(ann.inbox.row(hub.name)).toContainText('Accepting…');
  });
  await ann.step('she undoes it, and nothing has happened', async () => {
    await ann.inbox.undo(hub.name);
    await expect(ann.inbox.row(hub.name)).not.toContainText('Accepting');
    await expect(ann.inbox.badge(1)).toBeVisible();
    await expect(mia.swarm.invitation(ann.name)).toContainText('open');
  });
  await ann.step('she accepts', async () => {
    await ann.inbox.answerInRow(hub.name, 'Accept');
    await ann.runPending();
    await expect(ann.inbox.past(hub.name)).toContainText(/accepted/i);
  });
  await ben.step('Ben rejects one by keyboard', async () => {
    await expect(ben.inbox.badge(2)).toBeVisible();
    await ben.page.keyboard.press('j');
    await expect(ben.inbox.paneHeading).toContainText(gate.name);
    await ben.page.keyboard.press('r');
    await expect(ben.inbox.paneHeading).toContainText(van.name);
    await ben.runPending();
    await expect(ben.inbox.past(gate.name)).toContainText(/rejected/i);
    await expect(ben.inbox.badge(1)).toBeVisible();
  });
  await mia.step('Mia sees both answers', async () => {
    await expect(mia.swarm.invitation(hub.name)).toContainText('accepted');
    await expect(mia.swarm.invitation(shortOf(gate))).toContainText('rejected');
  });
}

async function followUp({ mia, ben, gate, van }: Cast) {
  await mia.step('she sends the open one again', async () => {
    await mia.swarm.sendAgain(ben.name);
    await mia.runPending();
    await expect(mia.swarm.invitation(shortOf(van))).toContainText('open');
    await expect(mia.shell.undoToasts).not.toContainText('Resending');
    await expect(mia.swarm.invitations).toHaveCount(3);
    await expect(ben.inbox.row(van.name)).toBeVisible();
  });
  await mia.step('she withdraws it', async () => {
    await mia.swarm.withdraw(ben.name);
    await expect(mia.swarm.invitation(shortOf(van))).toContainText('Withdrawing…');
    await mia.runPending();
    await expect(mia.swarm.invitation(shortOf(van))).toBeHidden();
  });
  await ben.step('Ben no longer sees the invitation for the van', async () => {
    await expect(ben.inbox.row(van.name)).toBeHidden();
  });
  await mia.step('she invites the rejected device again', async () => {
    await mia.swarm.inviteAgain(ben.name);
    await expect(mia.invite.codes).toHaveValue(`${ben.name}/${gate.id}`);
    await expect(mia.invite.role('Receives')).toBeChecked();
    await expect(mia.invite.message).toHaveValue('The readings upstream would reach it first.');
    await mia.invite.sendButton.click();
    await expect(mia.invite.result).toContainText('1 sent');
    await mia.invite.toBoard();
    await expect(mia.swarm.invitation(shortOf(gate))).toHaveText([/open/, /rejected/]);
  });
}

async function join({ mia, ann, hub }: Cast) {
  await ann.step("the hub's page shows the swarm", async () => {
    await ann.shell.goTo('Devices');
    await ann.home.showList();
    await ann.home.select(hub.name);
    await ann.home.openSelected();
    await expect(ann.device.swarm('River levels')).toContainText('receives');
    await expect(ann.device.swarm('River levels')).toContainText(mia.name);
  });
  await mia.step('the swarm shows the hub in its list and on its map', async () => {
    await mia.swarm.show('Members');
    await expect(mia.swarm.member(hub.name)).toContainText('receives');
    // symbols are drawn on a canvas, and nothing in the DOM says when
    await expect(async () => {
      await mia.swarm.clickMiddleOfMap();
      await expect(mia.swarm.memberButton(hub.name)).toHaveAttribute('aria-current', 'true', { timeout: 2000 });
    }).toPass();
  });
  await mia.step('Mia invites the hub as producer, too', async () => {
    await mia.swarm.openMenu(hub.name);
    await mia.swarm.choose('Also invite: sends');
    await expect(mia.invite.role('Sends')).toBeChecked();
    await mia.invite.sendButton.click();
    await expect(mia.invite.result).toContainText('1 sent');
  });
  await ann.step("Ann accepts on the hub's page", async () => {
    await expect(ann.inbox.onDevice('River levels')).toContainText('sends');
    await ann.inbox.answerOnDevice('River levels', 'Accept').click();
    await ann.runPending();
    await expect(ann.device.swarm('River levels')).toContainText('both');
  });
  await mia.step('Mia sees both roles', async () => {
    await mia.invite.toBoard();
    await mia.swarm.show('Members');
    await expect(mia.swarm.member(hub.name)).toContainText('both');
  });
}

async function leave({ mia, ann, hub }: Cast) {
  await ann.step('the hub leaves', async () => {
    await ann.device.leaveSwarm('River levels');
    await ann.device.confirmLeaving();
    await expect(ann.shell.undoToasts).toContainText(`Removing ${hub.name} from River levels`);
    await ann.runPending();
    await expect(ann.device.swarm('River levels')).toBeHidden();
  });
  await mia.step('Mia sees that it left', async () => {
    await expect(mia.swarm.member(hub.name)).toBeHidden();
    await expect(mia.swarm.main).toContainText('No members yet');
  });
}

async function end({ mia, ben, gate }: Cast) {
  await ben.step('Ben deletes the invited gate sensor', async () => {
    await expect(ben.inbox.row(gate.name)).toBeVisible();
    await ben.shell.goTo('Devices');
    await ben.home.select(gate.name);
    await ben.home.openSelected();
    await expect(ben.inbox.onDevice('River levels')).toContainText('receives');
    await ben.device.destroy();
    await expect(ben.shell.undoToasts).toContainText(`Deleting ${gate.name}`);
    await expect(ben.home.row(gate.name)).toContainText('Deleting');
    await ben.runPending();
    await expect(ben.home.row(gate.name)).toBeHidden();
    await expect(ben.inbox.badge(1)).toBeHidden();
  });
  await mia.step('no invitation on the board is open any more', async () => {
    await mia.swarm.show('Invitations');
    await expect(mia.swarm.invitation(shortOf(gate))).toHaveText([/not accepted/, /not accepted/]);
    await expect(mia.swarm.board).not.toContainText('open');
  });
}
