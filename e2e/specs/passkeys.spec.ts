import { expect, test as base } from '../fixtures.ts';
import { GermanPage } from '../pages/german.page.ts';
import { PasskeysPage } from '../pages/passkeys.page.ts';
import { startServer } from '../server.ts';

const startOnLocalhost = () => startServer({ host: 'localhost' });
const test = base.extend({ server: async ({ share }, use) => use(await share(startOnLocalhost)) });

// one after the other: each worker would start this server
test.describe.configure({ mode: 'default' });
test.use({ mounted: false, signedIn: false, locale: 'de-DE' });

test('a passkey is offered once, signs in without a name, and no longer when it is removed', async ({
  page,
  user,
  step,
}) => {
  const german = new GermanPage(page);
  const passkeys = new PasskeysPage(page);
  await passkeys.addAuthenticator();
  await step('after a sign-in with a password, a passkey is offered', async () => {
    await page.goto('/sign-in?next=/account');
    await german.signIn(user);
    await expect(passkeys.offer).toBeFocused();
    await passkeys.add();
    await expect(german.heading).toHaveText('Konto');
    await expect(passkeys.rows).toHaveCount(1);
    await expect(passkeys.rows).toContainText('nie verwendet');
  });
  await step('it gets another name', async () => {
    await passkeys.rename('Mein Telefon');
    await expect(passkeys.rows).toContainText('Mein Telefon');
  });
  await step('it signs in without a user name', async () => {
    await passkeys.signOut();
    await expect(german.heading).toHaveText('Anmelden');
    await passkeys.useOne.click();
    await expect(page).not.toHaveURL(/sign-in/);
    await page.goto('/account');
    await expect(passkeys.rows).toContainText('verwendet heute');
  });
  await step('a second one of the same device is refused', async () => {
    await passkeys.add();
    await expect(
      passkeys.error('Dieses Telefon oder dieser Computer hat schon einen Passkey für dein Konto.'),
    ).toBeVisible();
  });
  await step('what is removed does not sign in, and nothing is offered again', async () => {
    await passkeys.remove('Mein Telefon');
    await expect(passkeys.rows).toHaveCount(0);
    await passkeys.signOut();
    await passkeys.useOne.click();
    await expect(passkeys.error('Dieser Passkey gehört hier zu keinem Konto.')).toBeVisible();
    await german.signIn(user);
    await expect(page).not.toHaveURL(/sign-in/);
  });
});

test('the browser offers a passkey where the user name is typed, until the page is left', async ({
  page,
  user,
  step,
}) => {
  const german = new GermanPage(page);
  const passkeys = new PasskeysPage(page);
  await passkeys.addAuthenticator({ autofill: true });
  await step('without a passkey, the password signs in as before', async () => {
    await page.goto('/sign-in?next=/account');
    await expect(passkeys.userName).toHaveAttribute('autocomplete', 'username webauthn');
    await german.signIn(user);
    await passkeys.add();
    await expect(german.heading).toHaveText('Konto');
    await expect(passkeys.rows).toContainText('nie verwendet');
  });
  await step('what is chosen among the suggestions signs in', async () => {
    await page.context().clearCookies();
    await page.goto('/sign-in?next=/account');
    await expect(german.heading).toHaveText('Konto');
    await expect(passkeys.rows).toContainText('verwendet heute');
  });
});
