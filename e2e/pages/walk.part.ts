import type { Page } from 'playwright/test';
import { LayoutPart } from './layout.part.ts';

/** Fields of text that take a key. */
const fields =
  ':is(input:not([type]), input[type="text"], input[type="search"], input[type="url"], input[type="password"], input[inputmode], textarea):not([readonly], :disabled)';
const dialog = 'dialog[open]';
const buttons = 'main button:enabled:not([aria-haspopup="menu"])';
const menus = 'main [aria-haspopup="menu"]:enabled';
const menuItems = '[role="menu"] [role^="menuitem"]:not([aria-disabled])';

/** What is open: a page, or a menu or a dialog over it. `at`: the address, or the button that has opened it. */
interface Opened {
  area: 'main' | 'menu' | 'dialog';
  at: string;
}

/** Opens each menu and dialog of a page by its buttons and menus. */
export class WalkPart {
  readonly #page: Page;
  readonly #layout: LayoutPart;
  /** The buttons and menu items that were pressed, by their words. Those of two rows do the same. */
  readonly #pressed = new Set<string>();

  constructor(page: Page) {
    this.#page = page;
    this.#layout = new LayoutPart(page);
  }

  /** Calls `look` for the page, and for each menu and dialog that was not seen on a page before. */
  async walk(url: string, look: (opened: Opened) => Promise<void>): Promise<void> {
    await this.#open(url);
    await look({ area: 'main', at: url });
    const route = this.#route();
    const dialogs = this.#page.locator(dialog);
    // Menus of several pages have the same name and other items.
    const opened = new Set<string>();
    const seen = new Set<string>();
    let shown = await this.#names(`${buttons}, ${menus}`);
    let isNew = true;
    for (;;) {
      const button = await this.#pressNext(buttons, this.#pressed);
      const opener = button === null ? await this.#pressNext(menus, opened) : null;
      const isLeft = (name: string) => !this.#pressed.has(name) && !opened.has(name);
      if (button === null && opener === null) {
        // What was pressed may have hidden other buttons.
        if (isNew || !shown.some(isLeft)) return;
        await this.#open(url);
        shown = await this.#names(`${buttons}, ${menus}`);
        isNew = true;
        continue;
      }
      isNew = false;
      if (opener !== null && !seen.has(opener)) await look({ area: 'menu', at: opener });
      if (opener !== null) seen.add(opener);
      const item = opener === null ? null : await this.#pressNext(menuItems, this.#pressed);
      if (opener !== null && item === null) {
        await this.#page.keyboard.press('Escape');
        continue;
      }
      // The menu is opened again for its next item.
      if (opener !== null) opened.delete(opener);
      if ((await dialogs.count()) > 0) {
        await look({ area: 'dialog', at: item ?? button! });
        await this.#page.keyboard.press('Escape');
        await this.#settled();
      }
      // Opening a page takes most of the time of a walk.
      if ((await dialogs.count()) === 0 && this.#route() === route) continue;
      if (!shown.some(isLeft)) return;
      await this.#open(url);
      shown = await this.#names(`${buttons}, ${menus}`);
      isNew = true;
    }
  }

  /** The page that is open, without the filters of its list and the view of its map. */
  #route() {
    const { pathname, searchParams } = new URL(this.#page.url());
    return `${pathname} ${searchParams.get('tab') ?? ''}`;
  }

  async #open(url: string) {
    await this.#page.goto(url);
    await this.#layout.ready();
  }

  /** Waits for the effects of a key or a button. A part of the page begins to load a moment after it is opened. */
  async #settled() {
    const idle = () => this.#page.evaluate(() => scheduler.postTask(() => {}, { priority: 'background' }));
    await idle();
    await this.#layout.ready();
    await idle();
  }

  /** The names of those that are shown. */
  #names(selector: string): Promise<string[]> {
    return this.#page.locator(selector).evaluateAll(namesIn, null);
  }

  /** Presses the first one that was not pressed before, and returns its name. At once: the page may change after it was found. */
  async #pressNext(selector: string, pressed: Set<string>): Promise<string | null> {
    const [name = null] = await this.#page.locator(selector).evaluateAll(namesIn, [...pressed]);
    if (name === null) return null;
    pressed.add(name);
    await this.#settled();
    return name;
  }

  /** The labels of the fields of text in this area, and those whose first key does not count as unsaved input. */
  async typeIn(area: 'main' | 'dialog'): Promise<{ labels: string[]; missed: string[] }> {
    const missed: string[] = [];
    const labels: string[] = [];
    const all = this.#page
      .locator(area === 'main' ? 'main' : dialog)
      .last()
      .locator(fields);
    for (let index = 0; index < (await all.count()); index += 1) {
      const field = all.nth(index);
      const [label, isFilter] = await field.evaluate((input: HTMLInputElement, within) => {
        const words = input.getAttribute('aria-label') ?? input.labels?.[0]?.textContent ?? input.name;
        // What a list is filtered by is in the URL, and what is typed in a combobox only finds options.
        return [words, (within === 'main' && input.type === 'search') || input.role === 'combobox'] as const;
      }, area);
      if (isFilter) continue;
      labels.push(label);
      await field.focus();
      await this.#page.keyboard.press('7');
      if (!(await this.#page.evaluate(() => window.journeys.hasUnsavedInput()))) missed.push(label);
      await this.#page.keyboard.press('Backspace');
    }
    return { labels, missed };
  }
}

/** Runs in the page. Returns the names of the buttons; with `pressed`, presses the first one that is not among these, and returns its name. */
function namesIn(elements: Element[], pressed: string[] | null): string[] {
  const names: string[] = [];
  for (const element of elements as HTMLElement[]) {
    const words = element.getAttribute('aria-label') ?? (element.textContent || element.title);
    // Rows of a kind differ in numbers: only one of them is pressed.
    const name = words.replace(/\d.*$/, '').trim();
    // These would end the session of the journey, or leave for another host.
    const leaves = /sign out|end session|delete account|maps/i.test(name);
    if (name === '' || leaves || pressed?.includes(name) || !element.checkVisibility()) continue;
    names.push(name);
    if (!pressed) continue;
    element.click();
    break;
  }
  return names;
}
