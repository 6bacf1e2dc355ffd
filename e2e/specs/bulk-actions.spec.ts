import type { DevicePage, Resource } from '@swarmdeck/bff/contract';
import { expectAccessible } from '../accessibility.ts';
import { importDevices, runPending } from '../actions.ts';
import { expect, test } from '../fixtures.ts';
import { BulkPart } from '../pages/bulk.part.ts';
import { PalettePart } from '../pages/palette.part.ts';

const names = Array.from({ length: 30 }, (_, number) => `Buoy ${String(number + 1).padStart(2, '0')}`);

test(
  'deleting names swarms and invitations, can be undone, and shows what failed',
  { tag: '@once' },
  async ({ page, user, owner, home, step }) => {
    const bulk = new BulkPart(page);
    const devices = await user.addMany(names.slice(0, 6).map((name) => ({ name, machine_type: 'bug' })));
    const [first, second, third] = devices as [Resource, Resource, Resource];
    const own = await user.createSwarm({ name: 'Harbour', description: '' });
    await user.join(own, { resource_id: first.id, resource_type: 'producer' });
    await user.join(own, { resource_id: second.id, resource_type: 'consumer' });
    const other = await owner.createSwarm({ name: 'Coast', description: '' });
    await owner.invite(other, { to: user.name, resource_id: third.id, resource_type: 'producer' });
    await home.open();
    await bulk.selectRows('Buoy 01', 'Buoy 02', 'Buoy 03');
    await step('the dialog says what will happen', async () => {
      await bulk.start('Delete…');
      await expect(bulk.dialog('Delete 3 devices?')).toContainText('2 devices are in swarms:');
      await expect(bulk.dialog('Delete 3 devices?')).toContainText('Harbour · 2 devices');
      await expect(bulk.dialog('Delete 3 devices?')).toContainText('1 open invitation will be rejected.');
      await expectAccessible({ page, title: 'bulk delete' });
    });
    await step('undo keeps all of them', async () => {
      await bulk.confirm('Delete 3 devices');
      await expect(home.row('Buoy 01')).toContainText('Deleting…');
      await expect(bulk.selection.bar).toBeHidden();
      await expect(home.focused, 'the focus of the removed menu').toBeVisible();
      await bulk.undo('Deleting 3 devices');
      await expect(home.row('Buoy 01')).not.toContainText('Deleting…');
    });
    await step('one that fails is listed with its reason', async () => {
      await bulk.selectRows('Buoy 01', 'Buoy 02', 'Buoy 03');
      await bulk.start('Delete…');
      await bulk.confirm('Delete 3 devices');
      await expect(bulk.job('Deleting 3 devices')).toBeVisible();
      await user.deleteDevice(second);
      await runPending(page.request);
      await expect(home.row('Buoy 01')).toBeHidden();
      await bulk.showFailures();
      await expect(bulk.dialog('1 device was not deleted')).toContainText('Buoy 02');
      await page.keyboard.press('Escape');
      await expect(home.rows).toHaveCount(3);
    });
  },
);

test(
  'the machine type and the description of all that match are set',
  { tag: '@once' },
  async ({ page, user, home, step }) => {
    const bulk = new BulkPart(page);
    await user.addMany(names.map((name, number) => ({ name, machine_type: number < 10 ? 'pc' : 'bug' })));
    await home.open();
    await step('only those that have another type are changed', async () => {
      await bulk.selectRows('Buoy 01');
      await bulk.selection.selectAll();
      await expect(bulk.selection.count).toHaveText('30 selected');
      await bulk.start('Set machine type…');
      await bulk.choose('PC');
      const desk = page.viewportSize()!;
      for (const size of [desk, { width: 390, height: 844 }, desk]) {
        await page.setViewportSize(size);
        await expect(bulk.dialog('Set the machine type of 20 devices')).toContainText('10 already have this type.');
      }
      await bulk.choose('Smartphone');
      await bulk.confirm('Change 30 devices');
      await expect(bulk.toast('30 devices changed')).toBeVisible();
      await expect(home.chip('Smartphone')).toContainText('30');
    });
    await step('the same selection gets a description, by the command palette', async () => {
      await expect(bulk.selection.count).toHaveText('30 selected');
      const palette = new PalettePart(page);
      await palette.open();
      await palette.choose('Selection: Set description…');
      const tooLong = 'ü'.repeat(2001);
      await bulk.description.focus();
      // like a paste, which the browser would cut to `maxlength`
      await page.keyboard.insertText(tooLong);
      await expect(bulk.description).toHaveValue(tooLong);
      await expect(bulk.description).toHaveAccessibleDescription('At most 2,000 characters.');
      await expect(bulk.confirmButton).toBeDisabled();
      await bulk.describe('Spring survey');
      await bulk.confirm('Change 30 devices');
      await expect(bulk.toast('30 devices changed').last()).toBeVisible();
      const total = async () => {
        const answer = await page.request.get('/api/devices?q=survey&limit=0');
        return ((await answer.json()) as { total: number }).total;
      };
      await expect.poll(total).toBe(30);
    });
  },
);

test(
  'devices join an own swarm with a role, and leave it',
  { tag: ['@long', '@once'] },
  async ({ page, user, home, step }) => {
    const bulk = new BulkPart(page);
    const devices = await user.addMany(names.slice(0, 5).map((name) => ({ name, machine_type: 'bug' })));
    const swarm = await user.createSwarm({ name: 'Harbour', description: '' });
    await user.join(swarm, { resource_id: devices[0]!.id, resource_type: 'consumer' });
    await home.open();
    await bulk.selectRows('Buoy 01', 'Buoy 02', 'Buoy 03');
    await step('those that are in it keep their role', async () => {
      await bulk.start('Add to my swarm…');
      await bulk.chooseSwarm('Harbour');
      await expect(bulk.dialog('Add 2 devices to a swarm')).toContainText('1 is already in it and keeps its role.');
      await bulk.choose('Both');
      await bulk.confirm('Add 2 devices');
      await expect(bulk.toast('2 devices added to Harbour')).toBeVisible();
      await expect(home.row('Buoy 02')).toContainText('Harbour');
    });
    await step('and leave it', async () => {
      await bulk.start('Remove from a swarm…');
      await bulk.chooseSwarm('Harbour');
      await bulk.confirm('Remove 3 devices');
      await runPending(page.request);
      await expect(bulk.toast('3 devices removed from Harbour')).toBeVisible();
      await expect(home.row('Buoy 02')).not.toContainText('Harbour');
    });
  },
);

test('invite codes are copied, one per line', { tag: '@once' }, async ({ page, context, user, home }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const bulk = new BulkPart(page);
  const devices = await user.addMany(names.slice(0, 3).map((name) => ({ name, machine_type: 'bug' })));
  await home.open();
  await bulk.selectRows('Buoy 01', 'Buoy 03');
  await bulk.start('Copy invite codes…');
  await bulk.confirm('Copy 2 codes');
  await expect(bulk.toast('2 invite codes copied')).toBeVisible();
  const lines = (await page.evaluate(() => navigator.clipboard.readText())).split('\n');
  expect(lines.map((line) => new URL(line).searchParams.get('resource'))).toEqual([devices[0]!.id, devices[2]!.id]);
});

test(
  'a large action is paused, resumed in another tab, and stopped @once @sources',
  { tag: '@long' },
  async ({ page, context, user: _signedIn, home, server }) => {
    const bulk = new BulkPart(page);
    const total = 1600;
    await importDevices(page.request, total);
    const isHeld = await server.holdActionsAt('"Buoy 500"');
    await home.open();
    await bulk.selectRows('Buoy 100');
    await bulk.selection.selectAll();
    await bulk.start('Set machine type…');
    await bulk.choose('Smartphone');
    await bulk.confirm('Change 1,600 devices');
    await isHeld();
    await bulk.holdJob('Changing 1,600 devices', 'Pause');
    await expect(bulk.job('Changing 1,600 devices')).toContainText('Paused');
    // a turn of the server has at most 500 items: this one begins later, and some begin after it
    const isHeldAgain = await server.holdActionsAt('"Buoy 1100"');
    await page.close();
    const next = await context.newPage();
    const again = new BulkPart(next);
    await next.goto('/account');
    await again.holdJob('Changing 1,600 devices', 'Resume');
    await expect(again.job('Changing 1,600 devices')).not.toContainText('Paused');
    await isHeldAgain();
    await again.holdJob('Changing 1,600 devices', 'Stop');
    await expect(again.job('Changing 1,600 devices')).toBeHidden();
    await server.holdActionsAt();
    // What it had changed stays changed. Items that were being changed still are, so all counts are of one answer.
    const answer = await context.request.get('/api/devices?limit=0');
    const { pc, smartphone } = ((await answer.json()) as DevicePage).facets.machine_type;
    expect(pc + smartphone).toBe(total);
    expect(Math.min(pc, smartphone)).toBeGreaterThan(0);
  },
);

test('a device joins an own swarm from its page', { tag: '@once' }, async ({ page, user, device }) => {
  const bulk = new BulkPart(page);
  const { id } = await user.add({ name: 'Buoy 7', machine_type: 'bug' });
  await user.createSwarm({ name: 'Harbour', description: '' });
  await device.open(id);
  await bulk.openAddToSwarm();
  await bulk.chooseSwarm('Harbour');
  await bulk.choose('receives');
  await bulk.confirm('Add 1 device');
  await expect(bulk.toast('Buoy 7 added to Harbour')).toBeVisible();
  await expect(bulk.swarmLink('Harbour')).toBeVisible();
});

test(
  'a selection gets keys in a file that is offered once, and QR codes that are printed on one sheet, and nothing else',
  { tag: '@once' },
  async ({ page, user, home, step }) => {
    const bulk = new BulkPart(page);
    const devices = await user.addMany(names.slice(0, 8).map((name) => ({ name, machine_type: 'bug' })));
    await page.addInitScript(() => {
      // a print dialog would wait for the user
      globalThis.print = () => undefined;
    });
    await home.open();
    await bulk.selectRows('Buoy 01');
    await bulk.selection.selectAll();
    await step('each device gets a key, except one that has ten', async () => {
      for (let n = 0; n < 10; n++) await user.createDeviceKey(devices[0]!);
      await bulk.start('Create keys…');
      await bulk.confirm('Create 8 keys');
      await expect(bulk.dialog('7 keys are ready')).toContainText(`${devices[0]!.name}It already has 10 keys`);
      await expectAccessible({ page, title: 'keys of many devices' });
      const { name, text } = await bulk.download('Download CSV file');
      expect(name).toBe('device-keys.csv');
      const [head, ...lines] = text.trimEnd().split('\r\n');
      expect(head).toBe('\uFEFFid,name,key');
      expect(lines).toHaveLength(7);
      const [id, , key] = lines[0]!.split(',');
      const answer = await page.request.get(`/service/resources/${id}`, { headers: { 'x-serviceapikey': key! } });
      expect(answer.status()).toBe(200);
    });
    await step('closing it without saying that the file is stored asks', async () => {
      await bulk.confirm('Done');
      await expect(bulk.dialog('7 keys are ready')).toContainText('the keys can’t be shown again');
      await bulk.confirm('Close without the keys');
      await expect(bulk.dialog('7 keys are ready')).toBeHidden();
    });
    await bulk.start('Print QR codes…');
    const dialog = bulk.dialog('Print 8 QR codes');
    await expect(dialog).toContainText('24 labels of 70 × 37 mm on each A4 sheet');
    // a scanned code would open this computer's address
    await expect(dialog).toContainText(new URL(page.url()).origin);
    await bulk.choose('US Letter');
    await expect(dialog).toContainText('10 labels of 101.6 × 50.8 mm');
    await bulk.choose('A4');
    await expect(dialog).toContainText('1 sheet.');
    await bulk.confirm('Print 8 codes');
    await expect(bulk.printed).toBeHidden();
    await page.emulateMedia({ media: 'print' });
    await expect(bulk.printed.first()).toBeVisible();
    await expect(bulk.printedLabels).toHaveCount(8);
    await expect(bulk.printedLabels.first()).toContainText('Buoy 0');
    // 70 x 37 mm, at 96 pixels per inch
    const { width, height } = (await bulk.printedLabels.first().boundingBox())!;
    expect([width, height].map((pixels) => Math.round((pixels * 25.4) / 96))).toEqual([70, 37]);
    await expect(home.row('Buoy 01')).toBeHidden();
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    await expect(bulk.printedLabels).toHaveCount(0);
  },
);
