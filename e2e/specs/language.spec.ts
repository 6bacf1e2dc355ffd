import { runPending } from '../actions.ts';
import { inviteDevices } from '../invitations.ts';
import { expect, test } from '../fixtures.ts';
import { GermanPage } from '../pages/german.page.ts';

test.use({ mounted: false });

test(
  'the language is chosen before sign-in, and the app is then in German',
  { tag: '@once' },
  async ({ page, user, owner, step }) => {
    const german = new GermanPage(page);
    await inviteDevices({ user, owner, names: ['Silo sensor 5'] });
    await page.context().clearCookies();
    await step('English is the default of an English browser', async () => {
      await page.goto('/sign-in?next=/invitations');
      await expect(german.heading).toHaveText('Sign in');
      await expect(german.html).toHaveAttribute('lang', 'en');
    });
    await step('the sign-in page changes to German and keeps the next page', async () => {
      await german.chooseLanguage('Deutsch');
      await expect(german.heading).toHaveText('Anmelden');
      await expect(german.html).toHaveAttribute('lang', 'de');
      await expect(german.html).toHaveAttribute('dir', 'ltr');
    });
    await step('a problem is in German', async () => {
      await german.signIn({ name: user.name, password: 'not the password' });
      await expect(german.error('Benutzername oder Passwort ist falsch.')).toBeVisible();
    });
    await step('the inbox is in German', async () => {
      await german.signIn(user);
      await expect(german.heading).toHaveText('Einladungen');
      await expect(german.row('Silo sensor 5')).toContainText(`Einladung von ${owner.name}`);
    });
    await step('an invitation is accepted, undone and accepted', async () => {
      await german.answer('Silo sensor 5', 'Annehmen');
      await expect(german.row('Silo sensor 5')).toContainText('Wird angenommen …');
      await german.answer('Silo sensor 5', 'Rückgängig');
      await expect(german.row('Silo sensor 5')).not.toContainText('Wird angenommen');
      await german.answer('Silo sensor 5', 'Annehmen');
      await runPending(page.request);
      await expect(german.row('Silo sensor 5')).toContainText('Angenommen');
    });
    // text-size.spec.ts visits all pages in German
    await step('the account page returns to the language of the system', async () => {
      await page.goto('/account');
      await expect(german.heading).toHaveText('Konto');
      await german.chooseLanguage('Systemstandard');
      await expect(german.heading).toHaveText('Account');
      await expect(german.html).toHaveAttribute('lang', 'en');
      await expect(german.language).toBeFocused();
    });
  },
);
