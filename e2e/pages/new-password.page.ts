import type { Page } from 'playwright/test';

/** The page of an operator's link. */
export class NewPasswordPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get heading() {
    return this.#page.getByRole('heading', { name: 'Choose a new password' });
  }

  text(text: string | RegExp) {
    return this.#page.getByText(text);
  }

  get done() {
    return this.#page.getByText('Your new password is set.');
  }

  get gone() {
    return this.#page.getByText(/^This link can’t be used\. It has ended or was used before\./);
  }

  async choose(password: string) {
    await this.#page.getByLabel('New password', { exact: true }).fill(password);
    await this.#page.getByRole('button', { name: 'Set password' }).click();
  }

  async toSignIn() {
    await this.#page.getByRole('link', { name: 'Sign in' }).click();
  }
}
