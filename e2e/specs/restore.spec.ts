import { join } from 'node:path';
import { expect, test as base } from '../fixtures.ts';
import { DevicePage } from '../pages/device.page.ts';
import { HomePage } from '../pages/home.page.ts';
import { ManagersPart } from '../pages/managers.part.ts';
import { SessionPart } from '../pages/session.part.ts';
import { startServer } from '../server.ts';

const startAlone = () => startServer();
const test = base.extend({ server: async ({ share }, use) => use(await share(startAlone)) });

test(
  'after a restore, open pages show the backup: what was renamed, and what is watched no more',
  { tag: ['@long', '@once', '@page'] },
  async ({ context, page, user, owner, server, swarm, step }) => {
    const managers = new ManagersPart(page);
    const gauge = await user.add({ name: 'Tide gauge', machine_type: 'bug' });
    const made = await owner.createSwarm({ name: 'Night shift', description: 'Pumps' });
    const pump = await owner.add({ name: 'Pump', machine_type: 'bug' });
    await owner.join(made, { resource_id: pump.id, resource_type: 'producer' });
    await owner.askForRole(made, { user_id: user.name, role: 'watcher' });
    const file = join(server.dataDir, 'backup.db');
    await server.command('backup', file);
    const [second, third] = [await context.newPage(), await context.newPage()];
    const device = new DevicePage(second);
    const session = new SessionPart(second);
    const home = new HomePage(third);

    await step('since the backup, the user agrees to watch, and renames a device', async () => {
      await page.goto('/swarms');
      await managers.answer('asks you to watch Night shift', 'Agree');
      await swarm.open(made.id);
      await expect(swarm.member('Pump')).toBeVisible();
      await device.open(gauge.id);
      await device.form.name.fill('Tide gauge north');
      await device.save();
      await expect(device.heading).toHaveText('Tide gauge north');
      await home.open({ audience: 'visible' });
      await expect(home.row('Tide gauge north')).toBeVisible();
      await expect(home.row('Pump')).toBeVisible();
    });
    await step('the backup is restored, and the user signs in again in one tab', async () => {
      await server.end();
      await server.command('restore', file);
      await server.again();
      await second.bringToFront();
      await expect(session.dialog('Your session has ended')).toContainText('backup');
      await session.signIn(user.password);
      await expect(session.dialogs).toHaveCount(0);
    });
    await step('the device has its old name again', async () => {
      await expect(device.heading).toHaveText('Tide gauge');
    });
    await step('also in the list of another tab, which shows nothing of the swarm', async () => {
      await third.bringToFront();
      await expect(home.row('Tide gauge')).toBeVisible();
      await expect(home.row('Tide gauge north')).toBeHidden();
      await expect(home.row('Pump')).toBeHidden();
    });
    await step('nor does the page of the swarm', async () => {
      await page.bringToFront();
      await expect(swarm.member('Pump')).toBeHidden();
    });
  },
);
