import type { Page } from 'playwright/test';

/** The page Discover, and the page of a public swarm for a user who is not in it. */
export class DiscoverPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get heading() {
    return this.#page.getByRole('heading', { level: 1 });
  }

  /** From the page Swarms. */
  async show() {
    await this.#page.getByRole('link', { name: 'Discover' }).first().click();
  }

  async search(text: string) {
    await this.#page.getByRole('searchbox', { name: 'Search public swarms' }).fill(text);
  }

  async sortBy(order: 'Recently active' | 'Most members' | 'Name') {
    await this.#page.getByRole('combobox', { name: 'Order' }).selectOption(order);
  }

  get rows() {
    return this.#page.getByRole('region', { name: 'Public swarms' }).getByRole('listitem');
  }

  get nothing() {
    return this.#page.getByRole('heading', { name: /^No swarms match/ });
  }

  async open(name: string) {
    await this.#page.getByRole('link', { name, exact: true }).click();
  }

  /** On the page of a swarm. */
  get howToJoin() {
    return this.#page.getByRole('region', { name: 'How to join' });
  }

  text(text: string | RegExp) {
    return this.#page.getByRole('main').getByText(text);
  }

  async back() {
    await this.#page.getByRole('link', { name: 'Back to Discover' }).click();
  }
}
