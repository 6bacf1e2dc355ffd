import { randomBytes } from 'node:crypto';
import { stepsOn } from '../accessibility.ts';
import { expect, test } from '../fixtures.ts';
import { HomePage } from '../pages/home.page.ts';
import { NewPasswordPage } from '../pages/new-password.page.ts';
import { OperatorPage } from '../pages/operator.page.ts';
import { SignInPage } from '../pages/sign-in.page.ts';

test(
  'an operator finds a user, disables and enables the account, and sends a link for a new password',
  { tag: '@once' },
  async ({ page, browser, server, user, owner, account, step }) => {
    const operator = new OperatorPage(page);
    const key = await owner.createKey('Gateway 1');
    const statusOfKey = async () => {
      const answer = await fetch(`${server.origin}/service/resources`, { headers: { 'x-serviceapikey': key } });
      await answer.arrayBuffer();
      return answer.status;
    };
    await expect(statusOfKey()).resolves.toBe(200);

    await step('the account page of an operator leads to all users', async () => {
      const madeOperator = server.command('user', 'role', user.name, 'operator');
      await expect(madeOperator).resolves.toEqual({ code: 0, output: '' });
      await account.open();
      await operator.openFromAccount();
      await expect(operator.heading).toBeVisible();
      await expect(operator.stat('API keys')).toHaveText(/^\d/);
    });
    await step('a search finds the user', async () => {
      await operator.search(owner.name.slice(3));
      await expect(operator.rows).toHaveCount(1);
      await operator.show(owner.name);
      await expect(operator.dialog(owner.name)).toContainText('API keys');
      await expect(operator.action('Disable')).toBeVisible();
    });
    await step('a disabled user has no access', async () => {
      await operator.action('Disable').click();
      await expect(operator.question).toContainText('1 API key does not work until then');
      await operator.confirm('Disable');
      await expect(operator.action('Enable')).toBeVisible();
      await operator.close();
      await expect(operator.row(owner.name)).toContainText('Disabled');
      await expect.poll(statusOfKey).toBe(401);
    });
    await step('an enabled one has', async () => {
      await operator.disabledOnly.click();
      await expect(operator.row(owner.name)).toBeVisible();
      await operator.show(owner.name);
      await operator.action('Enable').click();
      await expect(operator.action('Disable')).toBeVisible();
      await operator.close();
      await expect(operator.none).toBeVisible();
      await expect.poll(statusOfKey).toBe(200);
      await operator.clearFilters();
      await operator.search(owner.name);
      await expect(operator.row(owner.name)).toBeVisible();
      await expect(operator.row(owner.name)).not.toContainText('Disabled');
    });

    let link = '';
    await step('the operator makes a link for a lost password', async () => {
      await operator.show(owner.name);
      await operator.action('Link for a new password').click();
      link = await operator.makeLink();
      expect(link).toContain('/sign-in#link=');
      await operator.finishLink();
    });
    const other = await (await browser.newContext()).newPage();
    const fresh = new NewPasswordPage(other);
    const signIn = new SignInPage(other);
    const password = randomBytes(12).toString('base64url');
    await stepsOn(other)('the user opens the link and chooses a password', async () => {
      await other.goto(link);
      await expect(fresh.heading).toBeVisible();
      await expect(fresh.text(owner.name)).toBeVisible();
      await fresh.choose('short');
      await expect(fresh.text('A password must have at least 8 characters.')).toBeVisible();
      await fresh.choose(password);
      await expect(fresh.done).toBeVisible();
    });
    await stepsOn(other)('signs in with it, and does not see the page of operators', async () => {
      await fresh.toSignIn();
      await signIn.signIn({ name: owner.name, password });
      await expect(new HomePage(other).firstRun).toBeVisible();
      await other.goto(`${server.origin}/operator`);
      await expect(new OperatorPage(other).forbidden).toBeVisible();
    });
    await stepsOn(other)('the link works once', async () => {
      await other.goto(link);
      await expect(fresh.gone).toBeVisible();
    });
    await other.context().close();
  },
);
