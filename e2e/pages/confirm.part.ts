import type { Page } from 'playwright/test';

/** The question whether it is the user. */
export class ConfirmPart {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** The next request to this path is refused as after ten minutes. */
  async expireAt(path: string) {
    await this.#page.route(
      (url) => url.pathname === path,
      (route) =>
        route.fulfill({
          status: 403,
          headers: { 'x-swarmdeck': 'journey', 'content-type': 'application/problem+json' },
          body: JSON.stringify({ code: 'session.confirm' }),
        }),
      { times: 1 },
    );
  }

  get dialog() {
    return this.#page.getByRole('dialog', { name: 'Confirm it’s you' });
  }

  get password() {
    return this.dialog.getByLabel('Your password', { exact: true });
  }

  async confirm(password: string) {
    await this.password.fill(password);
    await this.dialog.getByRole('button', { name: 'Confirm' }).click();
  }
}
