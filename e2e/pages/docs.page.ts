import type { Page } from 'playwright/test';

/** The API reference. */
export class DocsPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get heading() {
    return this.#page.getByRole('heading', { level: 1 });
  }

  get sections() {
    return this.#page.getByRole('group');
  }

  /** Finds an entry by its summary: an operation's path, or the name of a schema. */
  section(title: string) {
    return this.sections.filter({ has: this.#page.locator('summary', { hasText: new RegExp(`^${title}( |$)`) }) });
  }

  async open() {
    await this.#page.goto('/docs');
  }

  async unfold(title: string) {
    await this.section(title).locator('summary').click();
  }

  async unfoldAll() {
    await this.sections.evaluateAll((all) => all.forEach((each) => each.setAttribute('open', '')));
  }

  async goToShape(within: string, name: string) {
    await this.section(within).getByRole('link', { name }).first().click();
  }
}
