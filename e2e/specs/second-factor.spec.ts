import { codeOfApp } from '../authenticator-app.ts';
import { expect, test } from '../fixtures.ts';
import { GermanPage } from '../pages/german.page.ts';
import { SecondFactorPage } from '../pages/second-factor.page.ts';

test.use({ mounted: false, signedIn: false, locale: 'de-DE' });

test('a code of an authenticator app is asked for after the password', async ({ page, user, step }) => {
  const german = new GermanPage(page);
  const second = new SecondFactorPage(page);
  let secret = '';
  await page.goto('/sign-in?next=/account');
  await german.signIn(user);
  await expect(german.heading).toHaveText('Konto');
  await step('the app is set up with its first code', async () => {
    await second.setUp();
    secret = await second.secret();
    await second.turnOn('000000');
    await expect(second.code).toHaveAccessibleDescription(/Prüfe die Uhr/);
    await expect(second.code).toBeFocused();
    // The code before, so that the next one is left for the sign-in. It may end while it is typed.
    await expect(async () => {
      await second.turnOn(codeOfApp(secret, { steps: 1 }));
      await expect(second.box).toContainText('gibst du auch einen Code der App ein');
    }).toPass();
  });
  await step('the password alone does not sign in', async () => {
    await second.signOut();
    await german.signIn(user);
    await second.enter('000000');
    await expect(second.code).toHaveAccessibleDescription(/falsch oder wurde schon verwendet/);
    await second.enter(codeOfApp(secret));
    await expect(second.code).toHaveCount(0);
    await expect(page).not.toHaveURL(/sign-in/);
    await expect(german.heading).toHaveText('Bring dein erstes Gerät auf die Karte');
  });
  await step('without the app, the password is enough again', async () => {
    await page.goto('/account');
    await second.remove();
    await expect(second.box).toContainText('gibst du auch einen Code einer App auf deinem Telefon ein');
    await second.signOut();
    await german.signIn(user);
    await expect(page).not.toHaveURL(/sign-in/);
    await expect(german.heading).toHaveText('Bring dein erstes Gerät auf die Karte');
  });
});
