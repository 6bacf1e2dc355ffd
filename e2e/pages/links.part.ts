import type { Page } from 'playwright/test';

/** The links to join a swarm, on the page of the swarm. */
export class LinksPart {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  row(name: string) {
    return this.#page.getByRole('list', { name: 'Links to join' }).getByRole('listitem').filter({ hasText: name });
  }

  get empty() {
    return this.#page.getByText('No links yet');
  }

  /** The dialog that makes a link. */
  get form() {
    return this.#page.getByRole('dialog', { name: 'Create a link to join' });
  }

  /** The dialog with the QR code of a link. */
  get shown() {
    return this.#page.getByRole('dialog', { name: /^Link / });
  }

  async begin() {
    await this.#page.getByRole('main').getByRole('button', { name: 'Create link' }).click();
  }

  async fill({ name, most = '' }: { name: string; most?: string }) {
    await this.form.getByRole('textbox', { name: 'Name' }).fill(name);
    await this.form.getByRole('textbox', { name: /^How many devices/ }).fill(most);
  }

  async submit() {
    await this.form.getByRole('button', { name: 'Create link' }).click();
  }

  error(text: string) {
    return this.form.getByText(text);
  }

  /** Copies the link of the open dialog. */
  async copy(): Promise<string> {
    await this.shown.getByRole('button', { name: 'Copy link' }).click();
    await this.shown.getByRole('button', { name: 'Copied' }).waitFor();
    return this.#page.evaluate(() => navigator.clipboard.readText());
  }

  async close() {
    await this.shown.getByRole('button', { name: 'Close' }).click();
  }

  async showJoined(name: string) {
    await this.row(name).getByRole('link').click();
  }

  /** The filter of the board by a link. */
  filter(name: string) {
    return this.#page.getByRole('button', { name: `Joined with the link ${name}` });
  }

  async end(name: string) {
    await this.row(name)
      .getByRole('button', { name: `End ${name}` })
      .click();
    await this.#page.getByRole('alertdialog').getByRole('button', { name: 'End', exact: true }).click();
  }
}
