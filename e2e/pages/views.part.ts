import type { Page } from 'playwright/test';

/** Saved views: their button, the list that it opens, and the form for the name. */
export class ViewsPart {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get button() {
    return this.#page.getByRole('button', { name: 'Views', exact: true });
  }

  /** A sheet on a phone. */
  get box() {
    return this.#page.getByRole('dialog', { name: 'Views', exact: true });
  }

  get rows() {
    return this.box.getByRole('listitem');
  }

  row(name: string) {
    return this.rows.filter({ hasText: name });
  }

  link(name: string | RegExp) {
    return this.box.getByRole('link', { name });
  }

  get form() {
    return this.#page.getByRole('dialog', { name: /^(Save this|Rename) view$/ });
  }

  get name() {
    return this.form.getByRole('textbox', { name: 'Name' });
  }

  get saveButton() {
    return this.box.getByRole('button', { name: 'Save this view…' });
  }

  notice(text: string | RegExp) {
    return this.#page.getByRole('region', { name: 'Notifications' }).getByText(text);
  }

  async open() {
    await this.button.click();
    await this.box.waitFor();
  }

  async startSaving() {
    await this.open();
    await this.saveButton.click();
  }

  async save(name: string) {
    await this.startSaving();
    await this.name.fill(name);
    await this.confirm();
  }

  async confirm() {
    await this.form.getByRole('button', { name: 'Save' }).click();
  }

  async replace() {
    await this.form.getByRole('button', { name: 'Replace it' }).click();
  }

  async act(view: string, act: 'Rename…' | 'Update to current view' | 'Copy link' | 'Delete') {
    await this.box.getByRole('button', { name: `Actions for ${view}` }).click();
    await this.box.getByRole('menuitem', { name: act }).click();
  }

  async undo(view: string) {
    await this.row(view).getByRole('button', { name: 'Undo' }).click();
  }

  async takeBackUpdate() {
    await this.#page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' }).click();
  }

  async retry() {
    await this.box.getByRole('button', { name: 'Retry' }).click();
  }

  copied() {
    return this.#page.evaluate(() => navigator.clipboard.readText());
  }
}
