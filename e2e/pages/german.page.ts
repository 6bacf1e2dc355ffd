import type { Page } from 'playwright/test';

/** The parts of the sign-in page, the inbox and the account page that the German journey uses. */
export class GermanPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get language() {
    return this.#page.getByRole('combobox', { name: /^(Language|Sprache)$/ });
  }

  get html() {
    return this.#page.locator('html');
  }

  get heading() {
    return this.#page.getByRole('heading', { level: 1 });
  }

  async chooseLanguage(name: 'Systemstandard' | 'Deutsch') {
    await this.language.selectOption({ label: name });
  }

  /** Under Account. */
  async addAddress(address: string) {
    const row = this.#page.locator('.sign-in-row').filter({ hasText: 'E-Mail-Adresse' });
    await row.getByRole('button', { name: 'Hinzufügen' }).click();
    const dialog = this.#page.getByRole('dialog');
    await dialog.getByLabel('E-Mail-Adresse', { exact: true }).fill(address);
    await dialog.getByRole('button', { name: 'E-Mail senden' }).click();
  }

  async signIn({ name, password }: { name: string; password: string }) {
    await this.#page.getByRole('textbox', { name: 'Benutzername' }).fill(name);
    await this.#page.getByLabel('Passwort', { exact: true }).fill(password);
    await this.#page.getByRole('button', { name: 'Anmelden', exact: true }).click();
  }

  error(text: string) {
    return this.#page.getByText(text);
  }

  row(device: string) {
    return this.#page.getByRole('row').or(this.#page.getByRole('listitem')).filter({ hasText: device });
  }

  async answer(device: string, answer: 'Annehmen' | 'Rückgängig') {
    await this.row(device)
      .getByRole('button', { name: new RegExp(`^${answer}`) })
      .first()
      .click();
  }
}
