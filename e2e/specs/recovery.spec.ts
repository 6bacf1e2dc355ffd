import { randomBytes } from 'node:crypto';
import { expect, test } from '../fixtures.ts';
import { RecoveryPage } from '../pages/recovery.page.ts';

test.use({ signedIn: false });

test('a new user stores recovery codes, loses the password, and is back in with one of them', async ({
  page,
  signIn,
  home,
  shell,
  account,
  step,
}) => {
  const recovery = new RecoveryPage(page);
  const person = { name: `forgetful-${randomBytes(5).toString('hex')}`, password: 'correct horse battery' };
  const password = 'a better password';
  let codes: string[] = [];
  await step('a sign-up shows ten codes once', async () => {
    await signIn.open({ next: '/account' });
    await signIn.showSignUp();
    await expect(signIn.password).toHaveAccessibleDescription(/You get recovery codes next/);
    await signIn.signUp(person);
    await expect(recovery.heading).toBeFocused();
    await expect(recovery.codes).toHaveCount(10);
    codes = await recovery.codes.allTextContents();
    const file = await recovery.download();
    expect(file.name).toBe(`recovery-codes-${person.name}.txt`);
    for (const code of codes) expect(file.text).toContain(code);
  });
  await step('who leaves them is reminded in every session, until they are stored', async () => {
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await expect(recovery.unstored).toBeVisible();
    await account.signOut();
    await signIn.signIn(person);
    await expect(page).toHaveURL('/account#recovery');
    await expect(recovery.unstored).toBeVisible();
    await recovery.makeNew();
    await expect(recovery.codes).toHaveCount(10);
    codes = await recovery.codes.allTextContents();
    await recovery.confirmStored();
    await expect(recovery.unstored).toBeHidden();
  });
  await step('Account says how many are left', async () => {
    await expect(recovery.box).toContainText('10 codes left');
    await account.signOut();
    await expect(signIn.heading).toHaveText('Sign in');
  });
  await step('without a code, the operator helps', async () => {
    await signIn.userName.fill(person.name);
    await recovery.openLost();
    await expect(recovery.lostHeading).toBeVisible();
    await expect(signIn.userName).toHaveValue(person.name);
    await expect(page).toHaveURL(/\/sign-in\?.*lost=1/);
    await expect(recovery.noCode).toBeVisible();
  });
  await step('a wrong code is refused, and what was typed stays', async () => {
    await recovery.recover({ name: person.name, code: 'a guess', password });
    await expect(recovery.code).toHaveAccessibleDescription(/Wrong user name or recovery code/);
    await expect(recovery.code).toBeFocused();
    await expect(recovery.newPassword).toHaveValue(password);
  });
  await step('a code sets a new password', async () => {
    await recovery.recover({ name: person.name, code: codes[0]!.toUpperCase().replaceAll('-', ' '), password });
    await expect(recovery.done).toBeVisible();
    await recovery.toSignIn();
    await signIn.signIn({ name: person.name, password });
    await expect(home.firstRun).toBeVisible();
    await shell.goTo('Account');
    await expect(recovery.box).toContainText('9 codes left');
  });
  await step('new codes replace all', async () => {
    await recovery.makeNew();
    await expect(recovery.codes).toHaveCount(10);
    await recovery.confirmStored();
    await expect(recovery.codes).toHaveCount(0);
    await expect(recovery.box).toContainText('10 codes left');
  });
});
