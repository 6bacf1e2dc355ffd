import type { Page } from 'playwright/test';
import { checkHiddenInput } from './check-hidden-input.ts';
import { savedFile } from './saved-file.ts';

/** Recovery codes: after a sign-up, in Account, and when the password is lost. */
export class RecoveryPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** After a sign-up. */
  get heading() {
    return this.#page.getByRole('heading', { name: 'Store your recovery codes', level: 1 });
  }

  get codes() {
    return this.#page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  }

  download() {
    return savedFile({
      page: this.#page,
      press: () => this.#page.getByRole('button', { name: 'Download' }).click(),
    });
  }

  get box() {
    return this.#page.getByRole('region', { name: 'Recovery codes' });
  }

  get unstored() {
    return this.box.getByText('You have not confirmed that your recovery codes are stored.');
  }

  get #dialog() {
    return this.#page.getByRole('dialog');
  }

  async makeNew() {
    await this.box.getByRole('button', { name: 'Create new codes' }).click();
    await this.#page.getByRole('alertdialog').getByRole('button', { name: 'Create codes' }).click();
  }

  /** In the dialog: that the user has stored the codes. */
  get isStored() {
    return this.#dialog.getByRole('checkbox', { name: /stored the codes/ });
  }

  get shownTitle() {
    return this.#dialog.getByRole('heading', { name: 'Store your recovery codes' });
  }

  get doneButton() {
    return this.#dialog.getByRole('button', { name: 'Done' });
  }

  async confirmStored() {
    await checkHiddenInput(this.isStored);
    await this.doneButton.click();
  }

  get lostHeading() {
    return this.#page.getByRole('heading', { name: 'I lost my password' });
  }

  get noCode() {
    return this.#page.getByText('No recovery code? Ask the operator of this server for a link.');
  }

  async openLost() {
    await this.#page.getByRole('button', { name: 'I lost my password' }).click();
  }

  get code() {
    return this.#page.getByRole('textbox', { name: 'Recovery code' });
  }

  get newPassword() {
    return this.#page.getByLabel('New password', { exact: true });
  }

  async recover({ name, code, password }: { name: string; code: string; password: string }) {
    await this.#page.getByRole('textbox', { name: 'User name' }).fill(name);
    await this.code.fill(code);
    await this.newPassword.fill(password);
    await this.#page.getByRole('button', { name: 'Set password' }).click();
  }

  get done() {
    return this.#page.getByText('Your new password is set. The code can’t be used again.');
  }

  async toSignIn() {
    await this.#page.getByRole('button', { name: 'Sign in' }).click();
  }
}
