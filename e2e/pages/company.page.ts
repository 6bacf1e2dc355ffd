import type { Page } from 'playwright/test';

/** The sign-in of a proxy (gate.ts), on another site. */
export class CompanyPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get heading() {
    return this.#page.getByRole('heading', { name: 'The company' });
  }

  async signIn() {
    await this.#page.getByRole('link', { name: 'Sign in' }).click();
  }
}
