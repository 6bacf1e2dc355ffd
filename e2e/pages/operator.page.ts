import type { Page } from 'playwright/test';

/** The page of all users, for operators. */
export class OperatorPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get heading() {
    return this.#page.getByRole('heading', { level: 1, name: 'Users' });
  }

  get forbidden() {
    return this.#page.getByRole('heading', { name: 'Only operators see this page' });
  }

  get none() {
    return this.#page.getByRole('heading', { name: 'No users match' });
  }

  stat(name: string) {
    return this.#page.getByRole('region', { name: 'This server' }).getByRole('definition').and(this.#valueOf(name));
  }

  #valueOf(name: string) {
    return this.#page.locator('dt', { hasText: new RegExp(`^${name}$`) }).locator('xpath=following-sibling::dd');
  }

  get rows() {
    return this.#page.getByRole('region', { name: 'Users' }).getByRole('listitem');
  }

  row(name: string) {
    return this.rows.filter({ hasText: name });
  }

  dialog(name: string) {
    return this.#page.getByRole('dialog', { name });
  }

  /** In the dialog of a user. */
  action(name: 'Disable' | 'Enable' | 'End all sessions' | 'Link for a new password') {
    return this.#page.getByRole('dialog').getByRole('button', { name });
  }

  /** Follows the link of the account page. */
  async openFromAccount() {
    await this.#page.getByRole('link', { name: 'All users' }).click();
  }

  async search(name: string) {
    await this.#page.getByRole('searchbox', { name: 'Search by user name' }).fill(name);
  }

  get disabledOnly() {
    return this.#page.getByRole('button', { name: 'Disabled', exact: true });
  }

  async clearFilters() {
    const clear = this.#page.getByRole('button', { name: 'Clear filters' });
    await clear.click();
    // The address changes a moment later, and empties the search field.
    await clear.waitFor({ state: 'hidden' });
  }

  async show(name: string) {
    await this.#page.getByRole('button', { name: `Show ${name}` }).click();
  }

  get question() {
    return this.#page.getByRole('alertdialog');
  }

  async confirm(name: 'Disable' | 'End all sessions') {
    await this.question.getByRole('button', { name }).click();
  }

  /** Returns the link. */
  async makeLink(): Promise<string> {
    await this.#page.getByRole('alertdialog').getByRole('button', { name: 'Create the link' }).click();
    return this.#page.getByRole('dialog').getByLabel('Link', { exact: true }).inputValue();
  }

  /** Confirms that the link was copied, and closes its dialog. */
  async finishLink() {
    const dialog = this.#page.getByRole('dialog');
    await dialog.getByRole('checkbox').check();
    await dialog.getByRole('button', { name: 'Done' }).click();
  }

  async close() {
    await this.#page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  }
}
