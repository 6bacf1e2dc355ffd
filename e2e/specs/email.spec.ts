import { randomBytes } from 'node:crypto';
import { expect, test as base } from '../fixtures.ts';
import { openMailServer, type MailServer } from '../mail-server.ts';
import { EmailPage } from '../pages/email.page.ts';
import { GermanPage } from '../pages/german.page.ts';
import { NewPasswordPage } from '../pages/new-password.page.ts';
import { RecoveryPage } from '../pages/recovery.page.ts';
import { startServer } from '../server.ts';

async function startWithMail() {
  const mailServer = await openMailServer();
  const env = {
    SMTP_URL: `smtp://127.0.0.1:${mailServer.port}?tls=off`,
    MAIL_FROM: 'Swarmdeck <swarmdeck@example.org>',
  };
  const server = await startServer({ host: 'localhost', env });
  const stop = async () => {
    await server.stop();
    await mailServer.close();
  };
  return { mailServer, server, stop };
}

const test = base.extend<{ mailServer: MailServer }>({
  mailServer: async ({ share }, use) => use((await share(startWithMail)).mailServer),
  server: async ({ share }, use) => use((await share(startWithMail)).server),
});

// one after the other: each worker would start this server
test.describe.configure({ mode: 'default' });

const newAddress = () => `forgetful-${randomBytes(5).toString('hex')}@example.org`;
const mailsTo = ({ received }: MailServer, address: string) => received.filter(({ to }) => to === address);

/** The mail with this number to this address. */
async function mailTo(mailServer: MailServer, address: string, index: number) {
  await expect.poll(() => mailsTo(mailServer, address).length).toBeGreaterThan(index);
  return mailsTo(mailServer, address)[index]!;
}
const linkIn = ({ text }: { text: string }) => /^http\S+$/m.exec(text)?.[0] ?? '';

test('a user confirms an email address, loses the password, and is back in by a link', async ({
  page,
  server,
  mailServer,
  user,
  account,
  signIn,
  home,
  step,
}) => {
  const email = new EmailPage(page);
  const recovery = new RecoveryPage(page);
  const newPassword = new NewPasswordPage(page);
  const address = newAddress();
  const password = 'a better password';
  await step('an address is added', async () => {
    await account.open();
    await expect(email.row).toContainText('You get an email when your password or another sign-in method changes');
    await email.openForm('Add');
    await email.submit('forgetful');
    await expect(email.field).toHaveAccessibleDescription('Enter an email address.');
    await email.submit(address);
    await expect(email.row).toContainText(`${address}Not confirmed yet.`);
  });
  await step('the link of an email confirms it', async () => {
    // Programs add to links, and rewrite them.
    await page.goto(`${linkIn(await mailTo(mailServer, address, 0))}).`);
    await expect(email.heading).toBeVisible();
    await email.confirm();
    await expect(email.confirmed).toContainText(user.name);
    await email.toAccount();
    await expect(email.row).toContainText(address);
    await expect(email.row).not.toContainText('Not confirmed yet.');
  });
  await step('who has lost the password has a link sent, and remembers only the address', async () => {
    await account.signOut();
    await recovery.openLost();
    await email.sendLink.click();
    await expect(signIn.userName).toBeFocused();
    await signIn.userName.fill(address);
    await email.sendLink.click();
    await expect(email.linkSent).toBeVisible();
  });
  await step('it sets a new password, once', async () => {
    const link = linkIn(await mailTo(mailServer, address, 1));
    await page.goto(`${link.replace('#', '?utm_source=mail#')}.`);
    await newPassword.choose(password);
    await expect(newPassword.done).toBeVisible();
    await newPassword.toSignIn();
    await signIn.signIn({ name: user.name, password });
    await expect(home.firstRun).toBeVisible();
    await page.goto(link);
    await expect(newPassword.gone).toContainText('Get a new one with “I lost my password”.');
  });
  await step('the address is removed', async () => {
    await account.open();
    await email.remove();
    await expect(email.row).not.toContainText(address);
  });
  const { output } = await server.command('doctor');
  expect(output).toContain('the mail server 127.0.0.1 answers');
});

test.describe('in German', () => {
  test.use({ locale: 'de-DE', mounted: false });

  test('the page and the email are in German', { tag: '@long' }, async ({ page, mailServer }) => {
    const email = new EmailPage(page);
    const german = new GermanPage(page);
    const address = newAddress();
    await page.goto('/account');
    await expect(email.row).toContainText('E-Mail-Adresse');
    await german.addAddress(address);
    await expect(email.row).toContainText('Noch nicht bestätigt.');
    expect((await mailTo(mailServer, address, 0)).text).toContain('hat diese E-Mail-Adresse für das Konto');
  });
});
