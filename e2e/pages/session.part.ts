import type { Page } from 'playwright/test';

/** The messages about a session that expires soon or has expired. */
export class SessionPart {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** "Your session ends on …" */
  get announced() {
    return this.#page.getByRole('region', { name: 'Session' });
  }

  /** The sign-in dialog over the page: opened by the user, or because the session has expired. */
  dialog(title: 'Sign in again' | 'Your session has ended') {
    return this.#page.getByRole('dialog', { name: title });
  }

  get dialogs() {
    return this.#page.getByRole('dialog');
  }

  /** The computed colour behind the dialog. */
  async backdrop() {
    return this.dialogs.evaluate((dialog) => getComputedStyle(dialog, '::backdrop').backgroundColor);
  }

  error(text: string) {
    return this.dialogs.getByText(text);
  }

  get userName() {
    return this.dialogs.getByRole('textbox', { name: 'User name' });
  }

  /** Why a form was not saved. */
  get signedOutNote() {
    return this.#page.getByText('You are signed out.');
  }

  async useAnotherAccount() {
    await this.dialogs.getByRole('link', { name: 'Use another account' }).click();
  }

  /** Answers the question whether typed text may be lost. */
  async keepEditing() {
    await this.#page
      .getByRole('alertdialog', { name: 'Discard what you typed?' })
      .getByRole('button', { name: 'Keep editing' })
      .click();
  }

  async openLostPassword() {
    const opened = this.#page.waitForEvent('popup');
    await this.dialogs.getByRole('link', { name: 'I lost my password' }).click();
    return opened;
  }

  async renew() {
    await this.announced.getByRole('button', { name: 'Sign in again' }).click();
  }

  async signIn(password: string) {
    await this.dialogs.getByLabel('Password', { exact: true }).fill(password);
    await this.dialogs.getByRole('button', { name: 'Sign in', exact: true }).click();
  }
}
