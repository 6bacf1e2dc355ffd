import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from '../fixtures.ts';
import { ActivityPage } from '../pages/activity.page.ts';
import { AudiencePart } from '../pages/audience.part.ts';
import { ManagersPart } from '../pages/managers.part.ts';
import type { Server } from '../server.ts';

/** What waits to be told is told with the next look, as if the gathering time had passed. */
function gather({ dataDir }: Server): void {
  const db = new DatabaseSync(join(dataDir, 'swarmdeck.db'));
  db.exec('PRAGMA busy_timeout = 5000');
  db.exec('UPDATE audience_notices SET tell_at = 1 WHERE tell_at IS NOT NULL');
  db.close();
}

test('a member is told who sees a device now, looks who does, and leaves from the notice', async ({
  page,
  user,
  owner,
  enter,
  server,
  home,
  device: devicePage,
  swarm: swarmPage,
  step,
}) => {
  const audience = new AudiencePart(page);
  const activity = new ActivityPage(page);
  const swarm = await owner.createSwarm({ name: 'Harbour weather', description: 'Wind on every quay' });
  const buoy = await user.add({ name: 'Buoy', machine_type: 'bug', position: { longitude: 8, latitude: 54 } });
  await owner.invite(swarm, { to: user.name, resource_id: buoy.id, resource_type: 'producer' });
  await user.answerAll('accept');

  await step('the page of the device says who sees it', async () => {
    await devicePage.open(buoy.id);
    await expect(audience.panel).toContainText(`Owner${owner.name}`);
    await expect(audience.panel).toContainText('You are the only user with devices in this swarm.');
    await expect(audience.panel).toContainText('No other device receives messages.');
    await expect(audience.panel).toContainText('Nobody can ask to join.');
    await expect(audience.panel).toContainText('Other devices that receive messages: 0 when the device joined');
  });

  const watcher = await enter();
  await owner.changeSwarm(swarm, { public: true, listed: true });
  await owner.askForRole(swarm, { user_id: watcher.name, role: 'watcher' });
  await watcher.step('a user is told, before agreeing to watch, that members see the name', async () => {
    await watcher.page.goto('/swarms');
    const offers = new ManagersPart(watcher.page);
    await expect(offers.offer('asks you to watch Harbour weather')).toContainText('The members see your name.');
    await offers.agreeUntil('asks you to watch Harbour weather', '7 days');
    await expect(offers.offers).toBeHidden();
  });
  const mast = await owner.add({ name: 'Mast', machine_type: 'bug' });
  await owner.join(swarm, { resource_id: mast.id, resource_type: 'consumer' });

  await step('one notice names what is new', async () => {
    gather(server);
    await activity.open();
    await expect(audience.notices).toHaveCount(1);
    await expect(audience.notices).toContainText(
      `Change in who sees your devices in Harbour weather: new watcher ${watcher.name}.`,
    );
    await expect(audience.notices).toContainText('Devices of other users now receive messages in Harbour weather.');
    await expect(audience.notices).toContainText(
      'Anyone can now find Harbour weather and ask to join. People who only ask see no devices.',
    );
  });
  await step('which leads to all names, on the page of the swarm', async () => {
    await audience.seeWho();
    await expect(audience.panelOfSwarm).toContainText(`Owner${owner.name}`);
    await expect(audience.panelOfSwarm).toContainText(`Watcher${watcher.name}`);
    await expect(audience.panelOfSwarm).toContainText('2 users, including you, have devices in this swarm.');
    await expect(audience.panelOfSwarm).toContainText('1 device receives messages.');
    await expect(audience.panelOfSwarm).toContainText('Anyone can find this swarm and ask to join.');
    await expect(swarmPage.tab('Who sees this')).toBeVisible();
  });
  await step('and says until when they do', async () => {
    await expect(audience.panelOfSwarm).toContainText(/Watcher.*until /);
  });
  await watcher.step('which the watcher makes sooner', async () => {
    await watcher.swarm.open(swarm.id, '?tab=audience');
    const theirs = new AudiencePart(watcher.page);
    const before = await theirs.readEnd();
    await new ManagersPart(watcher.page).stopLater('1 hour');
    await expect.poll(() => theirs.readEnd()).toBeLessThan(before - 24 * 3_600_000);
  });
  await step('the owner of a device sets the end of its membership, and changes it', async () => {
    await swarmPage.show('Members');
    await expect(swarmPage.member('Buoy')).not.toContainText('until');
    await swarmPage.openMenu('Buoy');
    await swarmPage.setEnd('Change the end…', '7 days');
    await expect(swarmPage.member('Buoy')).toContainText('until');
    await swarmPage.openMenu('Buoy');
    await swarmPage.setEnd('Change the end…', 'No end');
    await expect(swarmPage.member('Buoy')).not.toContainText('until');
    await swarmPage.openMenu('Buoy');
    await swarmPage.setEnd('Change the end…', '24 hours');
    await expect(swarmPage.member('Buoy')).toContainText('until');
    await swarmPage.show('Who sees this');
  });
  await step('another day shows who saw it then, as far as that is known', async () => {
    await audience.chooseDay('2020-01-02');
    await expect(audience.panelOfSwarm).toContainText('There is no information for this day.');
    await expect(audience.panelOfSwarm).toContainText(
      'Not shown for this day: links, and numbers of users and devices.',
    );
    await audience.showToday();
    await expect(audience.panelOfSwarm).toContainText(`Watcher${watcher.name}`);
  });
  await step('the card says it in a sentence', async () => {
    await home.open({ sel: buoy.id });
    await expect(audience.sentence).toContainText(owner.name);
    await expect(audience.sentence).toContainText('everyone with a device in the same swarm (1 besides you)');
  });
  await step('the panel is there in German', async () => {
    await page.goto(`/devices/${buoy.id}?lang=de`);
    await expect(audience.germanPanel).toContainText(`Beobachter${watcher.name}`);
    await expect(audience.germanPanel).toContainText('beim Beitritt des Geräts');
    await page.goto(`/swarms/${swarm.id}?lang=de`);
    await expect(swarmPage.germanMember('Buoy')).toContainText('bis');
    await page.goto(`/devices/${buoy.id}?lang=en`);
    await expect(audience.panel).toContainText(', 1 now.');
  });
  await step('and the device leaves from the notice', async () => {
    await activity.open();
    await audience.leave('Harbour weather');
    await devicePage.open(buoy.id);
    await expect(audience.leaving).toBeVisible();
  });
});
