import { addCamera } from '../camera.ts';
import { expect, test } from '../fixtures.ts';
import { BoardPart } from '../pages/board.part.ts';

test.use({ mounted: false });

const name = 'Pier 4 anemometer';

test(
  'a labelled code is scanned and invited for both roles, answered once, and one role is taken away',
  { tag: '@long' },
  async ({ page, context, user, enter, swarm, invite, step }) => {
    const camera = await addCamera(context);
    await user.createSwarm({ name: 'Harbour weather', description: '' });
    const other = await enter();
    const { id } = await other.add({ name, machine_type: 'bug' });

    await other.step('the owner of the device chooses what its code says', async () => {
      await other.device.open(id);
      await expect(other.invite.label('Only its ID')).toBeChecked();
      await other.invite.chooseLabel('Its name');
      await other.page.reload();
      await expect(other.invite.label('Its name')).toBeChecked();
      await other.invite.copyCode();
      await expect
        .poll(() => other.page.evaluate(() => navigator.clipboard.readText()))
        .toMatch(new RegExp(`resource=${id}&label=Pier\\+4\\+anemometer$`));
      await other.invite.showQrCode();
    });
    const picture = await other.invite.qrPath();

    await step('without a camera, the page says so', async () => {
      await invite.open();
      await camera.fail(page, 'NotAllowedError');
      await invite.scan();
      await expect(invite.scanDialog).toContainText('Your browser does not let this page use the camera.');
      await camera.fail(page, 'NotFoundError');
      await invite.retryScan();
      await expect(invite.scanDialog).toContainText('No camera found.');
    });
    await step('the code is scanned, once', async () => {
      await camera.fail(page, '');
      await invite.retryScan();
      await expect(invite.scanDialog).toContainText('Looking for a QR code…');
      await invite.light.click();
      await expect(invite.light).toHaveAttribute('aria-pressed', 'true');
      await expect(camera.light(page)).resolves.toEqual({ advanced: [{ torch: true }] });
      await camera.show(page, picture);
      await expect(invite.scanDialog).toContainText(`Added: ${other.name} “${name}”`);
      await expect(invite.scanDialog).toContainText('1 code added');
      await expect(invite.scanned).toContainText([name]);
      await invite.endScan();
      await expect.poll(() => camera.used(page)).toEqual({ started: 1, running: 0 });
      await invite.scan();
      await expect(invite.scanDialog).toContainText(`Already in the list: ${other.name}`);
      await invite.endScan();
    });
    await step('both roles are one line', async () => {
      await invite.role('Both').check();
      await expect(invite.sentence).toContainText(/to join Harbour weather\. Role: sends and receives/);
      await invite.sendButton.click();
      await expect(invite.result).toContainText('1 sent');
      await expect(invite.results).toContainText(`“${name}”`);
      await invite.toBoard();
    });
    const board = new BoardPart(page);
    await step('and one row of the board, with the label instead of an ID', async () => {
      await expect(board.rows).toHaveCount(1);
      await expect(board.rows).toContainText(`“${name}”`);
      await expect(board.rows).toContainText('both');
    });

    await other.step('its owner answers once', async () => {
      await other.inbox.goto();
      await expect(other.inbox.rows).toHaveCount(1);
      await expect(other.inbox.row(name)).toContainText('both');
      await other.inbox.answerInRow(name, 'Accept');
      await other.runPending();
      await expect(other.inbox.past(name)).toHaveCount(1);
      await expect(other.inbox.badge(1)).toBeHidden();
    });
    await step('which is one row of the board too', async () => {
      await expect(board.rows).toContainText('accepted');
      await expect(board.rows).toHaveCount(1);
      await expect(board.rows).not.toContainText('“');
    });

    await other.device.open(id);
    await expect(other.device.swarm('Harbour weather')).toContainText('both');
    await step('the owner of the swarm takes one role away, and undoes it', async () => {
      await swarm.show('Members');
      await swarm.openMenu(name);
      await swarm.choose('Change role: only sends');
      await swarm.undoMember(name);
      await expect(swarm.memberCell(name, 'both')).toBeVisible();
    });
    await other.step('the owner of the device gives one role up', async () => {
      await other.device.limitRole('Harbour weather', 'receives');
      await expect(other.device.swarm('Harbour weather')).toContainText('Changing role…');
      await other.runPending();
      await expect(other.device.swarm('Harbour weather')).toContainText('receives');
    });
    await expect(swarm.memberCell(name, 'receives')).toBeVisible();
  },
);
