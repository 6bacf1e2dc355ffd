import type { BatchRequest } from '@swarmdeck/bff/contract';
import { expect, test } from '../fixtures.ts';
import { holdRequestsAfter } from '../intercept-requests.ts';
import { BoardPart } from '../pages/board.part.ts';
import { ShellPart } from '../pages/shell.part.ts';

const count = 130;
/** In one request. */
const most = 100;

test('withdrawing many invitations continues on other pages and after the tab is closed, once each', async ({
  page,
  context,
  user,
  owner: other,
  swarm: screen,
  shell,
  step,
}) => {
  const swarm = await user.createSwarm({ name: 'Harbour weather', description: '' });
  const names = Array.from({ length: count }, (_, index) => `Gauge ${index + 1}`);
  const devices = await other.addMany(names.map((name) => ({ name, machine_type: 'bug' as const })));
  for (const { id: resource_id } of devices) {
    await user.invite(swarm, { to: other.name, resource_id, resource_type: 'consumer' });
  }
  const board = new BoardPart(page);
  await page.clock.install();
  const drop = await holdRequestsAfter({ page, path: '**/api/batch', method: 'POST', few: 1 });
  await screen.open(swarm.id, '?tab=invitations');
  await board.checkboxes.first().check();
  await board.selectAll();
  await board.start('Withdraw', count);
  await expect(shell.undoToasts).toContainText(`Withdrawing ${count} invitations`);
  await page.clock.runFor(11_000);

  await step('a notice on another page shows the progress', async () => {
    await shell.goTo('Account');
    await expect(shell.undoToasts).toContainText(`${most} of ${count}`);
  });
  await drop();
  await page.close();

  const next = await context.newPage();
  const sent: string[] = [];
  next.on('request', (request) => {
    if (!request.url().endsWith('/api/batch')) return;
    const { requests } = request.postDataJSON() as { requests: BatchRequest[] };
    sent.push(...requests.map(({ path }) => path));
  });
  await next.goto('/account');
  const after = new ShellPart(next);
  await expect(after.notices).toContainText(`${count} invitations withdrawn`);
  expect([sent.length, new Set(sent).size], 'the rest, each once').toEqual([count - most, count - most]);
  const left = await (await context.request.get(`/api/swarms/${swarm.id}/board?limit=0`)).json();
  expect((left as { total: number }).total).toBe(0);
  await expect(after.undoToasts).not.toContainText('invitations');
});
