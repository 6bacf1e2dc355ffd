import { randomBytes } from 'node:crypto';
import { expect, test as base } from '../fixtures.ts';
import { GermanPage } from '../pages/german.page.ts';
import { ProviderPage } from '../pages/provider.page.ts';
import { startProvider, type Provider } from '../provider.ts';
import { startServer } from '../server.ts';

async function startWithProvider() {
  const provider = await startProvider();
  const { issuer, clientId, clientSecret, allow } = provider;
  const server = await startServer({
    host: 'localhost',
    env: {
      OIDC_HOME_ISSUER: issuer,
      OIDC_HOME_CLIENT_ID: clientId,
      OIDC_HOME_CLIENT_SECRET: clientSecret,
      OIDC_HOME_LABEL: 'Zuhause',
      // Nothing listens at this port.
      OIDC_WORK_ISSUER: 'http://127.0.0.1:9',
      OIDC_WORK_CLIENT_ID: clientId,
      OIDC_WORK_CLIENT_SECRET: clientSecret,
      OIDC_WORK_LABEL: 'Arbeit',
    },
  });
  await allow(server.origin);
  // The server waits for a provider for five seconds, which may be short on a busy machine, and remembers its description.
  const isKnown = async () =>
    (await fetch(`${server.origin}/auth/oidc/home`, { redirect: 'manual' })).headers
      .get('location')
      ?.startsWith(issuer);
  await expect.poll(isKnown).toBe(true);
  const stop = async () => {
    await server.stop();
    provider.stop();
  };
  return { provider, server, stop };
}

const test = base.extend<{ provider: Provider }>({
  provider: async ({ share }, use) => use((await share(startWithProvider)).provider),
  server: async ({ share }, use) => use((await share(startWithProvider)).server),
  providerOrigin: async ({ provider }, use) => use(provider.issuer),
});

// one after the other: each worker would start this server
test.describe.configure({ mode: 'default' });
test.use({ mounted: false, signedIn: false, locale: 'de-DE' });

const newName = () => `anna-${randomBytes(4).toString('hex')}`;

test('a newcomer comes by a provider, chooses a name, signs out there, and comes again', async ({ page, step }) => {
  const german = new GermanPage(page);
  const provider = new ProviderPage(page);
  const there = newName();
  const name = newName();
  await step('the provider knows who it is, and a name is chosen', async () => {
    await page.goto('/sign-in?next=/account');
    await provider.link('Zuhause').click();
    await provider.signInThere(there);
    await expect(german.heading).toHaveText('Wähle einen Benutzernamen');
    await expect(provider.name).toHaveValue(there);
    await provider.name.fill('x');
    await provider.create();
    await expect(provider.name).toBeFocused();
    await provider.name.fill(name);
    await provider.create();
    await expect(provider.codes).toHaveCount(10);
  });
  await step('after ten recovery codes comes the page that was asked for', async () => {
    await provider.storedCodes();
    await expect(german.heading).toHaveText('Konto');
    await expect(provider.profile).toContainText(name);
  });
  await step('the only way to sign in stays', async () => {
    await expect(provider.row('Zuhause')).toContainText('verbunden');
    await provider.change('Zuhause', 'trennen');
    await expect(provider.message('Das ist dein letzter Weg')).toBeVisible();
  });
  await step('a sign-out goes to the provider, and back', async () => {
    await provider.signOut();
    await provider.signOutThere.click();
    await expect(german.heading).toHaveText('Anmelden');
  });
  await step('the same user of the provider is the same user here', async () => {
    await provider.link('Zuhause').click();
    await provider.signInThere(there);
    await expect(page).not.toHaveURL(/sign-in/);
    await page.goto('/account');
    await expect(provider.profile).toContainText(name);
  });
});

test('a user links a provider, and unlinks it', { tag: '@long' }, async ({ page, user, step }) => {
  const german = new GermanPage(page);
  const provider = new ProviderPage(page);
  await page.goto('/sign-in?next=/account');
  await german.signIn(user);
  await step('after the sign-in there, it is linked', async () => {
    await provider.change('Zuhause', 'verbinden');
    await provider.signInThere(newName());
    await expect(german.heading).toHaveText('Konto');
    await expect(provider.row('Zuhause')).toContainText('verbunden');
  });
  await step('it signs in without being asked again there', async () => {
    await page.context().clearCookies({ domain: 'localhost' });
    await page.goto('/sign-in?next=/account');
    await provider.link('Zuhause').click();
    await expect(german.heading).toHaveText('Konto');
    await expect(provider.profile).toContainText(user.name);
  });
  await step('it is unlinked', async () => {
    // The provider knew the browser: that is no confirmation.
    await provider.change('Zuhause', 'trennen');
    await provider.confirm(user);
    await expect(provider.row('Zuhause')).toContainText('Nicht verbunden');
  });
});

test('a provider that is down refuses its own users, and the others sign in', async ({ page, user }) => {
  const german = new GermanPage(page);
  const provider = new ProviderPage(page);
  await page.goto('/sign-in?next=/swarms');
  await provider.link('Arbeit').click();
  await expect(provider.refusal).toHaveText(/^Arbeit: Der Anbieter ist nicht erreichbar/);
  await german.signIn(user);
  await expect(german.heading).toHaveText('Schwärme');
});
