import type { Page } from 'playwright/test';
import { HomePage } from './home.page.ts';

/** The selected devices of the home page. */
export class DeviceSelectionPart {
  readonly #page: Page;
  readonly #home: HomePage;

  constructor(page: Page) {
    this.#page = page;
    this.#home = new HomePage(page);
  }

  get bar() {
    return this.#page.getByRole('region', { name: 'Selection', exact: true });
  }

  /** How many of them the list does not show. */
  get hidden() {
    return this.bar.locator('.selection-hidden');
  }

  get count() {
    return this.bar.getByRole('status');
  }

  /** The button that selects all of so many. */
  all(total: number) {
    return this.bar.getByRole('button', { name: `All ${total}`, exact: true });
  }

  checkbox(name: string) {
    return this.#page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
  }

  /** As with the mouse: the checkbox appears when the pointer is over the row. */
  async toggle(name: string, options: { shift?: boolean } = {}) {
    await this.#home.row(name).hover();
    await this.checkbox(name).click(options.shift ? { modifiers: ['Shift'] } : {});
  }

  async choose(item: string | RegExp) {
    await this.#page.getByRole('button', { name: 'More' }).first().click();
    await this.#page.getByRole('menuitem', { name: item }).click();
  }

  async selectAll() {
    // They load with the first selection, and move the button.
    await this.bar.getByRole('button', { name: 'Actions' }).waitFor();
    await this.bar.getByRole('button', { name: /^All \d/ }).click();
  }

  async clear() {
    await this.bar.getByRole('button', { name: 'Clear selection' }).click();
  }

  /** Shift and a drag, over the middle of the free map. */
  async drawBox({ width, height }: { width: number; height: number }) {
    const middle = await this.#home.middleOfMap();
    const map = await this.#home.map.boundingBox();
    if (!map) throw new Error('the map is not there');
    const [x, y] = [map.x + middle.x, map.y + middle.y];
    await this.#page.keyboard.down('Shift');
    await this.#page.mouse.move(x - width / 2, y - height / 2);
    await this.#page.mouse.down();
    await this.#page.mouse.move(x, y, { steps: 3 });
    await this.#page.mouse.move(x + width / 2, y + height / 2, { steps: 3 });
    await this.#page.mouse.up();
    await this.#page.keyboard.up('Shift');
  }
}
