import { runPending } from '../actions.ts';
import { expect, test } from '../fixtures.ts';
import { BoardPart } from '../pages/board.part.ts';
import { ShellPart } from '../pages/shell.part.ts';

test.use({ mounted: false });

const count = 130;

test(
  'many invitations are withdrawn after the tab is closed, and another tab shows it',
  { tag: '@long' },
  async ({ page, context, user, owner: other, swarm: screen, shell }) => {
    const swarm = await user.createSwarm({ name: 'Harbour weather', description: '' });
    const names = Array.from({ length: count }, (_, index) => `Gauge ${index + 1}`);
    const devices = await other.addMany(names.map((name) => ({ name, machine_type: 'bug' as const })));
    for (const { id: resource_id } of devices) {
      await user.invite(swarm, { to: other.name, resource_id, resource_type: 'consumer' });
    }
    const board = new BoardPart(page);
    await screen.open(swarm.id, '?tab=invitations');
    await board.checkboxes.first().check();
    await board.selectAll();
    await board.start('Withdraw', count);
    await expect(shell.undoToasts).toContainText(`Withdrawing ${count} invitations`);
    const next = await context.newPage();
    await next.goto(`/swarms/${swarm.id}?tab=invitations`);
    await page.close();

    const after = new ShellPart(next);
    await expect(after.undoToasts).toContainText(`Withdrawing ${count} invitations`);
    await expect(new BoardPart(next).rows.first()).toContainText('Withdrawing…');
    await runPending(context.request);
    await expect(new BoardPart(next).rows).toHaveCount(0);
    await expect(after.undoToasts).not.toContainText('invitations');
    const left = await (await context.request.get(`/api/swarms/${swarm.id}/board?limit=0`)).json();
    expect((left as { total: number }).total).toBe(0);
  },
);
