import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { expect, test } from '../fixtures.ts';
import { longName } from '../fleet.ts';

const folder = join(import.meta.dirname, '../../screenshots');

test.beforeEach(async ({ context }, { project }) => {
  if (project.metadata['lang'] !== 'en-XR') return;
  await context.addInitScript(() => location.protocol === 'http:' && localStorage.setItem('lang', 'en-XR'));
});

async function take({ page, name }: { page: Page; name: string }) {
  await page.waitForLoadState('networkidle');
  // maps draw on the frames after their data, names after that
  await page.waitForTimeout(2000);
  await page.screenshot({ path: join(folder, `${name}-${test.info().project.name}.png`) });
}

test('swarms of the demo', async ({ page, context, server, swarm }) => {
  const headers = { origin: server.origin };
  await context.request.post('/api/demo', { headers });
  const owned = await (await context.request.get('/api/swarms')).json();
  await page.goto('/');
  await take({ page, name: 'home-demo' });
  await page.goto('/swarms');
  await take({ page, name: 'swarms' });
  const harbour = (owned as { id: string; name: string; user_id: string }[]).find(({ name }) => /harbour/i.test(name));
  if (!harbour) throw new Error('the demo has no harbour');
  await swarm.open(harbour.id);
  await take({ page, name: 'swarm-members' });
  const members = await context.request.get(`/api/swarms/${harbour.id}/resources`);
  const [, member] = (await members.json()) as { resource_id: string }[];
  await swarm.open(harbour.id, `?sel=${member?.resource_id}`);
  await take({ page, name: 'swarm-members-selected' });
  await swarm.open(harbour.id, '?tab=settings');
  await take({ page, name: 'swarm-settings' });
  await swarm.open(harbour.id, '?tab=invitations');
  await take({ page, name: 'swarm-board-demo' });
  await page.goto('/invitations');
  await take({ page, name: 'inbox-demo' });
  await page.goto('/invitations?tab=sent');
  await take({ page, name: 'inbox-sent' });
});

test('invite', async ({ page, user, owner, invite }, { project }) => {
  const harbour = await user.createSwarm({ name: 'Harbour weather', description: '', public: true });
  const devices = await owner.addMany(
    ['Pier 4 anemometer', 'Fairway buoy', 'Lock gate 2', longName].map((name) => ({ name, machine_type: 'bug' })),
  );
  const [pier, buoy, lock, late] = devices.map(({ id }) => `${owner.name}/${id}`);
  await invite.open();
  await take({ page, name: 'invite-empty' });
  if (project.metadata['lang'] === 'en-XR') return;
  await user.invite(harbour, { to: owner.name, resource_id: devices[1]!.id, resource_type: 'producer' });
  await invite.open(`?swarm=${harbour.id}`);
  const link = `${page.url().split('/invite')[0]}/invite?to=${owner.name}&resource=${devices[2]!.id}`;
  await invite.enterCodes([pier, buoy, link, lock, pier, `${owner.name} 5510be7e`, late].join('\n'));
  await invite.message.fill('Wind and visibility for the pilots’ board. You can leave at any time.');
  await take({ page, name: 'invite' });
  await invite.sendButton.click();
  await expect(invite.result).toBeVisible();
  await take({ page, name: 'invite-sent' });
});

test('discover, links, join, and all users', async ({ page, server, user, owner, swarm }) => {
  const description = 'Levels from every pier, every ten minutes.';
  for (const name of [longName, 'محطة الطقس 4', 'River levels']) {
    const listed = await owner.createSwarm({ name, description, public: true });
    await owner.changeSwarm(listed, { listed: true });
  }
  const own = await user.createSwarm({ name: longName, description, public: true });
  await user.addMany([longName, 'محطة الطقس 4', 'Silo sensor 5'].map((name) => ({ name, machine_type: 'bug' })));
  const link = await owner.createLink(await owner.createSwarm({ name: 'محطات', description, public: true }));
  await user.createLink(own);
  await page.goto('/discover');
  await take({ page, name: 'discover' });
  await page.goto(new URL(link.url).pathname);
  await take({ page, name: 'join' });
  for (const tab of ['links', 'settings']) {
    await swarm.open(own.id, `?tab=${tab}`);
    await take({ page, name: `swarm-${tab}-long` });
  }
  await server.command('user', 'role', user.name, 'operator');
  await page.goto('/operator');
  await take({ page, name: 'operator' });
});
