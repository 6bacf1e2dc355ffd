import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { plugIn } from '../device-client.ts';
import { expect, test } from '../fixtures.ts';
import { ActivityPage } from '../pages/activity.page.ts';
import { GermanPage } from '../pages/german.page.ts';
import type { Server } from '../server.ts';

/** Moves what the server knows of the device into the past, as if this time had passed. */
function pass({ dataDir }: Server, { id, minutes }: { id: string; minutes: number }): void {
  const db = new DatabaseSync(join(dataDir, 'swarmdeck.db'));
  db.exec('PRAGMA busy_timeout = 5000');
  const ref = '(SELECT ref FROM resources WHERE id = $id)';
  for (const sql of [
    `UPDATE presence SET heard_at = heard_at - $ms, changed_at = changed_at - $ms, due_at = CASE due_at WHEN 0 THEN 0 ELSE due_at - $ms END WHERE ref = ${ref}`,
    `UPDATE silences SET tell_at = tell_at - $ms, told_at = told_at - $ms WHERE ref = ${ref}`,
  ])
    db.prepare(sql).run({ ms: minutes * 60_000, id });
  db.close();
}

test(
  'a device whose client is killed is silent on list, map and wall, its owner is told, and it comes back',
  { tag: '@once' },
  async ({ page, user, server, home, wall, step }) => {
    const position = { longitude: 10, latitude: 54 };
    const gauge = await user.add({ name: 'Tide gauge 7', machine_type: 'bug', position, expected_every: 60 });
    await user.add({ name: 'Buoy 1', machine_type: 'bug', position: { longitude: 8, latitude: 53.5 } });
    const client = { origin: server.origin, id: gauge.id, key: await user.createDeviceKey(gauge) };
    const minutesPass = (minutes: number) => pass(server, { id: gauge.id, minutes });
    const [activity, german] = [new ActivityPage(page), new GermanPage(page)];
    let unplug = plugIn(client);
    try {
      await home.open({ map: '6/54/10' });
      await step('it is online soon after its client has started', async () => {
        await expect(home.row('Tide gauge 7')).toContainText('online');
        await expect(home.row('Buoy 1')).toContainText('never heard');
        await expect.poll(() => home.pointsAtSomething()).toBe(true);
      });
      const filled = await home.colourInSymbol();
      await unplug();
      minutesPass(3);
      await step('its row says when it fell silent, its symbol is hollow, and the list can show only it', async () => {
        await expect(home.row('Tide gauge 7')).toContainText('silent since');
        await expect.poll(() => home.colourInSymbol()).not.toEqual(filled);
        await home.toggle('Silent');
        await expect(home.row('Buoy 1')).toBeHidden();
        await expect(home.row('Tide gauge 7')).toBeVisible();
      });
      minutesPass(1);
      await step('the wall says it across the room, and leads to its list, which begins with it', async () => {
        await wall.open({});
        await expect(wall.silent).toHaveText('1 device is silent');
        // a view of all devices keeps so much free below them
        await expect.poll(() => wall.spaceBelowAlert()).toBeLessThanOrEqual(48 + 77);
        await wall.silent.click();
        await expect(wall.listRows.first()).toContainText('Tide gauge 7');
        await expect(wall.listRows.first()).toContainText(/silent since \d\d:\d\d/);
        await expect(wall.listRows.last()).toContainText('Buoy 1');
      });
      await step('its owner is told', async () => {
        await activity.open();
        await expect(activity.entries.filter({ hasText: 'Tide gauge 7 is silent' })).toHaveCount(1);
      });
      await page.setViewportSize({ width: 390, height: 844 });
      await step('a phone shows it in German', async () => {
        await home.open({ lang: 'de' });
        await expect(german.row('Tide gauge 7')).toContainText('stumm seit');
      });
      unplug = plugIn(client);
      await step('it is plugged in again', async () => {
        await expect(german.row('Tide gauge 7')).toContainText('online');
        minutesPass(1);
        await page.goto('/activity?lang=de');
        await expect(german.row('Tide gauge 7 ist wieder da')).toHaveCount(1);
        await expect(german.row('Tide gauge 7 ist verstummt')).toHaveCount(1);
      });
    } finally {
      await unplug();
    }
  },
);
