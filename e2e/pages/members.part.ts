import type { Page } from 'playwright/test';

/** The selected members of a swarm. */
export class MembersPart {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  #row(name: string) {
    return this.#page.getByRole('table', { name: 'Members' }).getByRole('row').filter({ hasText: name });
  }

  /** The member that the map shows. */
  get current() {
    return this.#page.getByRole('table', { name: 'Members' }).locator('[aria-current]');
  }

  /** With the mouse by the checkboxes, which appear with the pointer. On a touch screen by taps. */
  async select(...names: string[]) {
    await this.#row(names[0] ?? '').waitFor();
    const isTouch = await this.#page.evaluate(() => matchMedia('(pointer: coarse)').matches);
    if (isTouch) await this.#page.getByRole('button', { name: 'Select members' }).click();
    for (const name of names) {
      const row = this.#row(name);
      // one row after the other, as a user does
      await row.hover();
      await (isTouch ? row.getByRole('button').first().click() : row.getByRole('checkbox').click());
    }
  }

  async undoRow(name: string) {
    await this.#row(name).getByRole('button', { name: 'Undo' }).click();
    await this.#page.mouse.move(0, 0);
  }
}
