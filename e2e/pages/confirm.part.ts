import type { Page } from 'playwright/test';

/** The question whether it is the user. */
export class ConfirmPart {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** The next change at this path is refused as after ten minutes. The page may read it meanwhile. */
  async expireAt(path: string) {
    let isOver = false;
    await this.#page.route(
      (url) => url.pathname === path,
      (route) => {
        if (isOver || route.request().method() === 'GET') return route.fallback();
        isOver = true;
        return route.fulfill({
          status: 403,
          headers: { 'x-swarmdeck': 'journey', 'content-type': 'application/problem+json' },
          body: JSON.stringify({ code: 'session.confirm' }),
        });
      },
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
