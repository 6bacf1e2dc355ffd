import type { Invitation } from '@swarmdeck/bff/contract';
import { runPending } from '../actions.ts';
import { expectAccessible } from '../accessibility.ts';
import { expect, test } from '../fixtures.ts';
import { InvitePage } from '../pages/invite.page.ts';
import { SignInPage } from '../pages/sign-in.page.ts';

test(
  'codes are pasted, checked, sent and followed on the board',
  { tag: ['@phone', '@page', '@clock'] },
  async ({ page, user, owner: other, invite, swarm, shell, layout, step }) => {
    const harbour = await user.createSwarm({ name: 'Harbour weather', description: '' });
    await user.createSwarm({ name: 'Quay sensors', description: '' });
    const [pier, buoy] = await other.addMany([
      { name: 'Pier 4 anemometer', machine_type: 'bug' },
      { name: 'Fairway buoy', machine_type: 'bug' },
    ]);
    if (!pier || !buoy) throw new Error('there are no devices');

    await step('nothing can be sent before a swarm is chosen', async () => {
      await invite.open();
      await expect(invite.sendButton).toBeDisabled();
      await expect(invite.sentence).toContainText('Choose a swarm');
      await invite.chooseSwarm('Harbour weather');
      await expect(invite.swarmField).toHaveValue('Harbour weather');
      await expect.poll(() => layout.overflowingInside()).toEqual([]);
    });
    await step('each line shows what will happen to it', async () => {
      await invite.enterCodes(
        [`${other.name}/${pier.id}`, `${other.name} ${buoy.id}`, `${other.name}/${pier.id}`].join('\n'),
      );
      await expect(invite.check).toContainText('1 ready');
      await expect(invite.check).toContainText('1 skipped');
      await expect(invite.check).toContainText('1 invalid');
      await expect(invite.sentence).toContainText(/1 invitation for 1 person to join .*\. Role: /);
    });
    await step('a long list moves neither the header nor the footer', async () => {
      await invite.enterCodes(Array.from({ length: 40 }, (_, line) => `nonsense ${line}`).join('\n'));
      await expect(invite.check).toContainText('40 invalid');
      await expect.poll(() => layout.pageScrolls()).toBe(0);
      await expect.poll(() => layout.overflowingInside()).toEqual([]);
      await invite.enterCodes(
        [`${other.name}/${pier.id}`, `${other.name} ${buoy.id}`, `${other.name}/${pier.id}`].join('\n'),
      );
    });
    await step('a malformed line is found and corrected', async () => {
      await invite.fix(2);
      await expect(invite.codes).toBeFocused();
      await invite.enterCodes(`${other.name}/${pier.id}\n${other.name},${buoy.id}`);
      await expect(invite.check).toContainText('2 ready');
      await expect
        .poll(async () => (await invite.sizeOfNumber('ready')) - (await invite.sizeOfNumber('invalid')))
        .toBeGreaterThan(0);
    });
    await step('each line has its result, and the list is empty for the next codes', async () => {
      await invite.message.fill('Please share wind data from your pier.');
      await invite.sendButton.click();
      await expect(invite.result).toContainText('2 sent');
      await expect(invite.result).toBeInViewport();
      await expect(invite.codes).toHaveValue('');
      await expect(invite.sendButton).toBeDisabled();
      await expect(invite.sendButton).toBeFocused();
      await expect(invite.results).toHaveText([/sent$/, /sent$/]);
    });
    await step('which is not shown to who invites to another swarm', async () => {
      const another = await user.createSwarm({ name: 'Another', description: '' });
      await invite.open(`?swarm=${another.id}`);
      await expect(invite.swarmField).toHaveValue('Another');
      await expect(invite.results).toHaveCount(0);
      await page.goBack();
      await expect(invite.results).toHaveCount(2);
    });
    await step('the board shows state and ID, but no name yet', async () => {
      await invite.toBoard();
      await expect(swarm.invitations).toHaveCount(2);
      await expect(swarm.invitation(other.name).first()).toContainText('open');
      await expect(swarm.board).not.toContainText('Pier 4 anemometer');
    });
    await step('sent again', async () => {
      await swarm.sendAgain(other.name, 0);
      await expect(shell.undoToasts).toContainText(`Resending the invitation to ${other.name}`);
      await runPending(page.request);
      await expect(shell.undoToasts).not.toContainText('Resending');
      await expect(swarm.invitations).toHaveCount(2);
    });
    await step('a withdrawal is pending, with Undo', async () => {
      await swarm.withdraw(other.name, 0);
      await expect(shell.undoToasts).toContainText(`Withdrawing the invitation to ${other.name}`);
      await shell.undo();
      await expect(shell.undoToasts).not.toContainText('Withdrawing');
      await swarm.withdraw(other.name, 0);
      await runPending(page.request);
      await expect(swarm.invitations).toHaveCount(1);
    });
    await step("after the answer, the board shows it with the device's name", async () => {
      await other.answerAll('accept');
      await page.clock.runFor(21_000);
      await expect(swarm.board).toContainText('accepted');
      await expect(swarm.board).toContainText(/Pier 4 anemometer|Fairway buoy/);
    });
    await step('existing members are excluded before anything is sent', async () => {
      await invite.open(`?swarm=${harbour.id}`);
      await invite.enterCodes(`${other.name}/${pier.id}\n${other.name}/${buoy.id}\n${user.name}/${pier.id}`);
      await expect(invite.check).toContainText('1 ready');
      await expect(invite.check).toContainText('already sends to this swarm');
      await expect(invite.check).toContainText('your own device: add it under Members');
    });
  },
);

test(
  'each row of a CSV file is sent with its own role, and unknown columns must be assigned first',
  { tag: ['@long', '@once'] },
  async ({ page, user, owner: other, invite, layout, step }) => {
    const swarm = await user.createSwarm({ name: 'Harbour weather', description: '' });
    const [pier, buoy] = await other.addMany([
      { name: 'Pier 4 anemometer', machine_type: 'bug' },
      { name: 'Fairway buoy', machine_type: 'bug' },
    ]);
    if (!pier || !buoy) throw new Error('there are no devices');
    await invite.open();
    await step('a file is added below the typed line', async () => {
      await invite.typeInstead({ user: other.name, id: pier.id });
      await invite.readFile(`user,resource_id,Rolle,note\n"${other.name}","${buoy.id}","consumer","north, east"\n`);
      await expect(invite.codes).toHaveValue(new RegExp(`${pier.id}\nuser,resource_id,Rolle,note\n`));
    });
    await step('unknown columns are named, and nothing can be sent until they are assigned', async () => {
      await expect(invite.columns).toContainText('Rolle');
      await expect(invite.columns).toContainText('First value: north, east');
      await expect(invite.sendButton).toBeDisabled();
      await expect(invite.sentence).toContainText('Choose what the 2 unknown columns contain.');
      await invite.useColumn('Rolle', 'Role');
      await invite.useColumn('note', 'Ignore');
      await expect(invite.line(3)).toContainText('ready');
      await expect(invite.roleOf(3)).toHaveText('Receives');
      await expect(invite.sentence).toContainText('Role: sends (1) and receives (1)');
      await expect.poll(() => layout.overflowingInside()).toEqual([]);
    });
    await step('each invitation offers the role of its row', async () => {
      await invite.sendButton.click();
      await expect(invite.result).toContainText('2 sent');
      await expect(invite.codes).toHaveValue('');
      const sent = await (await page.request.get(`/api/swarms/${swarm.id}/invitations`)).json();
      const roles = (sent as Invitation[]).map(({ resource_id, resource_type }) => [resource_id, resource_type]);
      expect(new Map(roles as [string, string][])).toEqual(
        new Map([
          [pier.id, 'producer'],
          [buoy.id, 'consumer'],
        ]),
      );
    });
  },
);

test('each line can have its own role', { tag: '@phone' }, async ({ page, user, owner: other, invite }) => {
  const swarm = await user.createSwarm({ name: 'Harbour weather', description: '' });
  const [pier, buoy] = await other.addMany([
    { name: 'Pier 4 anemometer', machine_type: 'bug' },
    { name: 'Fairway buoy', machine_type: 'bug' },
  ]);
  await invite.open();
  await invite.enterCodes(`${other.name}/${pier!.id}\n${other.name}/${buoy!.id}`);
  // a phone lists only the lines with a warning or an error at first
  await invite.showReady();
  await invite.setRole(2, 'Receives');
  await expect(invite.codes).toHaveValue(`${other.name}/${pier!.id}\n${other.name}/${buoy!.id} consumer`);
  await expect(invite.roleOf(1)).toHaveText('Sends');
  await expect(invite.roleOf(2)).toHaveText('Receives');
  await expect(invite.sentence).toContainText('Role: sends (1) and receives (1)');
  await expectAccessible({ page, title: 'roles of lines' });
  await invite.sendButton.click();
  await expect(invite.result).toContainText('2 sent');
  const sent = (await (await page.request.get(`/api/swarms/${swarm.id}/invitations`)).json()) as Invitation[];
  expect(new Map(sent.map(({ resource_id, resource_type }) => [resource_id, resource_type]))).toEqual(
    new Map([
      [pier!.id, 'producer'],
      [buoy!.id, 'consumer'],
    ]),
  );
});

test(
  'a line with both roles is one line and two invitations, an unknown role is an error, and a long list is drawn where it is seen',
  { tag: '@once' },
  async ({ page, user, owner: other, invite, step }) => {
    const swarm = await user.createSwarm({ name: 'Harbour weather', description: '' });
    const [pier, buoy] = await other.addMany([
      { name: 'Pier 4 anemometer', machine_type: 'bug' },
      { name: 'Fairway buoy', machine_type: 'bug' },
    ]);
    await invite.open();
    await step('only the lines in view of a thousand are drawn, and the last one is reached by keyboard', async () => {
      const nonsense = Array.from({ length: 1000 }, (_, line) => `nonsense ${line}`).join('\n');
      await invite.enterCodes(nonsense);
      await expect(invite.check).toContainText('1,000 invalid');
      await expect.poll(() => invite.checkedLines.count()).toBeLessThan(60);
      await invite.fixButton(1).focus();
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await expect(invite.codes).toBeFocused();
      await page.keyboard.type('!');
      await expect(invite.codes).toHaveValue(`${nonsense}!`);
    });
    await step('a line with both roles is one', async () => {
      const link = `${new URL(page.url()).origin}/invite?to=${other.name}&resource=${buoy!.id}`;
      await invite.enterCodes(`${other.name},${pier!.id},both\n${link} consumer\n${other.name}/${pier!.id} boss`);
      await expect(invite.check).toContainText('2 ready');
      await expect(invite.line(3)).toContainText('unknown role: use sends, receives or both');
      await expect(invite.footLink).toHaveText('Cancel');
    });
    await step('they are sent, and the link beside the button leads to the swarm', async () => {
      await invite.sendButton.click();
      await expect(invite.result).toContainText('2 sent');
      await expect(invite.codes).toHaveValue(`${other.name}/${pier!.id} boss`);
      await expect(invite.footLink).toHaveText('Go to the swarm');
      const sent = (await (await page.request.get(`/api/swarms/${swarm.id}/invitations`)).json()) as Invitation[];
      expect(sent.map(({ resource_id, resource_type }) => `${resource_id} ${resource_type}`).toSorted()).toEqual(
        [`${pier!.id} producer`, `${pier!.id} consumer`, `${buoy!.id} consumer`].toSorted(),
      );
    });
  },
);

test(
  'a failed line keeps its reason and its current number, and cannot be sent again unchanged',
  { tag: ['@long', '@once'] },
  async ({ user, owner: other, invite, step }) => {
    await user.createSwarm({ name: 'Harbour weather', description: '' });
    const { id } = await other.add({ name: 'Pier 4 anemometer', machine_type: 'bug' });
    const unknown = id.replace(/^.{8}/, '00000000');
    await invite.open();
    await invite.enterCodes(`${other.name}/${id}\n${other.name}/${unknown}`);
    await invite.role('Receives').check();
    await step('one is sent, one fails', async () => {
      await expect(invite.sentence).toContainText(/to join Harbour weather.*Role: receives/);
      await invite.sendButton.click();
      await expect(invite.result).toContainText('1 sent');
      await expect(invite.result).toContainText('1 failed');
      await expect(invite.codes).toHaveValue(`${other.name}/${unknown}`);
      await expect(invite.line(1)).toContainText('this user has no such device');
      await expect(invite.sendButton).toBeDisabled();
    });
    await step('after an edit only the new line is ready', async () => {
      await invite.enterCodes(`${other.name}/${unknown}\n${other.name}/${id}`);
      await expect(invite.line(1)).toContainText('this user has no such device');
      await expect(invite.check).toContainText('1 to resend');
      await expect(invite.sendButton).toHaveText('Send 1 invitation');
    });
  },
);

test(
  'an invite link survives signing in and opens Invite with its code',
  { tag: '@once' },
  async ({ browser, server, user, owner: other, device, invite, page, step }) => {
    const { id } = await user.add({ name: 'Orchard 3', machine_type: 'bug' });
    let link = '';
    await step('a device shows its code as a link and as a QR code', async () => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await device.open(id);
      await invite.showQrCode();
      await expect(invite.qrCode).toBeAttached();
      await expect.poll(async () => (await invite.qrDialog.boundingBox())?.height).toBe(page.viewportSize()!.height);
      await page.goBack();
      await expect(invite.qrDialog).toBeHidden();
      await invite.copyCode();
      await expect(invite.codeBox).toContainText('Copied');
      link = await page.evaluate(() => navigator.clipboard.readText());
      expect(link).toBe(`${server.origin}/invite?to=${user.name}&resource=${id}`);
    });
    await step("the owner's own link opens the device", async () => {
      await page.goto(link);
      await expect(page).toHaveURL(`${server.origin}/devices/${id}`);
      await expect(device.heading).toContainText('Orchard 3');
    });

    const elsewhere = await browser.newContext({ baseURL: server.origin });
    const theirs = await elsewhere.newPage();
    const signIn = new SignInPage(theirs);
    const opened = new InvitePage(theirs);
    await theirs.goto(link);
    await signIn.signIn(other);
    await expect(opened.codes).toHaveValue(`${user.name}/${id}`);
    await expect(opened.sentence).toContainText('Choose a swarm');
    await opened.startCreatingSwarm();
    await opened.nameSwarm('Frost watch');
    await expect(opened.swarmField).toHaveValue('Frost watch');
    await expect(opened.codes).toHaveValue(`${user.name}/${id}`);
    await opened.sendButton.click();
    await expect(opened.result).toContainText('1 sent');
    await elsewhere.close();
    const inbox = await page.request.get('/api/inbox');
    await expect(inbox.json()).resolves.toMatchObject({
      total: 1,
      items: [{ from: other.name, swarm: { name: 'Frost watch' } }],
    });
  },
);

test(
  'invitations are sent without a pointer',
  { tag: ['@long', '@once'] },
  async ({ page, user, owner: other, invite, home }) => {
    await user.createSwarm({ name: 'Harbour weather', description: '' });
    const { id } = await other.add({ name: 'Pier 4 anemometer', machine_type: 'bug' });
    await home.open();
    await expect(home.firstRun).toBeVisible();
    await page.keyboard.press('i');
    await expect(invite.swarmField).toHaveValue('Harbour weather');
    await invite.codes.focus();
    await page.keyboard.type(`${other.name}/${id}`);
    await expect(invite.check).toContainText('1 ready');
    await invite.role('Sends').focus();
    await page.keyboard.press('ArrowDown');
    await expect(invite.role('Receives')).toBeChecked();
    await invite.sendButton.focus();
    await page.keyboard.press('Enter');
    await expect(invite.result).toContainText('1 sent');
  },
);

test(
  'of many swarms, one that is not listed is chosen by its page or by a search',
  { tag: ['@long', '@once'] },
  async ({ page, user, invite }) => {
    const names = [...Array.from({ length: 11 }, (_, number) => `Quay ${number + 1}`), 'Tower'];
    const swarms = await Promise.all(names.map((name) => user.createSwarm({ name, description: '' })));
    // as with more swarms than one response has
    await page.route('**/api/swarm-list?relation=*', (route) =>
      route.continue({ url: route.request().url().replace('limit=200', 'limit=2') }),
    );
    await invite.open(`?swarm=${swarms[8]!.id}`);
    await expect(invite.swarmField).toHaveValue('Quay 9');
    await invite.swarmField.click();
    await expect(invite.firstSwarms).toHaveText('The first 2 of 12. Search for the others.');
    await invite.searchSwarm('tower');
    await invite.chooseSwarm('Tower');
    await expect(invite.swarmField).toHaveValue('Tower');
  },
);
