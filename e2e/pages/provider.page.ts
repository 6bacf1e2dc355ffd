import type { Page } from 'playwright/test';

/** A provider of single sign-on: its own pages, and what the app shows of it, in German. */
export class ProviderPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  link(label: string) {
    return this.#page.getByRole('link', { name: `Mit ${label} anmelden` });
  }

  /** Signs in at the provider as this user, and agrees. The provider comes back by itself. */
  async signInThere(name: string) {
    await this.#page.getByPlaceholder('Enter any login').fill(name);
    await this.#page.getByPlaceholder('and password').fill('x');
    await this.#page.getByRole('button', { name: 'Sign-in' }).click();
    await this.#page.getByRole('button', { name: 'Continue' }).click();
  }

  get signOutThere() {
    return this.#page.getByRole('button', { name: 'Yes, sign me out' });
  }

  get name() {
    return this.#page.getByRole('textbox', { name: 'Benutzername' });
  }

  async create() {
    await this.#page.getByRole('button', { name: 'Konto erstellen' }).click();
  }

  get codes() {
    return this.#page.getByRole('list', { name: 'Wiederherstellungscodes' }).getByRole('listitem');
  }

  async storedCodes() {
    await this.#page.getByRole('button', { name: 'Ich habe sie gespeichert' }).click();
  }

  /** Of the account page. */
  row(label: string) {
    return this.#page.getByRole('list', { name: 'Anbieter' }).getByRole('listitem').filter({ hasText: label });
  }

  async change(label: string, to: 'verbinden' | 'trennen') {
    await this.#page.getByRole('button', { name: `${label} ${to}` }).click();
  }

  get profile() {
    return this.#page.getByRole('region', { name: 'Profil' });
  }

  message(text: string) {
    return this.#page.getByText(text);
  }

  async confirm({ password }: { password: string }) {
    await this.#page.getByRole('dialog').getByLabel('Passwort').fill(password);
    await this.#page.getByRole('dialog').getByRole('button', { name: 'Bestätigen' }).click();
  }

  get refusal() {
    return this.#page.getByRole('alert').filter({ hasText: /./ });
  }

  async signOut() {
    await this.#page.getByRole('button', { name: 'Abmelden' }).click();
  }
}
