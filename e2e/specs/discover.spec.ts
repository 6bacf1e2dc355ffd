import { stepsOn } from '../accessibility.ts';
import { expect, test } from '../fixtures.ts';
import { DiscoverPage } from '../pages/discover.page.ts';
import { SignInPage } from '../pages/sign-in.page.ts';

test('an owner lists a public swarm, and others find it, also by a link while signed out', async ({
  browser,
  server,
  user,
  enter,
  swarm,
  step,
}) => {
  const made = await user.createSwarm({ name: 'Harbour weather', description: 'Wind on every quay', public: true });
  const mast = await user.add({ name: 'Secret mast', machine_type: 'bug' });
  await user.join(made, { resource_id: mast.id, resource_type: 'producer' });

  await step('the owner lists it', async () => {
    await swarm.open(made.id, '?tab=settings');
    await swarm.setting(/^Listed in Discover/).check();
    await swarm.save();
    await expect(swarm.main).toContainText('Saved');
  });

  const other = await enter();
  const discover = new DiscoverPage(other.page);
  await other.page.goto(`${server.origin}/swarms`);
  await other.step('another user finds it', async () => {
    await discover.show();
    await discover.search(`quay ${user.name}`);
    await expect(discover.rows).toHaveCount(1);
    await expect(discover.rows).toContainText(/Harbour weather by .*Wind on every quay.*1 member/s);
    await discover.sortBy('Most members');
    await expect(other.page).toHaveURL(/sort=-members/);
    await expect(discover.rows).toHaveCount(1);
  });
  await other.step('and sees what it is for, and none of its members', async () => {
    await discover.open('Harbour weather');
    await expect(discover.heading).toHaveText('Harbour weather');
    await expect(discover.text('Wind on every quay')).toBeVisible();
    await expect(discover.text(/^1 member · created .* · active/)).toBeVisible();
    await expect(discover.howToJoin).toBeVisible();
    await expect(discover.text('Secret mast')).toBeHidden();
  });

  const signedOut = await (await browser.newContext()).newPage();
  await stepsOn(signedOut)('a link leads there after sign-up', async () => {
    await signedOut.goto(`${server.origin}/discover?q=${user.name}`);
    const signIn = new SignInPage(signedOut);
    await signIn.showSignUp();
    await signIn.signUp({ name: `finder-${made.id.slice(-12)}`, password: 'a long enough password' });
    await signIn.storeCodes();
    await expect(new DiscoverPage(signedOut).rows).toContainText('Harbour weather');
  });
  await signedOut.context().close();

  await step('the owner makes it private', async () => {
    await swarm.setting(/^Public/).uncheck();
    await expect(swarm.setting(/^Listed in Discover/)).toBeHidden();
    await swarm.save();
    await expect(swarm.main).toContainText('Saved');
  });
  await other.page.goto(`${server.origin}/discover?q=${user.name}`);
  await expect(discover.nothing).toBeVisible();
});
