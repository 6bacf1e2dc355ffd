import type { Account } from '@swarmdeck/bff/contract';
import { expect, test } from '../fixtures.ts';
import { AccountPage } from '../pages/account.page.ts';
import { SessionPart } from '../pages/session.part.ts';
import { SignInPage } from '../pages/sign-in.page.ts';

const gauge = { name: 'Tide gauge', machine_type: 'bug' } as const;

test(
  'an expired session is renewed in a dialog over the page, and typed text stays',
  { tag: '@once' },
  async ({ context, page, user, device, step }) => {
    const session = new SessionPart(page);
    const { id } = await user.add(gauge);
    await step('it expires while the user types, and saving asks to sign in', async () => {
      // no automatic request may discover the expired session
      const live = page.waitForResponse((response) => response.url().includes('/api/events'));
      await device.open(id);
      await live;
      await device.form.name.fill('Tide gauge north');
      await context.clearCookies();
      await device.save();
      await expect(session.dialog('Your session has ended')).toBeVisible();
      await expect(session.userName).toHaveValue(user.name);
      await expect.poll(() => session.backdrop(), 'the page behind cannot be read').toMatch(/^rgb\(/);
    });
    await step('another account asks before typed text is lost, and a lost password has its own tab', async () => {
      await session.useAnotherAccount();
      await session.keepEditing();
      const tab = await session.openLostPassword();
      await expect(tab).toHaveURL(/lost=1/);
      await tab.close();
    });
    await step('a wrong password is reported in the dialog', async () => {
      await session.signIn('not the password');
      await expect(session.error('Wrong user name or password.')).toBeVisible();
    });
    await step('the page is unchanged and is saved', async () => {
      await session.signIn(user.password);
      await expect(session.dialogs).toHaveCount(0);
      await expect(device.form.name).toHaveValue('Tide gauge north');
      await expect(page).toHaveURL(`/devices/${id}`);
      await expect(session.signedOutNote, 'of the save that failed').toHaveCount(0);
      await device.save();
      await expect(device.heading).toHaveText('Tide gauge north');
      await expect(device.changedFields).toHaveCount(0);
    });
  },
);

test(
  'signing out in another tab covers a half-edited form, which stays, and closes the other pages',
  { tag: ['@once', '@page'] },
  async ({ context, page, user, device, step }) => {
    const session = new SessionPart(page);
    const { id } = await user.add(gauge);
    let questions = 0;
    page.on('dialog', (dialog) => {
      questions += 1;
      void dialog.accept();
    });
    await device.open(id);
    await device.form.name.fill('Tide gauge north');
    const [second, third] = [await context.newPage(), await context.newPage()];
    for (const tab of [second, third]) await tab.goto('/account');
    await step('the user signs out in another tab', async () => {
      await new AccountPage(second).signOut();
      await expect(second).toHaveURL('/sign-in');
      await expect(third).toHaveURL('/sign-in');
      await expect(session.dialog('Your session has ended')).toContainText('Your input is still here');
      await expect(session.dialog('Your session has ended')).toContainText(/You signed out (now|[\w ]+ ago)/);
    });
    await step('another user, who creates an account in another tab, does not see the page', async () => {
      const signIn = new SignInPage(second);
      await signIn.showSignUp();
      const read = page.waitForResponse((response) => response.url().endsWith('/api/account') && response.ok());
      await signIn.signUp({ name: `${user.name}-next`, password: user.password });
      await read;
      await expect(session.dialog('Your session has ended')).toBeVisible();
      // The codes are still shown: no tab offers to create others.
      await expect(third).toHaveURL('/');
      await signIn.storeCodes();
      await expect(session.dialog('Your session has ended')).toBeVisible();
    });
    await step('after the first user signs in again, the input is saved', async () => {
      await session.signIn(user.password);
      await expect(session.dialogs).toHaveCount(0);
      await device.save();
      await expect(device.heading).toHaveText('Tide gauge north');
    });
    await step('the other pages go on by themselves', async () => {
      for (const tab of [second, third]) await expect(tab).not.toHaveURL(/sign-in/);
    });
    await step('without input, the page is closed by the next sign-out', async () => {
      await third.goto('/account');
      await new AccountPage(third).signOut();
      await expect(page).toHaveURL('/sign-in');
    });
    expect(questions).toBe(0);
  },
);

test(
  'a session that expires within a day is announced and renewed without leaving the page',
  { tag: '@once' },
  async ({ page, user, device, step }) => {
    const session = new SessionPart(page);
    const { id } = await user.add(gauge);
    // the 180 days end in twelve hours
    await page.route('**/api/account', async (route) => {
      const answer = await route.fetch();
      const account = (await answer.json()) as Account;
      const session_expires_at = new Date(Date.now() + 12 * 3_600_000).toISOString();
      await route.fulfill({ response: answer, json: { ...account, session_expires_at } });
    });
    await step('the announcement is on every page', async () => {
      await device.open(id);
      await expect(session.announced).toContainText('Your session ends on');
      await device.form.name.fill('Tide gauge north');
    });
    await step('signing in again is a dialog over the page', async () => {
      await session.renew();
      await expect(session.dialog('Sign in again')).toBeVisible();
    });
    await step('the announcement is hidden, and the typed text stays', async () => {
      await page.unroute('**/api/account');
      await session.signIn(user.password);
      await expect(session.dialogs).toHaveCount(0);
      await expect(session.announced).toHaveCount(0);
      await expect(device.form.name).toHaveValue('Tide gauge north');
      await expect(device.form.name, 'the focus before').toBeFocused();
    });
  },
);
