import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '../fixtures.ts';
import { ConfirmPart } from '../pages/confirm.part.ts';
import { AccountPage } from '../pages/account.page.ts';
import { SignInPage } from '../pages/sign-in.page.ts';

/** Runs a line for the shell. `curl` is the tests' stand-in, since not every machine has it. */
async function shell(line: string): Promise<string> {
  const standIns = join(import.meta.dirname, '../../bff/src/tests/bin');
  const path = [standIns, dirname(process.execPath), process.env['PATH']].join(':');
  const { stdout } = await promisify(execFile)('sh', ['-c', line], { env: { ...process.env, PATH: path } });
  return stdout;
}

test(
  'a key is shown once, works from the shell and stops working when it is revoked',
  { tag: '@once' },
  async ({ page, server, user, account, step }) => {
    const gauge = await user.add({ name: 'Tide gauge', machine_type: 'bug', description: 'At the quay' });
    let curl = '';
    let move = '';
    await step('there are no keys yet', async () => {
      await account.open();
      await expect(account.box('API keys')).toContainText('No API keys yet');
      await expect(account.referenceLink).toHaveAttribute('href', '/docs');
      await expect(account.box('Usage')).toContainText(/Devices1 of 100,000.*API keys0 of 100/);
    });
    await step('a key needs a name that can be read', async () => {
      await account.createKey('');
      await expect(account.keyDialog).toContainText('Enter a name.');
      await page.keyboard.press('Escape');
      await account.createKey('tide\u0007gauge');
      await expect(account.keyDialog).toContainText('Remove the control characters.');
    });
    await step('Esc and Back do not discard typed text without a question', async () => {
      await page.goBack();
      await expect(account.discardQuestion).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(account.discardQuestion).toBeHidden();
      await expect(account.keyDialog).toBeVisible();
      await page.keyboard.press('Escape');
      await account.discard();
      await expect(account.keyDialog).toBeHidden();
    });
    await step('its commands for the shell work as shown, and moving a device changes nothing else', async () => {
      await account.createKey('tide gauge');
      await expect(account.keyDialog).toHaveAccessibleName(/is ready/);
      [curl = '', move = ''] = await account.curlLines();
      await expect(shell(curl)).resolves.toContain('Tide gauge');
      await shell(move.replace('DEVICE_ID', gauge.id));
      await expect(user.devices()).resolves.toMatchObject([
        { name: 'Tide gauge', description: 'At the quay', position: { longitude: 13.4, latitude: 52.5 } },
      ]);
    });
    await step('closing the dialog before the key is copied asks for confirmation', async () => {
      await page.keyboard.press('Escape');
      await expect(account.keyDialog).toContainText('Key not stored yet?');
    });
    await step('the list shows the end of the key only', async () => {
      await account.backToKey();
      await account.confirmKept();
      await expect(account.keyDialog).toBeHidden();
      await expect(account.box('API keys')).toContainText('tide gauge');
      const key = /swb_\w+/.exec(curl)?.[0] ?? '';
      await expect(account.box('API keys')).toContainText(`ends in ${key.slice(-4)}`);
      await page.reload();
      await expect(account.box('API keys')).toContainText('tide gauge');
      await expect.poll(() => page.content()).not.toContain(key);
      expect(server.log()).not.toContain(key);
    });
    await step('revoking asks for confirmation', () => account.revoke('tide gauge'));
    await step('the revoked key is rejected', async () => {
      await account.confirmRevoking();
      await expect(account.box('API keys')).toContainText('No API keys yet');
      await expect(account.boxHeading('API keys'), 'the focus of the removed button').toBeFocused();
      await expect(account.box('Activity')).toContainText('You revoked the API key tide gauge');
      await expect(shell(curl)).resolves.not.toContain('Tide gauge');
    });
  },
);

test(
  'a key that only reads is chosen, and shows what it was refused',
  { tag: ['@long', '@once'] },
  async ({ page, user, account }) => {
    const gauge = await user.add({ name: 'Tide gauge', machine_type: 'bug' });
    await account.open();
    await account.createKey('board', 'Read only');
    await expect(account.keyDialog).toHaveAccessibleName(/is ready/);
    const [curl = '', ...others] = await account.curlLines();
    expect(others).toEqual([]);
    await expect(shell(curl)).resolves.toContain('Tide gauge');
    await expect(shell(`${curl}/${gauge.id} -X DELETE`)).resolves.toContain('This key has the scope read');
    await account.confirmKept();
    await expect(account.box('API keys')).toContainText('Read only');
    await page.reload();
    await expect(account.box('API keys')).toContainText(/failed .*: destroyResource is not allowed/);
  },
);

test(
  'the first use of a key appears without a reload',
  { tag: ['@long', '@once'] },
  async ({ server, user, account }) => {
    const key = await user.createKey('spare');
    await account.open();
    await expect(account.box('API keys')).toContainText('never');
    await fetch(`${server.origin}/service/resources`, { headers: { 'x-serviceapikey': key } });
    await expect(account.box('API keys')).toContainText('today');
  },
);

test(
  'a webhook is set up, tested, changed and removed',
  { tag: ['@long', '@once'] },
  async ({ page, account, step }) => {
    const box = account.box('Webhook');
    await step('it needs an address', async () => {
      await account.open();
      await account.saveWebhook('Set up…', 'ftp://example.org');
      await expect(account.webhookDialog).toContainText('Enter an address that begins with https:// or http://.');
      await page.keyboard.press('Escape');
      await account.discard();
      await expect(account.webhookDialog).toBeHidden();
    });
    await step('its secret is shown once', async () => {
      await account.saveWebhook('Set up…', 'http://127.0.0.1:9/hook');
      await expect(account.webhookDialog).toHaveAccessibleName('The webhook is ready');
      await page.keyboard.press('Escape');
      await expect(account.webhookDialog).toContainText('Secret not stored yet?');
      await account.backToSecret();
      await account.confirmSecretKept();
      await expect(account.webhookDialog).toBeHidden();
      await expect(box).toContainText('http://127.0.0.1:9/hook');
      await expect(box).toContainText('Nothing was sent yet.');
    });
    await step('a test says what became of it', async () => {
      await account.testWebhook();
      await expect(box).toContainText('The address is in a private network.');
    });
    await step('it gets another address and another secret', async () => {
      await account.saveWebhook('Change…', 'https://example.org/hook');
      await account.confirmSecretKept();
      await expect(box).toContainText('https://example.org/hook');
    });
    await step('nothing of it is left after it is removed', async () => {
      await account.removeWebhook();
      await expect(box).toContainText('The server can send your notifications to a web address');
      await expect(account.boxHeading('Webhook'), 'the focus of the removed button').toBeFocused();
      await page.reload();
      await expect(account.setUpWebhook).toBeEnabled();
    });
  },
);

test(
  'ending one session keeps the others, and ending the others keeps this one',
  { tag: ['@long', '@once'] },
  async ({ browser, page, server, user, account, step }) => {
    const agents = {
      Firefox: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      Edge: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0',
    };
    const enter = async (userAgent: string) => {
      const context = await browser.newContext({ baseURL: server.origin, userAgent });
      const there = await context.newPage();
      const signIn = new SignInPage(there);
      await signIn.open({ next: '/account' });
      await signIn.signIn(user);
      await expect(new AccountPage(there).heading).toBeVisible();
      return { context, page: there, signIn };
    };
    const [revoked, current] = [await enter(agents.Firefox), await enter(agents.Edge)];

    await step('it leaves the list', async () => {
      await account.open();
      await expect(account.box('Sessions')).toContainText('this session');
      await expect(account.endButtons).toHaveCount(2);
      await expect(account.endButtons.first()).toHaveAccessibleName(/^End session: .+, signed in/);
      await account.endSession('Firefox');
      await expect(account.endButtons).toHaveCount(1);
      await expect(account.box('Sessions')).not.toContainText('Firefox');
    });
    await revoked.page.reload();
    await expect(revoked.signIn.heading).toHaveText('Sign in');
    await current.page.reload();
    await expect(new AccountPage(current.page).heading).toBeVisible();
    await step('the others end, and this one stays', async () => {
      await account.endAllOthers();
      await expect(account.endButtons).toHaveCount(0);
      await expect(account.boxHeading('Sessions'), 'the focus of the removed button').toBeFocused();
      await page.reload();
      await expect(account.heading).toBeVisible();
    });
    await current.page.reload();
    await expect(current.signIn.heading).toHaveText('Sign in');
    await Promise.all([revoked.context.close(), current.context.close()]);
  },
);

test('the menu of the page marks the section in view', { tag: '@once' }, async ({ page, account }) => {
  await account.open();
  await expect(account.currentSection).toHaveText('Profile');
  await page.goto('/account#recovery');
  await expect(account.currentSection).toHaveText('Recovery codes');
  await account.box('Preferences').scrollIntoViewIfNeeded();
  await expect(account.currentSection).not.toHaveText('Profile');
});

test('the password is changed', { tag: '@once' }, async ({ page, user, account, signIn, step }) => {
  const fresh = 'another long password';
  await account.open();
  await step('not without the current password', async () => {
    await account.startChangingPassword();
    await account.changePassword({ current: 'wrong password', fresh });
    await expect(account.passwordError('Wrong current password.')).toBeVisible();
  });
  await step('with the current password', async () => {
    await account.changePassword({ current: user.password, fresh });
    await expect(account.passwordDialog).toBeHidden();
  });
  await page.context().clearCookies();
  await signIn.open();
  await signIn.signIn({ name: user.name, password: user.password });
  await expect(signIn.error('Wrong user name or password.')).toBeVisible();
  await signIn.signIn({ name: user.name, password: fresh });
  await expect(signIn.heading).toBeHidden();
});

test('the theme is chosen and saved', { tag: '@once' }, async ({ page, account }) => {
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.emulateMedia({ colorScheme: 'light' });
  await account.open();
  await expect(account.heading).toBeVisible();
  const light = await background();
  await account.chooseTheme('Dark');
  await expect.poll(background).not.toBe(light);
  await page.reload();
  await expect(account.theme('Dark')).toBeChecked();
  await expect.poll(background).not.toBe(light);
  await account.chooseTheme('System');
  await expect.poll(background).toBe(light);
});

test(
  'the account is deleted after its name is typed, and the user has confirmed that it is them',
  { tag: '@once' },
  async ({ page, server, user, account, signIn, step }) => {
    await user.add({ name: 'Tide gauge', machine_type: 'bug' });
    const key = await user.createKey('tide gauge');
    await account.open();
    await step('the dialog says what will be deleted', async () => {
      await account.startDeleting();
      await expect(account.deleteDialog).toContainText('1 device');
    });
    await step('another name is rejected', async () => {
      await account.confirmDeleting({ name: 'somebody-else' });
      await expect(account.deleteError).toContainText('user name');
    });
    const confirm = new ConfirmPart(page);
    await step('a wrong password is rejected', async () => {
      await confirm.expireAt('/api/account');
      await account.confirmDeleting(user);
      await expect(confirm.password).toBeFocused();
      await confirm.confirm('wrong password');
      await expect(confirm.password).toHaveAccessibleDescription('Wrong password.');
      await expect(confirm.password).toBeFocused();
    });
    await confirm.confirm(user.password);
    await expect(signIn.heading).toHaveText('Sign in');
    await expect(signIn.deletedNote).toBeVisible();
    const answer = await fetch(`${server.origin}/service/resources`, { headers: { 'x-serviceapikey': key } });
    expect(answer.status).toBe(401);
    await signIn.showSignUp();
    await signIn.signUp(user);
    await expect(
      signIn.error('This user name is taken. If it is yours, sign in. Otherwise, choose another one.'),
    ).toBeVisible();
    await page.goto('/account');
    await expect(signIn.heading).toHaveText('Sign in');
  },
);

test(
  'going back before a new key is saved asks for confirmation',
  { tag: '@once' },
  async ({ page, shell, account, step }) => {
    await page.goto('/swarms');
    await shell.goTo('Account');
    await account.createKey('tide gauge');
    await expect(account.keyDialog).toHaveAccessibleName(/is ready/);
    await step('the key is still there after the question', async () => {
      // page.goBack() would wait for a page that does not load
      await page.evaluate(() => history.back());
      await expect(account.keyDialog).toContainText('Key not stored yet?');
      await expect(page).toHaveURL('/account');
      await account.backToKey();
      await expect.poll(async () => (await account.curlLines()).join()).toContain('swb_');
    });
    await account.confirmKept();
    await page.goBack();
    await expect(page).toHaveURL('/swarms');
  },
);

test('the stream of this browser counts as a live connection', { tag: '@once' }, async ({ account }) => {
  await account.open();
  await expect(account.usage('Live connections')).toHaveText(/1 of \d+$/);
});
