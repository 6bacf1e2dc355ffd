import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { test } from '../fixtures.ts';
import { bearLongNames } from '../long-names.ts';

const folder = join(import.meta.dirname, '../../screenshots/extremes');

/** The longest texts, and forced colours and other system settings. */
const manners = [
  { name: 'narrow', on: 'phone', size: { width: 320, height: 568 } },
  { name: 'long', on: 'desktop', size: { width: 1440, height: 900 } },
  { name: 'tablet', on: 'desktop', size: { width: 820, height: 1180 } },
  { name: 'wide', on: 'desktop', size: { width: 3840, height: 2160 } },
  { name: 'forced', on: 'desktop', size: { width: 1440, height: 900 } },
  { name: 'forced-phone', on: 'phone', size: { width: 390, height: 844 } },
] as const;

async function take({ page, name }: { page: Page; name: string }) {
  await page.waitForLoadState('networkidle');
  // maps draw on the frames after their data, names after that
  await page.waitForTimeout(1500);
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

for (const { name, on, size } of manners) {
  test(name, async ({ page, user, owner }, { project }) => {
    // one project of each size is enough
    if (project.name !== on) return;
    test.setTimeout(240_000);
    await page.setViewportSize(size);
    if (name.startsWith('forced')) await page.emulateMedia({ forcedColors: 'active' });
    const { device, swarm } = await bearLongNames({ user, owner });
    const screens = {
      home: `/?sel=${device}`,
      device: `/devices/${device}`,
      swarms: '/swarms',
      members: `/swarms/${swarm}?sel=${device}`,
      board: `/swarms/${swarm}?tab=invitations`,
      settings: `/swarms/${swarm}?tab=settings`,
      inbox: '/invitations',
      invite: `/invite?swarm=${swarm}`,
      account: '/account',
      import: '/import',
      wall: `/swarms/${swarm}/map?sel=${device}`,
    };
    for (const [screen, url] of Object.entries(screens)) {
      await page.goto(url);
      await take({ page, name: `${name}-${screen}` });
    }
    await page.goto('/');
    await page.waitForLoadState('networkidle');
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('Donau');
    await take({ page, name: `${name}-palette` });
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await take({ page, name: `${name}-help` });
  });
}
