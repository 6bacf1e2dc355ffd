import type { Page } from 'playwright/test';
import { DeviceSelectionPart } from './device-selection.part.ts';
import { HomePage } from './home.page.ts';
import { savedFile } from './saved-file.ts';

/** Actions on the selected devices. */
export class BulkPart {
  readonly selection: DeviceSelectionPart;
  readonly #page: Page;
  readonly #home: HomePage;

  constructor(page: Page) {
    this.#page = page;
    this.#home = new HomePage(page);
    this.selection = new DeviceSelectionPart(page);
  }

  /** On a touch screen by the menu and taps. */
  async selectRows(...names: string[]) {
    await this.#home.row(names[0] ?? '').waitFor();
    const isTouch = await this.#page.evaluate(() => matchMedia('(pointer: coarse)').matches);
    if (isTouch) await this.selection.choose('Select devices');
    for (const name of names) {
      // one row after the other, as a user does
      await (isTouch ? this.#home.select(name) : this.selection.toggle(name));
    }
  }

  async start(action: string) {
    await this.selection.bar.getByRole('button', { name: 'Actions' }).click();
    await this.#page.getByRole('menuitem', { name: action }).click();
  }

  dialog(title: string) {
    return this.#page.locator('dialog[open]').filter({ has: this.#page.getByRole('heading', { name: title }) });
  }

  /** Of the open dialog: the button that starts the action. */
  get confirmButton() {
    return this.#page.locator('dialog[open] .dialog-foot').getByRole('button').first();
  }

  /** Deleting many devices asks for their number. */
  async typeCount(count: string) {
    await this.#page.getByRole('textbox', { name: /^Type .* to confirm$/ }).fill(count);
  }

  async confirm(name: string) {
    await this.#page.locator('dialog[open]').getByRole('button', { name, exact: true }).click();
  }

  job(label: string) {
    return this.#page
      .getByRole('region', { name: 'Pending actions' })
      .locator('[data-kind]')
      .filter({ hasText: label });
  }

  async undo(label: string) {
    await this.job(label).getByRole('button', { name: /^Undo/ }).click();
  }

  /** Presses a button of the dialog. Returns name and text of the file that the browser would save. */
  download(button: string) {
    return savedFile({ page: this.#page, press: () => this.confirm(button) });
  }

  /** The sheet that a browser would print. */
  get printed() {
    return this.#page.locator('.print-sheet');
  }

  get printedLabels() {
    return this.printed.locator('li');
  }

  toast(text: string) {
    return this.#page.getByText(text);
  }

  async showFailures() {
    await this.#page.getByRole('button', { name: 'Show', exact: true }).click();
  }

  /** One of the options that are all visible. */
  async choose(option: string) {
    await this.#page.getByRole('radio', { name: option }).check({ force: true });
  }

  /** Of an end, as a date input has it. */
  async chooseLastDay(day: string) {
    await this.#page.getByRole('combobox', { name: 'Until' }).selectOption('A date');
    await this.#page.getByLabel('Last day').fill(day);
  }

  async chooseSwarm(option: string) {
    await this.#page.getByRole('combobox', { name: 'Swarm' }).click();
    await this.#page.getByRole('option', { name: option }).click();
  }

  get description() {
    return this.#page.getByRole('textbox', { name: 'Description' });
  }

  async describe(text: string) {
    await this.description.fill(text);
  }

  async holdJob(label: string, how: 'Pause' | 'Resume' | 'Stop') {
    await this.job(label).getByRole('button', { name: how }).click();
  }

  /** On the page of a device. */
  async openAddToSwarm() {
    await this.#page.getByRole('button', { name: 'Add to my swarm…' }).click();
  }

  /** Of a user who has none, in the dialog that adds a device to one. */
  async createSwarm() {
    await this.dialog('to a swarm').getByRole('link', { name: 'Create swarm' }).click();
  }

  /** In the device's swarms, which come before its activity. */
  swarmLink(name: string) {
    return this.#page.getByRole('link', { name, exact: true }).first();
  }
}
