import { randomBytes } from 'node:crypto';
import { expect, test } from '../fixtures.ts';
import { answer } from '../intercept-requests.ts';
import { HomePage } from '../pages/home.page.ts';
import { SignInPage } from '../pages/sign-in.page.ts';

const somebody = () => ({ name: `new-${randomBytes(5).toString('hex')}`, password: 'correct horse battery' });

test.describe('a signed-out user', () => {
  test.use({ signedIn: false });

  test(
    'signs up, signs out in every tab, and signs in again',
    { tag: ['@once', '@page'] },
    async ({ context, page, signIn, shell, home, account, step }) => {
      const person = somebody();
      await step('every page leads to the sign-in page', async () => {
        await page.goto('/');
        await expect(signIn.heading).toHaveText('Sign in');
      });
      await step('signing up needs a user name and a password, and names the invalid field', async () => {
        await signIn.showSignUp();
        await signIn.signUp({ name: 'x', password: 'short' });
        await expect(signIn.userName).toHaveAccessibleDescription(/3 to 32/);
        await expect(signIn.password).toHaveAttribute('aria-invalid', 'true');
        await expect(signIn.userName).toBeFocused();
      });
      await step('a new account is empty and says what to do', async () => {
        await signIn.signUp(person);
        await signIn.storeCodes();
        await expect(home.firstRun).toBeVisible();
        expect(new URL(page.url()).pathname).toBe('/');
        await expect(shell.main).toBeFocused();
      });
      await step('the account page shows the user name', async () => {
        await shell.goTo('Account');
        await expect(account.box('Profile')).toContainText(person.name);
      });
      await step('signing out leads to the sign-in page, and pages are private again', async () => {
        const other = await context.newPage();
        await other.goto('/');
        await expect(new HomePage(other).firstRun).toBeVisible();
        await account.signOut();
        const otherSignIn = new SignInPage(other);
        await expect(otherSignIn.heading).toHaveText('Sign in');
        await expect(otherSignIn.userName).toHaveValue('');
        await other.close();
        await expect(signIn.heading).toHaveText('Sign in');
        await page.goto('/account');
        await expect(signIn.heading).toHaveText('Sign in');
      });
      await step('signing in leads to the requested page', async () => {
        await expect(signIn.nextNote).toContainText('Account');
        await signIn.signIn(person);
        await expect(account.heading).toBeVisible();
        await expect(page).toHaveURL('/account');
        await expect(shell.main).toBeFocused();
      });
    },
  );

  test(
    'signs up again after an answer was lost, and has new codes and one session',
    { tag: ['@long', '@once'] },
    async ({ context, page, signIn, home, account, step }) => {
      const person = somebody();
      let isLost = true;
      await page.route('**/auth/sign-up', async (route) => {
        if (!isLost) return route.fallback();
        isLost = false;
        await route.fetch();
        // The browser has not got the cookie.
        await context.clearCookies();
        return route.abort('connectionclosed');
      });
      await step('the answer is lost', async () => {
        await page.goto('/sign-in?new=1');
        await signIn.signUp(person);
        await expect(signIn.error(/may have been created/)).toBeVisible();
      });
      await step('the next try shows the codes', async () => {
        await signIn.signUp(person);
        await signIn.storeCodes();
        await expect(home.firstRun).toBeVisible();
      });
      await step('there is one session', async () => {
        await page.goto('/account');
        await expect(account.sessions).toHaveCount(1);
      });
    },
  );

  for (const [when, remembered] of [
    ['at the first visit', null],
    ['after a session has ended', 'yes'],
  ] as const) {
    test(
      `signing in on the way to a page shows no error, ${when}`,
      { tag: ['@long', '@once', '@page'] },
      async ({ page, signIn, home, user, step }) => {
        const errors = await home.watchErrors();
        await page.addInitScript((value) => {
          if (value && !sessionStorage.getItem('began')) localStorage.setItem('signed_in', value);
          sessionStorage.setItem('began', 'yes');
        }, remembered);
        await step('the page leads to the sign-in page', async () => {
          await page.goto('/');
          await expect(signIn.heading).toHaveText('Sign in');
          await expect(signIn.endedNote).toHaveCount(remembered ? 1 : 0);
        });
        await step('after signing in, the page has its data and has shown no error', async () => {
          const failed: string[] = [];
          page.on('response', (response) => {
            if (response.status() === 401) failed.push(response.url());
          });
          await signIn.signIn(user);
          await expect(home.firstRun).toBeVisible();
          await expect(errors()).resolves.toEqual([]);
          expect(failed).toEqual([]);
        });
      },
    );
  }

  test(
    'a tab that is still loading follows a sign-out in another tab',
    { tag: ['@long', '@once', '@page'] },
    async ({ context, account, signIn, user }) => {
      await signIn.open({ next: '/account' });
      await signIn.signIn(user);
      const other = await context.newPage();
      const read = Promise.withResolvers<void>();
      const signedOut = Promise.withResolvers<void>();
      await other.route('**/api/account', async (route) => {
        const response = await route.fetch();
        read.resolve();
        await signedOut.promise;
        await route.fulfill({ response });
      });
      await other.goto('/');
      await expect(new HomePage(other).firstRun).toBeVisible();
      await read.promise;
      await account.signOut();
      await expect(signIn.heading).toHaveText('Sign in');
      signedOut.resolve();
      await expect(new SignInPage(other).heading).toHaveText('Sign in');
      await expect(new SignInPage(other).userName).toHaveValue('');
    },
  );

  test(
    'the sign-in page requests and loads nothing that needs a session',
    { tag: ['@once', '@page'] },
    async ({ page, signIn, shell, layout, step }) => {
      const requested: string[] = [];
      page.on('request', (request) => requested.push(new URL(request.url()).pathname));
      await step('until everything has loaded', async () => {
        await page.clock.install();
        await signIn.open();
        await expect(signIn.heading).toHaveText('Sign in');
        // some parts load when no data has been requested for a moment, all others after 20 s
        await page.clock.runFor(30_000);
        await layout.ready();
        await expect(shell.undoToasts).not.toBeAttached();
        expect(requested.filter((path) => /^\/(api|service)\//.test(path))).toEqual([]);
      });
    },
  );

  test('an unknown page says so, and leads to the sign-in page', { tag: '@once' }, async ({ page, shell, signIn }) => {
    await page.goto('/nowhere');
    await expect(shell.heading).toHaveText('Page not found');
    await signIn.linkToIt.click();
    await expect(signIn.heading).toHaveText('Sign in');
    await expect(page).toHaveURL('/sign-in');
  });

  test(
    'creating an account has a URL: it survives a reload, and Back leads to signing in',
    { tag: '@once' },
    async ({ page, signIn }) => {
      await signIn.open({ next: '/swarms' });
      await signIn.showSignUp();
      await expect(signIn.heading).toHaveText('Create an account');
      await page.reload();
      await expect(signIn.heading).toHaveText('Create an account');
      await expect(signIn.nextNote).toContainText('Swarms');
      await page.goBack();
      await expect(signIn.heading).toHaveText('Sign in');
    },
  );

  test('a wrong password is rejected, and the typed text stays', { tag: '@once' }, async ({ signIn, user, step }) => {
    await step('the message does not say which of the two was wrong', async () => {
      await signIn.open();
      await signIn.signIn({ name: user.name, password: 'not the password' });
      await expect(signIn.error('Wrong user name or password.')).toBeVisible();
      await expect(signIn.userName).toHaveValue(user.name);
    });
    await step('the password can be shown', async () => {
      await signIn.showPassword();
      await expect(signIn.password).toHaveAttribute('type', 'text');
    });
  });

  test('a user name that is taken is rejected', { tag: '@once' }, async ({ signIn, user, step }) => {
    await step('the field says so', async () => {
      await signIn.open();
      await signIn.showSignUp();
      await signIn.signUp({ name: user.name.toUpperCase(), password: 'correct horse battery' });
      await expect(
        signIn.error('This user name is taken. If it is yours, sign in. Otherwise, choose another one.'),
      ).toBeVisible();
    });
  });

  test('no account can be created where registration is closed', { tag: '@once' }, async ({ page, signIn, step }) => {
    await page.route('**/auth/options', (route) =>
      answer(route, { sign_up: 'closed', passwords: true, passkeys: false, providers: [] }),
    );
    await step('the page says so', async () => {
      await signIn.open();
      await expect(signIn.error(/does not accept new accounts/)).toBeVisible();
      await expect(signIn.toSignUp).toHaveCount(0);
    });
  });

  test("the next parameter accepts only the app's own paths", { tag: '@once' }, async ({ page, signIn, user }) => {
    await signIn.open({ next: '//elsewhere.example/devices' });
    await signIn.signIn(user);
    await expect(signIn.heading).toBeHidden();
    expect(new URL(page.url()).pathname).toBe('/');
  });
});

test('a signed-in user can open all four pages', { tag: '@once' }, async ({ page, shell, step }) => {
  await page.goto('/');
  for (const [name, title] of [
    ['Swarms', 'Swarms'],
    ['Invitations', 'Invitations'],
    ['Account', 'Account'],
    ['Devices', 'Devices'],
  ] as const) {
    await step(name, async () => {
      await shell.goTo(name);
      await expect(shell.destination(name)).toHaveAttribute('aria-current', 'page');
      await expect(page).toHaveTitle(new RegExp(title));
      await expect(shell.heading).toBeVisible();
    });
  }
  await step('an unknown page links back', async () => {
    await page.goto('/nowhere');
    await expect(shell.heading).toHaveText('Page not found');
  });
});
