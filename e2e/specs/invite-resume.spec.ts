import { expect, test } from '../fixtures.ts';
import { batchOf, holdRequestsAfter } from '../intercept-requests.ts';
import { InvitePage } from '../pages/invite.page.ts';
import { ShellPart } from '../pages/shell.part.ts';

const count = 250;

test('sending many invitations continues on other pages and after the tab is closed, once each', async ({
  page,
  context,
  user,
  owner: other,
  invite,
  shell,
  step,
}) => {
  const swarm = await user.createSwarm({ name: 'Harbour weather', description: '' });
  const names = Array.from({ length: count }, (_, index) => `Gauge ${index + 1}`);
  const devices = await other.addMany(names.map((name) => ({ name, machine_type: 'bug' as const })));
  const unknown = `${other.name}/00000000-0000-7000-8000-000000000000`;
  const codes = [unknown, ...devices.map(({ id }) => `${other.name}/${id}`)];
  const drop = await holdRequestsAfter({ page, path: '**/api/batch', method: 'POST', few: 1 });
  await invite.open(`?swarm=${swarm.id}`);
  await invite.codes.fill(codes.join('\n'));
  await invite.sendButton.click();
  await expect(invite.result).toContainText('99 sent');
  await expect(invite.result).toContainText(`Sending 100 of ${count + 1}`);

  await step('a notice on another page shows the progress', async () => {
    await shell.goTo('Account');
    await expect(shell.undoToasts).toContainText(`Sending ${count + 1} invitations to Harbour weather`);
    await expect(shell.undoToasts).toContainText(`Sending 100 of ${count + 1}`);
  });
  await drop();
  await page.close();

  const next = await context.newPage();
  const again = new InvitePage(next);
  const sent: string[] = [];
  next.on('request', (request) => {
    if (request.url().endsWith('/api/batch')) sent.push(...batchOf(request).map(({ body }) => body ?? ''));
  });
  await again.open();
  await expect(again.result).toContainText(`${count} sent`);
  await expect(again.result).toContainText('1 failed');
  await expect(again.codes).toHaveValue(`${unknown.replace('/', ',')},producer`);
  expect([sent.length, new Set(sent).size], 'the rest, each once').toEqual([count - 99, count - 99]);
  const board = await (await context.request.get(`/api/swarms/${swarm.id}/board?limit=0`)).json();
  expect((board as { total: number }).total).toBe(count);
  await new ShellPart(next).goTo('Swarms');
  await expect(new ShellPart(next).undoToasts).not.toContainText('invitations');
});

test('unsent codes survive navigation and a reload; sent codes are removed', async ({
  page,
  user,
  owner: other,
  invite,
  shell,
  step,
}) => {
  const swarm = await user.createSwarm({ name: 'Harbour weather', description: '' });
  const gauge = await other.add({ name: 'Gauge', machine_type: 'bug' });
  await invite.open(`?swarm=${swarm.id}`);
  await invite.codes.fill(`${other.name}/${gauge.id}\nhello world`);
  await invite.message.fill('Wind, please.');
  await step('after visiting another page', async () => {
    await shell.goTo('Account');
    await page.goBack();
    await expect(invite.codes).toHaveValue(/hello world/);
    await expect(invite.message).toHaveValue('Wind, please.');
  });
  await step('after a reload', async () => {
    await page.reload();
    await expect(invite.codes).toHaveValue(/hello world/);
    await expect(invite.check).toContainText('1 ready');
  });
  await invite.sendButton.click();
  await expect(invite.result).toContainText('1 sent');
  await step('sent codes are removed, invalid lines stay', async () => {
    await expect(invite.codes).toHaveValue('hello world');
    await page.reload();
    await expect(invite.codes).toHaveValue('hello world');
  });
});
