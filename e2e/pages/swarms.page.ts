import type { Page } from 'playwright/test';

/** The page Swarms: owned and joined swarms, and the dialog that creates one. */
export class SwarmsPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get heading() {
    return this.#page.getByRole('heading', { level: 1 });
  }

  get searchField() {
    return this.#page.getByRole('searchbox', { name: 'Search swarms' });
  }

  get createDialog() {
    return this.#page.getByRole('dialog', { name: 'Create a swarm' });
  }

  get nothing() {
    return this.#page.getByRole('heading', { name: /^No swarms (yet|match)/ });
  }

  get failure() {
    return this.#page.getByRole('alert').filter({ hasText: 'could not be loaded' });
  }

  async retry() {
    await this.failure.getByRole('button', { name: 'Retry' }).click();
  }

  table(name: 'Owned' | 'Managed' | 'Watched' | 'Joined') {
    return this.#page.getByRole('region', { name });
  }

  row(name: string) {
    return this.#page.getByRole('row').filter({ has: this.#page.getByRole('link', { name, exact: true }) });
  }

  nameOf(name: string) {
    return this.#page.getByRole('link', { name, exact: true });
  }

  async open(query = '') {
    await this.#page.goto(`/swarms${query}`);
  }

  get nameField() {
    return this.createDialog.getByRole('textbox', { name: 'Name' });
  }

  async startCreating() {
    await this.#page.getByRole('button', { name: 'Create swarm' }).first().click();
  }

  async fillIn({ name, description = '', open = false }: { name: string; description?: string; open?: boolean }) {
    await this.nameField.fill(name);
    await this.createDialog.getByRole('textbox', { name: /^Description/ }).fill(description);
    await this.createDialog.getByRole('switch', { name: /^Public/ }).setChecked(open);
  }

  async confirmCreating() {
    await this.createDialog.getByRole('button', { name: 'Create swarm' }).click();
  }

  async search(text: string) {
    await this.searchField.fill(text);
  }

  async visit(name: string) {
    await this.#page.getByRole('link', { name, exact: true }).click();
  }
}
