import type { DevicePage } from '@swarmdeck/bff/contract';
import { expect, test } from '../fixtures.ts';

test(
  'a server that is still counting returns the rows and shows its progress',
  { tag: ['@long', '@once'] },
  async ({ page, user, home, step }) => {
    await user.add({ name: 'Buoy 1', machine_type: 'bug' });
    await user.add({ name: 'Harbour hub', machine_type: 'pc' });
    let part = 0.4;
    await page.route('**/api/devices?*counts=later*', async (route) => {
      const answer = await route.fetch();
      if (part >= 1) return route.fulfill({ response: answer });
      const known = (await answer.json()) as DevicePage;
      const machine_type = { pc: 0, bug: 0, smartphone: 0 };
      const facets = { all: 0, machine_type, no_swarm: 0, unplaced: 0, swarms: [] };
      await route.fulfill({ response: answer, json: { ...known, total: 0, facets, building: part } });
    });
    await home.open();

    await step('rows are shown without an unknown total', async () => {
      await expect(home.counting).toHaveText(/\b40%/);
      await expect(home.row('Buoy 1')).toBeVisible();
      await expect(home.row('Harbour hub')).toBeVisible();
      await expect(home.count).toBeHidden();
      await expect(home.changedNotice).toBeHidden();
    });
    part = 0.85;
    await expect(home.counting).toHaveText(/\b85%/);
    part = 1;
    await expect(home.count).toContainText('2');
    await expect(home.counting).toBeHidden();
    await expect(home.changedNotice).toBeHidden();
  },
);
