import type { Page } from 'playwright/test';

/** The authenticator app, in German: in Account, and at the sign-in. */
export class SecondFactorPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get box() {
    return this.#page.getByRole('region', { name: 'Anmeldemethoden' });
  }

  get dialog() {
    return this.#page.getByRole('dialog', { name: 'Authenticator-App einrichten' });
  }

  async setUp() {
    await this.box.getByRole('button', { name: 'Einrichten' }).click();
  }

  /** What is typed into an app that cannot scan. */
  async secret(): Promise<string> {
    return this.dialog.getByLabel('Oder gib diesen Schlüssel in die App ein').inputValue();
  }

  get code() {
    return this.#page.getByRole('textbox', { name: 'Code der App' });
  }

  async turnOn(code: string) {
    await this.code.fill(code);
    await this.dialog.getByRole('button', { name: 'Einschalten' }).click();
  }

  async enter(code: string) {
    await this.code.fill(code);
    await this.#page.getByRole('button', { name: 'Anmelden', exact: true }).click();
  }

  async signOut() {
    await this.#page.getByRole('button', { name: 'Abmelden' }).click();
  }

  get removing() {
    return this.#page.getByRole('alertdialog');
  }

  async keep() {
    await this.removing.getByRole('button', { name: 'Abbrechen' }).click();
  }

  async remove() {
    await this.box.getByRole('button', { name: 'Authenticator-App entfernen' }).click();
    await this.removing.getByRole('button', { name: 'Entfernen' }).click();
  }
}
