import type { Page } from 'playwright/test';

/** The page of a server that requires a second factor, in German. */
export class RequiredFactorPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get heading() {
    return this.#page.getByRole('heading', { name: 'Zweiten Anmeldeschritt hinzufügen' });
  }

  /** What only the app has. */
  get navigation() {
    return this.#page.getByRole('navigation');
  }

  get buttons() {
    return this.#page.getByRole('main').getByRole('button');
  }

  async setUpApp() {
    await this.#page.getByRole('button', { name: 'Authenticator-App einrichten' }).click();
  }

  async confirmWithPasskey() {
    await this.#page.getByRole('main').getByRole('button', { name: 'Bestätigen' }).click();
    await this.#page.getByRole('dialog').getByRole('button', { name: 'Bestätigen' }).click();
  }
}
