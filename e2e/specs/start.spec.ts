import type { Demo, Invitation, Resource, Swarm } from '@swarmdeck/bff/contract';
import type { APIRequestContext } from 'playwright/test';
import { expect, test } from '../fixtures.ts';
import { BulkPart } from '../pages/bulk.part.ts';
import { MessagesPart } from '../pages/messages.part.ts';
import { StartPage } from '../pages/start.page.ts';
import { ViewsPart } from '../pages/views.part.ts';
import { runLine } from '../run-line.ts';

test(
  'the first steps: the first device comes with its invite code, joins a swarm, and sends its first message',
  { tag: '@once' },
  async ({ page, context, user, server, home, shell, swarms, swarm, step }) => {
    const start = new StartPage(page);
    const messages = new MessagesPart(page);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await step('there is no code to copy yet, and the page says why; a swarm needs no device', async () => {
      await home.open();
      await expect(start.step(2)).toContainText('You get the invite code with your first device.');
      await expect(start.button('Copy invite code')).toBeDisabled();
      await start.createFirstSwarm();
      await expect(shell.dialog).toContainText('Create a swarm');
      await page.keyboard.press('Escape');
      await shell.goTo('Devices');
    });
    await step('after the first device, the other steps are below it', async () => {
      await home.add({ name: 'Orchard 3', type: 'Bug' });
      await expect(home.card).toContainText('Orchard 3');
      // in the card, or in the list if that is there before the card
      await expect.poll(() => home.hasFocus(), 'the focus of the removed button').toBe(true);
      await home.showList();
      await expect(start.nextSteps).toBeVisible();
    });
    await step('the demo is still offered', () => expect(start.demoOffer).toBeVisible());
    await step('its invite code is copied', async () => {
      await start.copyCode();
      await expect(start.nextSteps).toContainText('Copied');
      const link = await page.evaluate(() => navigator.clipboard.readText());
      expect(link).toContain(`${server.origin}/invite?to=${user.name}&resource=`);
    });
    await step('a swarm is created, and the device joins it at once', async () => {
      await start.createSwarm();
      await expect(shell.dialog).toContainText('Add Orchard 3: it sends and receives');
      await swarms.fillIn({ name: 'Orchard' });
      await swarms.confirmCreating();
      await expect(swarm.members).toContainText('Orchard 3');
    });
    await step('it is connected with a key of its own, and its first message arrives', async () => {
      await shell.goTo('Devices');
      await home.showList();
      await start.connect();
      await expect(shell.dialog).toContainText('Connect this device');
      const curl = await messages.createKey();
      await expect(messages.dialog).not.toContainText('sends to no swarm yet');
      await expect(messages.dialog).toContainText('Waiting for the first message…');
      await runLine(curl);
      await expect(messages.dialog).toContainText(/Connected: first message (now|.* ago)/);
      await messages.confirmStored();
    });
    await step('then the fourth step is the next one, and adds the device that receives', async () => {
      await shell.goTo('Devices');
      await home.showList();
      await expect(start.nextStep).toContainText('Receive on a second device');
      await start.addSecond();
      await expect(shell.dialog).toContainText('Add device');
      await page.keyboard.press('Escape');
    });
    await step('after they are closed, they do not return', async () => {
      await shell.goTo('Devices');
      await home.showList();
      await start.closeNextSteps();
      await expect(start.nextSteps).toHaveCount(0);
      await page.reload();
      await home.showList();
      await expect(home.row('Orchard 3')).toBeVisible();
      await expect(start.nextSteps).toHaveCount(0);
    });
  },
);

test(
  'a device in no swarm, whose new key is shown, comes into its first swarm after a question about the key',
  { tag: '@once' },
  async ({ page, user, shell, swarms, swarm }) => {
    const messages = new MessagesPart(page);
    const bulk = new BulkPart(page);
    const gauge = await user.add({ name: 'Tide gauge 7', machine_type: 'bug' });
    await page.goto(`/devices/${gauge.id}`);
    await messages.connect();
    await messages.addToSwarm();
    await bulk.createSwarm();
    await messages.backToKey();
    await bulk.createSwarm();
    await messages.closeWithoutKey();
    await expect(shell.dialog).toContainText('Create a swarm');
    await swarms.fillIn({ name: 'Harbour' });
    await swarms.confirmCreating();
    await expect(swarm.members).toContainText('Tide gauge 7');
  },
);

test('the first device of a program appears by itself', { tag: '@once' }, async ({ page, home, user }) => {
  await home.open();
  await expect(new StartPage(page).panel).toBeVisible();
  await user.add({ name: 'Tide gauge 7', machine_type: 'bug' });
  await expect(home.row('Tide gauge 7')).toBeVisible();
});

test(
  "the demo fills the account, and removing it leaves only the user's own devices",
  { tag: ['@once', '@page'] },
  async ({ page, user, home, shell, step }) => {
    const start = new StartPage(page);
    const { request } = page;
    await step('one click adds devices, swarms and invitations', async () => {
      await home.open();
      await home.zoomIn.click();
      await start.fillWithDemo();
      await expect(home.count).toHaveText(/^48\b/);
      // The map moves to it from where the user has zoomed in.
      await expect(page).toHaveURL(/[?&]map=[5-9](?:\.\d+)?%2F5\d/);
      await expect(shell.destination('Invitations')).toHaveText(/\d/);
      await expect(start.demoStrip).toBeVisible();
    });
    await step(
      'after a reload, Views, the demo bar and the badge do not wait for a timer of a second or more',
      async () => {
        await page.addInitScript(() => {
          const { setTimeout, setInterval } = window;
          const isShort = (ms = 0) => ms < 1000;
          Object.assign(window, {
            setTimeout: (act: TimerHandler, ms?: number) => (isShort(ms) ? setTimeout(act, ms) : 0),
            setInterval: (act: TimerHandler, ms?: number) => (isShort(ms) ? setInterval(act, ms) : 0),
          });
        });
        await page.reload();
        await expect(new ViewsPart(page).button).toBeVisible();
        await expect(start.demoStrip).toBeVisible();
        await expect(shell.destination('Invitations')).toHaveText(/\d/);
      },
    );
    const own = await user.add({ name: 'My own buoy', machine_type: 'bug', position: { longitude: 10, latitude: 54 } });
    const swarm = await user.createSwarm({ name: 'My own swarm', description: '' });
    const before = await everything(request);
    expect(before.swarms.length).toBeGreaterThan(1);
    await step('the dialog says what is removed and what stays', async () => {
      await start.askToRemoveDemo();
      await expect(start.removeDialog).toContainText('Devices and swarms that you created stay.');
    });
    await step("only the user's own device is left", async () => {
      await start.removeDemo();
      await expect(shell.notices).toContainText('Demo removed');
      await expect(home.count).toHaveText(/^1\b/);
      await expect(home.row('My own buoy')).toBeVisible();
      await expect(start.demoStrip).toHaveCount(0);
    });
    const after = await everything(request);
    expect(after.resources.map(({ id }) => id)).toEqual([own.id]);
    expect(after.swarms.map(({ id }) => id)).toEqual([swarm.id]);
    expect(after.invitations).toEqual([]);
    expect(after.demo).toMatchObject({ exists: false, resources: [], swarms: [], partners: [] });
  },
);

async function everything(request: APIRequestContext) {
  const read = async <T>(path: string) => (await (await request.get(path)).json()) as T;
  return {
    resources: await read<Resource[]>('/api/resources'),
    swarms: await read<Swarm[]>('/api/swarms'),
    invitations: await read<Invitation[]>('/api/invitations'),
    demo: await read<Demo>('/api/demo'),
  };
}
