import type { Page } from 'playwright/test';

/** The command palette, and the help on keys and gestures. */
export class PalettePart {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Its class is the theme. */
  get page() {
    return this.#page.locator('html');
  }

  get dialog() {
    return this.#page.getByRole('dialog', { name: 'Jump to' });
  }

  get field() {
    return this.#page.getByRole('combobox', { name: 'Jump to' });
  }

  get chosen() {
    return this.dialog.getByRole('option', { selected: true });
  }

  get problem() {
    return this.dialog.getByText(/could not be searched/);
  }

  /** The number of results, as announced to screen readers. */
  get count() {
    return this.dialog.getByRole('status');
  }

  /** The last line on a desk. */
  get foot() {
    return this.dialog.locator('.palette-foot');
  }

  group(name: 'Devices' | 'Swarms' | 'Views' | 'Places' | 'On this page' | 'Actions' | 'More') {
    return this.dialog.getByRole('group', { name });
  }

  get devices() {
    return this.group('Devices').getByRole('option');
  }

  get places() {
    return this.group('Places').getByRole('option');
  }

  option(name: string | RegExp) {
    return this.dialog.getByRole('option', { name });
  }

  /** The highlighted part of an option's name. */
  marked(name: string | RegExp) {
    return this.option(name).locator('b');
  }

  /** Opens the palette by the search field of the navigation; on a phone by the search button or the field on the map. */
  async open() {
    await this.#page.getByRole('button', { name: 'Jump to…' }).filter({ visible: true }).click();
    await this.field.waitFor();
  }

  async openByKey() {
    await this.#page.keyboard.press('ControlOrMeta+k');
    await this.field.waitFor();
  }

  async type(text: string) {
    await this.field.fill(text);
  }

  /** When the search has ended: its results move the rows, and a press that ends on another one is no click. */
  async choose(name: string | RegExp) {
    await this.count.filter({ hasNotText: 'Searching…' }).waitFor({ state: 'attached' });
    await this.option(name).click();
  }

  get help() {
    return this.#page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  }

  get touchHelp() {
    return this.#page.getByRole('dialog', { name: 'Help' });
  }

  helpSection(name: RegExp) {
    return this.help.getByRole('region', { name });
  }

  /** Every key in the help, with its heading and description. */
  async promised(): Promise<{ section: string; text: string; keys: string[] }[]> {
    return this.help.getByRole('region').evaluateAll((sections) =>
      sections.flatMap((section) =>
        [...section.querySelectorAll('dl > div')].map((row) => ({
          section: section.querySelector('h3')?.firstChild?.textContent?.trim() ?? '',
          text: row.querySelector('dt')?.textContent ?? '',
          keys: [...row.querySelectorAll('kbd')].map((key) => key.textContent ?? ''),
        })),
      ),
    );
  }

  async openHelpFromAccount() {
    await this.#page.getByRole('button', { name: /^(Show all|Help: gestures and symbols)$/ }).click();
  }

  /** The switch on the account page. */
  get shortcuts() {
    return this.#page.getByRole('switch', { name: 'Keyboard shortcuts' });
  }

  async retry() {
    await this.problem.getByRole('button', { name: 'Retry' }).click();
  }

  get singleKeys() {
    return this.help.getByRole('switch', { name: 'Single-key shortcuts' });
  }
}
