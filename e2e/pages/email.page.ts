import type { Page } from 'playwright/test';

/** The email address of a user: under Account, on the page of its link, and when the password is lost. */
export class EmailPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get row() {
    return this.#page.locator('.sign-in-row').filter({ hasText: /^(Email address|E-Mail-Adresse)/ });
  }

  get field() {
    return this.#page.getByRole('dialog').getByLabel('Email address', { exact: true });
  }

  async openForm(button: 'Add' | 'Change') {
    await this.row.getByRole('button', { name: button }).click();
  }

  async submit(address: string) {
    await this.field.fill(address);
    await this.#page.getByRole('dialog').getByRole('button', { name: 'Send email' }).click();
  }

  async remove() {
    await this.row.getByRole('button', { name: 'Remove the email address' }).click();
    await this.#page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  }

  get heading() {
    return this.#page.getByRole('heading', { name: 'Confirm your email address' });
  }

  async confirm() {
    await this.#page.getByRole('button', { name: 'Confirm address' }).click();
  }

  get confirmed() {
    return this.#page.getByText(/^The email address of .+ is confirmed\.$/);
  }

  async toAccount() {
    await this.#page.getByRole('link', { name: 'Account' }).click();
  }

  get sendLink() {
    return this.#page.getByRole('button', { name: 'Send me a link' });
  }

  get linkSent() {
    return this.#page.getByText(/^If .+ is the confirmed email address of an account, a link was sent to it\./);
  }
}
