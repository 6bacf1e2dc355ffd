import type { Page } from 'playwright/test';
import { checkHiddenInput } from './check-hidden-input.ts';

export class AccountPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get heading() {
    return this.#page.getByRole('heading', { name: 'Account', level: 1 });
  }

  /** Finds a box of the page by its heading. */
  box(name: 'Profile' | 'API keys' | 'Sessions' | 'Activity' | 'Usage' | 'Webhook' | 'Preferences' | 'Delete account') {
    return this.#page.getByRole('region', { name });
  }

  get notifications() {
    return this.box('Preferences').getByRole('switch', { name: 'Notifications in this browser' });
  }

  get namesInNotifications() {
    return this.box('Preferences').getByRole('switch', { name: 'Show names in notifications' });
  }

  /** How much of a quota is used. */
  usage(quota: string) {
    return this.box('Usage').getByRole('listitem').filter({ hasText: quota });
  }

  boxHeading(name: 'API keys' | 'Sessions' | 'Webhook') {
    return this.box(name).getByRole('heading', { name, exact: true });
  }

  /** The link to the section that the page shows. Only on a desktop. */
  get currentSection() {
    return this.#page.getByRole('navigation', { name: 'On this page' }).locator('[aria-current]');
  }

  get discardQuestion() {
    return this.#page.getByRole('alertdialog', { name: 'Discard what you typed?' });
  }

  async discard() {
    await this.discardQuestion.getByRole('button', { name: 'Discard' }).click();
  }

  get keyDialog() {
    return this.#page.getByRole('dialog', { name: /^(Create an API key|Key “.*” is ready)$/ });
  }

  get webhookDialog() {
    return this.#page.getByRole('dialog', { name: /webhook/i });
  }

  async saveWebhook(button: 'Set up…' | 'Change…', address: string) {
    await this.box('Webhook').getByRole('button', { name: button }).click();
    await this.webhookDialog.getByLabel('Address').fill(address);
    await this.webhookDialog.getByRole('button', { name: 'Save' }).click();
  }

  get setUpWebhook() {
    return this.box('Webhook').getByRole('button', { name: 'Set up…' });
  }

  async backToSecret() {
    await this.webhookDialog.getByRole('button', { name: 'Back to the secret' }).click();
  }

  async confirmSecretKept() {
    await checkHiddenInput(this.webhookDialog.getByRole('checkbox', { name: /stored the secret/ }));
    await this.webhookDialog.getByRole('button', { name: 'Done' }).click();
  }

  async testWebhook() {
    await this.box('Webhook').getByRole('button', { name: 'Send a test' }).click();
  }

  async removeWebhook() {
    await this.box('Webhook').getByRole('button', { name: 'Remove' }).click();
    await this.#page
      .getByRole('alertdialog', { name: 'Remove the webhook?' })
      .getByRole('button', { name: 'Remove' })
      .click();
  }

  get passwordDialog() {
    return this.#page.getByRole('dialog', { name: 'Change password' });
  }

  get deleteDialog() {
    return this.#page.getByRole('dialog', { name: 'Delete your account?' });
  }

  get revokeDialog() {
    return this.#page.getByRole('alertdialog', { name: /^Revoke/ });
  }

  get endButtons() {
    return this.box('Sessions').getByRole('button', { name: /^End session/ });
  }

  get sessions() {
    return this.box('Sessions').getByRole('listitem');
  }

  async open() {
    await this.#page.goto('/account');
  }

  get referenceLink() {
    return this.box('API keys').getByRole('link', { name: 'API reference' });
  }

  get createKeyButton() {
    return this.box('API keys').getByRole('button', { name: 'Create key' });
  }

  async createKey(name: string, scope?: string) {
    await this.createKeyButton.click();
    if (scope !== undefined) await checkHiddenInput(this.keyDialog.getByRole('radio', { name: scope }));
    await this.keyDialog.getByRole('textbox', { name: 'Name' }).fill(name);
    await this.keyDialog.getByRole('button', { name: 'Create key' }).click();
  }

  /** The commands in the dialog that try the key: the first lists the devices, the second moves one. */
  curlLines() {
    return this.keyDialog.getByText(/^curl /).allTextContents();
  }

  async backToKey() {
    await this.keyDialog.getByRole('button', { name: 'Back to the key' }).click();
  }

  async confirmKept() {
    await checkHiddenInput(this.keyDialog.getByRole('checkbox', { name: /stored the key/ }));
    await this.keyDialog.getByRole('button', { name: 'Done' }).click();
  }

  async revoke(name: string) {
    await this.box('API keys')
      .getByRole('button', { name: `Revoke ${name}` })
      .click();
  }

  async confirmRevoking() {
    await this.revokeDialog.getByRole('button', { name: 'Revoke' }).click();
  }

  /** The session of the browser with this name. */
  async endSession(browser: string) {
    await this.endButtons.and(this.#page.getByRole('button', { name: new RegExp(browser) })).click();
  }

  async endAllOthers() {
    await this.box('Sessions').getByRole('button', { name: 'End all other sessions' }).click();
  }

  async signOut() {
    await this.#page.getByRole('button', { name: 'Sign out' }).click();
  }

  /** While something waits to be sent, it asks. */
  async confirmSignOut() {
    const question = this.#page.getByRole('alertdialog', { name: 'Sign out without sending?' });
    await question.getByRole('button', { name: 'Sign out' }).click();
  }

  async startChangingPassword() {
    await this.box('Profile').getByRole('button', { name: 'Change password' }).click();
  }

  async changePassword({ current, fresh }: { current: string; fresh: string }) {
    await this.passwordDialog.getByLabel('Current password', { exact: true }).fill(current);
    await this.passwordDialog.getByLabel('New password', { exact: true }).fill(fresh);
    await this.passwordDialog.getByRole('button', { name: 'Change password' }).click();
  }

  passwordError(text: string) {
    return this.passwordDialog.getByText(text);
  }

  theme(name: 'Light' | 'Dark' | 'System') {
    return this.box('Preferences').getByRole('radio', { name });
  }

  async chooseTheme(name: 'Light' | 'Dark' | 'System') {
    await checkHiddenInput(this.theme(name));
  }

  async startDeleting() {
    await this.#page.getByRole('button', { name: 'Delete account…' }).click();
  }

  async confirmDeleting({ name }: { name: string }) {
    await this.deleteDialog.getByRole('textbox', { name: 'Enter your user name' }).fill(name);
    await this.deleteDialog.getByRole('button', { name: 'Delete account' }).click();
  }

  /** The validation message. */
  get deleteError() {
    return this.deleteDialog.getByText(/is not your user name/);
  }
}
