import type { Request } from 'playwright/test';
import { readActions } from '../actions.ts';
import { expect, test } from '../fixtures.ts';
import { failInside } from '../intercept-requests.ts';
import { InvitePage } from '../pages/invite.page.ts';

test.use({ mounted: false });

const count = 700;

test('many invitations are sent after the tab is closed, and the failed ones are in the list of the next visit', async ({
  page,
  context,
  user,
  owner: other,
  invite,
}) => {
  const swarm = await user.createSwarm({ name: 'Harbour weather', description: '' });
  const names = Array.from({ length: count }, (_, index) => `Gauge ${index + 1}`);
  const devices = await other.addMany(names.map((name) => ({ name, machine_type: 'bug' as const })));
  const unknown = `${other.name}/00000000-0000-7000-8000-000000000000`;
  const codes = [unknown, ...devices.map(({ id }) => `${other.name}/${id}`)];
  await invite.open(`?swarm=${swarm.id}`);
  await invite.enterCodes(codes.join('\n'));
  const started = page.waitForResponse('**/api/actions/*/start');
  await invite.sendButton.click();
  await started;
  await page.close();
  await expect.poll(async () => (await readActions(context.request))[0]).toMatchObject({ state: 'ended', failed: 1 });

  const again = new InvitePage(await context.newPage());
  await again.open();
  await expect(again.result).toContainText(`${count} sent`);
  await expect(again.result).toContainText('1 failed');
  await expect(again.result).toContainText('this user has no such device');
  await expect(again.codes).toHaveValue(`${unknown.replace('/', ',')},producer`);
  const board = await (await context.request.get(`/api/swarms/${swarm.id}/board?limit=0`)).json();
  expect((board as { total: number }).total).toBe(count);
  await again.inviteMore();
  await expect(again.check).toContainText('1 skipped');
});

test(
  'unsent codes survive navigation and a reload; sent codes are removed',
  { tag: '@long' },
  async ({ page, user, owner: other, invite, shell, step }) => {
    const swarm = await user.createSwarm({ name: 'Harbour weather', description: '' });
    await user.createSwarm({ name: 'Quay sensors', description: '' });
    const gauge = await other.add({ name: 'Gauge', machine_type: 'bug' });
    await invite.open(`?swarm=${swarm.id}`);
    await invite.enterCodes(`${other.name}/${gauge.id}\nhello world`);
    await invite.message.fill('Wind, please.');
    await step('after visiting another page', async () => {
      await shell.goTo('Account');
      await page.goBack();
      await expect(invite.codes).toHaveValue(/hello world/);
      await expect(invite.message).toHaveValue('Wind, please.');
    });
    await step('after a reload', async () => {
      await invite.role('Receives').check();
      await page.reload();
      await expect(invite.codes).toHaveValue(/hello world/);
      await expect(invite.role('Receives')).toBeChecked();
      await invite.role('Sends').check();
      await expect(invite.check).toContainText('1 ready');
    });
    await step('what the server did not store is in the form again, with its message', async () => {
      const isPost = (request: Request) => request.method() === 'POST';
      await page.route('**/api/actions', (route) => (isPost(route.request()) ? failInside(route) : route.fallback()));
      await invite.sendButton.click();
      await expect(shell.notices).toContainText('1 invitation could not be sent');
      await expect(invite.message).toHaveValue('Wind, please.');
      await expect(invite.codes).toHaveValue(/hello world/);
      await page.unrouteAll({ behavior: 'wait' });
    });
    await step('the message belongs to its swarm', async () => {
      await invite.chooseSwarm('Quay sensors');
      await expect(invite.message).toHaveValue('');
      await invite.chooseSwarm('Harbour weather');
      await expect(invite.message).toHaveValue('Wind, please.');
    });
    await step('the role, too, is there after a link without one', async () => {
      await invite.role('Both').check();
      await invite.open(`?swarm=${swarm.id}`);
      await expect(invite.message).toHaveValue('Wind, please.');
      await expect(invite.role('Both')).toBeChecked();
      await invite.role('Sends').check();
    });
    await invite.sendButton.click();
    await expect(invite.result).toContainText('1 sent');
    await step('sent codes and the message are removed, invalid lines stay', async () => {
      await expect(invite.message).toHaveValue('');
      await expect(invite.codes).toHaveValue('hello world');
      await page.reload();
      await expect(invite.codes).toHaveValue('hello world');
      await expect(invite.result).toContainText('1 sent');
    });
    await step('a result that was read is not shown again, nor instead of the code of a link', async () => {
      await shell.goTo('Account');
      await page.goBack();
      await expect(invite.check).toContainText('1 invalid');
      await invite.enterCodes(`${other.name}/${gauge.id}`);
      await invite.sendButton.click();
      await expect(invite.result).toContainText('1 sent');
      await invite.open(`?swarm=${swarm.id}&to=${other.name}&resource=${gauge.id}`);
      await expect(invite.check).toContainText('1 to resend');
    });
  },
);

test('the message for a code that has failed is not for the codes that replaced it', async ({
  page,
  context,
  user,
  owner: other,
  invite,
}) => {
  const swarm = await user.createSwarm({ name: 'Harbour weather', description: '' });
  const [gauge, buoy] = await other.addMany([
    { name: 'Gauge', machine_type: 'bug' },
    { name: 'Buoy', machine_type: 'bug' },
  ]);
  // This page does not learn how the sending ends.
  const { promise: isLeft, resolve: noteLeft } = Promise.withResolvers<void>();
  await page.route('**/api/events*', async (route) => {
    await isLeft;
    return route.fallback();
  });
  await invite.open(`?swarm=${swarm.id}`);
  await invite.enterCodes(`${other.name}/${gauge!.id}\n${other.name}/00000000-0000-7000-8000-000000000000`);
  await invite.message.fill('For the gauge.');
  await expect(invite.check).toContainText('2 ready');
  const { promise: isEdited, resolve: noteEdited } = Promise.withResolvers<void>();
  await page.route('**/api/actions', async (route) => {
    if (route.request().method() === 'GET') await isEdited;
    return route.fallback();
  });
  await invite.sendButton.click();
  await expect.poll(async () => (await readActions(context.request))[0]).toMatchObject({ state: 'ended', failed: 1 });
  // The page knows that the server has stored it.
  await expect(invite.message).toHaveValue('');
  await page.reload();
  noteLeft();
  await invite.enterCodes(`${other.name}/${buoy!.id}`);
  noteEdited();
  await expect(invite.result).toContainText('1 failed');
  await expect(invite.message).toHaveValue('');
  await expect(invite.result).not.toContainText('still in the list');
});
