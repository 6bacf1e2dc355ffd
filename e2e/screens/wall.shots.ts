import { join } from 'node:path';
import type { MemberRole } from '@swarmdeck/bff/contract';
import type { Page } from 'playwright/test';
import { test } from '../fixtures.ts';
import { harbourFleet } from '../fleet.ts';
import type { User } from '../user.ts';

const folder = join(import.meta.dirname, '../../screenshots');

test.beforeEach(async ({ context }, { project }) => {
  if (project.metadata['lang'] !== 'en-XR') return;
  await context.addInitScript(() => location.protocol === 'http:' && localStorage.setItem('lang', 'en-XR'));
});

async function harbourWeather(user: User) {
  const swarm = await user.createSwarm({ name: 'Harbour weather', description: 'Wind on every quay.', public: true });
  const devices = await user.addMany(harbourFleet());
  const roles: MemberRole[] = ['producer', 'producer', 'consumer', 'producer', 'both'];
  await Promise.all(
    devices.map(({ id }, at) => user.join(swarm, { resource_id: id, resource_type: roles[at % roles.length]! })),
  );
  return { swarm: swarm.id, sel: devices[150]!.id };
}

async function take({ page, name }: { page: Page; name: string }) {
  await page.waitForLoadState('load');
  // the map draws on the frames after its data, names after that
  await page.waitForTimeout(3500);
  await page.screenshot({ path: join(folder, `${name}-${test.info().project.name}.png`) });
}

test('the wall', async ({ page, user, wall }) => {
  const { swarm, sel } = await harbourWeather(user);
  await wall.open({ swarm, sel, follow: '1' });
  await take({ page, name: 'wall' });
  await wall.open({ colour: 'changed', machine_type: '' });
  await take({ page, name: 'wall-off' });
  await wall.open({ map: '10/53.5/10' });
  await take({ page, name: 'wall-near' });
});

test('the wall on a large screen', async ({ page, user, wall }, { project }) => {
  if (project.name.startsWith('desktop')) await page.setViewportSize({ width: 3840, height: 2160 });
  const { swarm, sel } = await harbourWeather(user);
  await wall.open({ swarm, sel, follow: '1', colour: 'changed' });
  await take({ page, name: 'wall-4k' });
});
