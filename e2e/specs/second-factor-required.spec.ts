import { codeOfApp } from '../authenticator-app.ts';
import { expect, test as base } from '../fixtures.ts';
import { GermanPage } from '../pages/german.page.ts';
import { PasskeysPage } from '../pages/passkeys.page.ts';
import { RequiredFactorPage } from '../pages/required-factor.page.ts';
import { SecondFactorPage } from '../pages/second-factor.page.ts';
import { startServer } from '../server.ts';

const startWithSecondFactor = () => startServer({ host: 'localhost', env: { SECOND_FACTOR: 'required' } });
const test = base.extend({ server: async ({ share }, use) => use(await share(startWithSecondFactor)) });

// one after the other: each worker would start this server
test.describe.configure({ mode: 'default' });
test.use({ mounted: false, signedIn: false, locale: 'de-DE' });

test('a server that requires a second factor shows nothing else until an app is set up', async ({
  page,
  user,
  step,
}) => {
  const german = new GermanPage(page);
  const required = new RequiredFactorPage(page);
  const second = new SecondFactorPage(page);
  let secret = '';
  await page.goto('/sign-in?next=/account');
  await german.signIn(user);
  await step('one page asks for it', async () => {
    await expect(required.heading).toBeFocused();
    await expect(required.buttons).toHaveText(['Passkey hinzufügen', 'Authenticator-App einrichten', 'Abmelden']);
    await expect(required.navigation).toHaveCount(0);
  });
  await step('it stays on another address', async () => {
    await page.goto('/swarms');
    await expect(required.heading).toBeVisible();
  });
  await step('with the app, the page goes on', async () => {
    await required.setUpApp();
    secret = await second.secret();
    await expect(async () => {
      await second.turnOn(codeOfApp(secret, { steps: 1 }));
      await expect(german.heading).toHaveText('Schwärme');
    }).toPass();
  });
  await step('the last one is not removed', async () => {
    await page.goto('/account');
    await second.remove();
    await expect(second.removing).toContainText('mindestens einen zweiten Anmeldeschritt');
    await second.keep();
  });
  await step('a sign-in with the code is not asked again', async () => {
    await second.signOut();
    await expect(german.heading).toHaveText('Anmelden');
    await page.goto('/sign-in?next=/account');
    await german.signIn(user);
    await second.enter(codeOfApp(secret));
    await expect(german.heading).toHaveText('Konto');
  });
});

test(
  'a passkey is the second factor, too, and is asked for after a password',
  { tag: '@long' },
  async ({ page, user, step }) => {
    const german = new GermanPage(page);
    const required = new RequiredFactorPage(page);
    const passkeys = new PasskeysPage(page);
    await passkeys.addAuthenticator();
    await page.goto('/sign-in?next=/account');
    await german.signIn(user);
    await step('it is added instead of being offered', async () => {
      await expect(required.heading).toBeFocused();
      await passkeys.add();
      await expect(german.heading).toHaveText('Konto');
    });
    await step('after a password it is shown', async () => {
      await passkeys.signOut();
      await expect(german.heading).toHaveText('Anmelden');
      await page.goto('/sign-in?next=/account');
      await german.signIn(user);
      await expect(required.buttons).toHaveText(['Bestätigen', 'Abmelden']);
      await required.confirmWithPasskey();
      await expect(german.heading).toHaveText('Konto');
    });
  },
);
