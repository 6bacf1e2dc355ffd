import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from '../fixtures.ts';
import { ActivityPage } from '../pages/activity.page.ts';
import type { Server } from '../server.ts';

/** Lets the device have been silent for hours, which no journey can wait for. */
function silence({ dataDir }: Server, id: string): void {
  const db = new DatabaseSync(join(dataDir, 'swarmdeck.db'));
  const at = Date.now() - 3 * 3_600_000;
  db.exec('PRAGMA busy_timeout = 5000');
  db.prepare(
    `UPDATE presence SET state = 'silent', heard_at = $at, changed_at = $at, due_at = NULL
     WHERE ref = (SELECT ref FROM resources WHERE id = $id)`,
  ).run({ at, id });
  db.close();
}

test(
  'a device that falls silent is seen and told, and is online when it is heard again',
  { tag: '@once' },
  async ({ page, user, server, home, wall, step }) => {
    const [gauge] = await user.addMany([
      { name: 'Tide gauge 7', machine_type: 'bug', position: { longitude: 9.9, latitude: 53.5 } },
      { name: 'Buoy 1', machine_type: 'bug', position: { longitude: 8.5, latitude: 54 } },
    ]);
    await home.open();
    await step('it is online soon after it is heard', async () => {
      await user.hear(gauge!);
      await expect(home.row('Tide gauge 7')).toContainText('online');
    });
    await step('its row says when it falls silent, and the list can show only silent devices', async () => {
      silence(server, gauge!.id);
      await expect(home.row('Tide gauge 7')).toContainText('silent since');
      await home.toggle('Silent');
      await expect(home.row('Buoy 1')).toBeHidden();
      await expect(home.row('Tide gauge 7')).toBeVisible();
    });
    await step('the list of the wall begins with it', async () => {
      await wall.open({});
      await wall.openList();
      await expect(wall.listRows.first()).toContainText('Tide gauge 7');
      await expect(wall.listRows.last()).toContainText('Buoy 1');
    });
    await step('the activity tells of it', async () => {
      await new ActivityPage(page).open();
      await expect(new ActivityPage(page).entries.filter({ hasText: 'Tide gauge 7 is silent' })).toHaveCount(1);
    });
    await step('it is online when it is heard again', async () => {
      await home.open();
      await user.hear(gauge!);
      await expect(home.row('Tide gauge 7')).toContainText('online');
    });
  },
);
