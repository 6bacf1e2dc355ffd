import type { Page } from 'playwright/test';
import { savedFile } from './saved-file.ts';

/** The activity log: its page, and the box with its newest entries on other pages. */
export class ActivityPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get box() {
    return this.#page.getByRole('region', { name: 'Activity' });
  }

  get entries() {
    return this.#page.getByRole('list', { name: 'Activity' }).getByRole('listitem');
  }

  /** Returns the height of each name, in px. */
  nameHeights() {
    return this.entries.locator('bdi').evaluateAll((names) => names.map((name) => name.getBoundingClientRect().height));
  }

  async openGroup(text: string) {
    await this.entries
      .filter({ hasText: text })
      .first()
      .locator('summary')
      .click({ position: { x: 20, y: 10 } });
  }

  /** The user's own actions. */
  get changes() {
    return this.#page.getByRole('main').locator('li.action-line');
  }

  async openChanges() {
    await this.#page.goto('/activity?topic=changes');
  }

  /** The newest action with this text. */
  change(text: string) {
    const line = this.changes.filter({ hasText: text }).first();
    return {
      line,
      open: () => line.locator('summary').click({ position: { x: 20, y: 10 } }),
      undo: () => line.getByRole('button', { name: 'Undo…' }).click(),
      retry: () => line.getByRole('button', { name: 'Try the failed ones again' }).click(),
      showDevices: () => line.getByRole('link', { name: 'Show these devices' }).click(),
    };
  }

  get undoDialog() {
    return this.#page.getByRole('alertdialog', { name: /^Undo “/ });
  }

  async confirmUndo() {
    await this.undoDialog.getByRole('button', { name: 'Undo', exact: true }).click();
  }

  get empty() {
    return this.#page.getByRole('heading', { name: 'No activity matches these filters' });
  }

  /** Returns the lines of the exported file. */
  async exported() {
    const button = this.#page.getByRole('button', { name: 'Export' });
    const { text } = await savedFile({ page: this.#page, press: () => button.click() });
    return text.trimEnd().split('\r\n');
  }

  /** From the account. */
  async openAll() {
    await this.box.getByRole('link', { name: 'Show all' }).click();
  }

  async open() {
    await this.#page.goto('/activity');
  }

  async toggle(topic: string) {
    await this.#page.getByRole('group', { name: 'Topics' }).getByRole('button', { name: topic }).click();
  }
}
