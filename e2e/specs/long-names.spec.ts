import { expect, test } from '../fixtures.ts';
import { bearLongNames } from '../long-names.ts';

const widths = { phone: [320, 390], desktop: [820, 1440], 'wide-font': [320, 390, 820] };

test('long names without spaces do not break the layout', async ({ page, user, owner, layout }, { project }) => {
  const { device, swarm } = await bearLongNames({ user, owner });
  const urls = [
    `/?sel=${device}`,
    `/devices/${device}`,
    '/swarms',
    `/swarms/${swarm}?sel=${device}`,
    `/swarms/${swarm}?tab=invitations`,
    `/swarms/${swarm}?tab=settings`,
    '/invitations',
    `/invite?swarm=${swarm}`,
    '/account',
    `/swarms/${swarm}/map?sel=${device}`,
  ];
  for (const url of urls) {
    await page.goto(url);
    await page.waitForLoadState('networkidle');
    for (const width of widths[project.name as keyof typeof widths]) {
      await page.setViewportSize({ width, height: 844 });
      const at = `${url} at ${width} px`;
      await expect.poll(() => layout.overflowing(), at).toEqual([]);
      await expect.poll(() => layout.overflowingInside(), at).toEqual([]);
      await expect.poll(() => layout.cutOff(), at).toEqual([]);
    }
  }
});
