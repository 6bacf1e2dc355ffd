import type { Locator, Page } from 'playwright/test';
import { savedFile } from './saved-file.ts';

type File = string | { name: string; mimeType: string; buffer: Buffer };

/** The page Import: the file, its columns, the dry run with its invalid rows, and the running import. */
export class ImportPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get heading() {
    return this.#page.getByRole('heading', { name: 'Import devices', level: 1 });
  }

  get columns() {
    return this.#page.getByRole('region', { name: 'Columns' });
  }

  get check() {
    return this.#page.getByRole('region', { name: 'Dry run' });
  }

  /** The summary before the import, then its progress and its result. */
  get job() {
    return this.#page.getByRole('region', { name: 'Import', exact: true });
  }

  get progress() {
    return this.job.getByRole('progressbar');
  }

  get error() {
    return this.#page.getByRole('alert');
  }

  get startButton() {
    return this.job.getByRole('button', { name: /^Import/ });
  }

  get pauseButton() {
    return this.job.getByRole('button', { name: 'Pause' });
  }

  get resumeButton() {
    return this.job.getByRole('button', { name: 'Resume' });
  }

  /** Waits until no import is running. */
  get chooseButton() {
    return this.#page.getByRole('button', { name: 'Choose file' });
  }

  get showDevices() {
    return this.job.getByRole('link', { name: 'Show these devices' });
  }

  /** The notice of the running import on other pages. */
  get notice() {
    return this.#page.getByRole('region', { name: 'Pending actions' });
  }

  use(column: string) {
    return this.columns.getByRole('combobox', { name: `Import ${column} as` });
  }

  /** The name of the file, and how it is read. */
  get facts() {
    return this.#page.getByRole('banner').or(this.#page.locator('header')).filter({ has: this.heading });
  }

  get encoding() {
    return this.columns.getByRole('combobox', { name: 'Encoding' });
  }

  /** The line of the column names. */
  get header() {
    return this.columns.getByRole('combobox', { name: 'Column names' });
  }

  get letterO() {
    return this.columns.getByRole('combobox', { name: 'O in longitudes' });
  }

  /** The machine type of a file without a column for it. */
  get typeOfAll() {
    return this.columns.getByRole('combobox', { name: 'Machine type of all rows' });
  }

  get typeOfOthers() {
    return this.columns.getByRole('combobox', { name: 'All others' });
  }

  machineType(text: string) {
    return this.columns.getByRole('combobox', { name: `Import the machine type ${text} as` });
  }

  refused(line: number, noun: 'line' | 'feature' = 'line') {
    return this.check
      .getByRole('listitem')
      .filter({ hasText: new RegExp(`^${noun} ${line}(?!\\d)`), has: this.#page.getByRole('button') });
  }

  /** After an import: the rows that were not imported. */
  get fixRest() {
    return this.#page.getByRole('button', { name: /^Fix the (row|\d+ rows) that (is|are) left$/ });
  }

  /** Corrects cells of a row, by the names of their columns. */
  async fixRow(line: number, cells: Record<string, string>, noun?: 'line' | 'feature') {
    await this.refused(line, noun).getByRole('button').click();
    for (const [name, value] of Object.entries(cells)) await this.#page.getByRole('textbox', { name }).fill(value);
    await this.#page.getByRole('button', { name: 'Save', exact: true }).click();
  }

  /** Rows that are identical to another one, or newer than the file, are left out. */
  async leaveOut() {
    await this.check.getByRole('button', { name: 'Leave these rows out' }).click();
  }

  /** The first new devices. */
  get newDevices() {
    return this.check.getByRole('list', { name: 'New devices' }).getByRole('listitem');
  }

  get totals() {
    return this.check.getByRole('status').filter({ hasText: 'new' });
  }

  get fixDialog() {
    return this.#page.getByRole('dialog', { name: /line/i });
  }

  fixField(name: string) {
    return this.fixDialog.getByRole('textbox', { name });
  }

  get stopDialog() {
    return this.#page.getByRole('alertdialog', { name: 'Stop this import?' });
  }

  async open() {
    await this.#page.goto('/import');
  }

  async choose(file: File) {
    await this.#page.locator('input[type="file"]').setInputFiles(file);
  }

  /** Drops the file anywhere on the page. */
  async drop(text: string) {
    const dataTransfer = await this.#page.evaluateHandle((content) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], 'dropped.csv', { type: 'text/csv' }));
      return transfer;
    }, text);
    await this.heading.dispatchEvent('drop', { dataTransfer });
  }

  async chooseText(text: string, name = 'devices.csv') {
    await this.choose({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  }

  async openFix(line: number) {
    await this.refused(line)
      .getByRole('button', { name: /^(Fix|Show) line/ })
      .click();
  }

  async saveFix() {
    await this.fixDialog.getByRole('button', { name: 'Save' }).click();
  }

  saveErrorRows() {
    return this.#saved(this.check.getByRole('button', { name: 'Download rows with errors' }));
  }

  async undo() {
    await this.job.getByRole('button', { name: 'Undo…' }).click();
  }

  get undoDialog() {
    return this.#page.getByRole('alertdialog', { name: /^Undo “/ });
  }

  async confirmUndo() {
    await this.undoDialog.getByRole('button', { name: 'Undo', exact: true }).click();
  }

  saveDevices() {
    return this.#saved(this.#page.getByRole('button', { name: 'Download as CSV' }));
  }

  saveGeoJson() {
    return this.#saved(this.#page.getByRole('button', { name: 'Download as GeoJSON' }));
  }

  #saved(button: Locator) {
    return savedFile({ page: this.#page, press: () => button.click() });
  }

  get deleteRecords() {
    return this.#page.getByRole('alertdialog', { name: 'Delete what was recorded?' });
  }

  async startAndDelete() {
    await this.deleteRecords.getByRole('button', { name: 'Import and delete' }).click();
  }

  async start() {
    await this.startButton.click();
  }

  async pause() {
    await this.pauseButton.click();
  }

  async resume() {
    await this.resumeButton.click();
  }

  async askToStop() {
    await this.job.getByRole('button', { name: 'Stop' }).click();
  }

  async stop() {
    await this.stopDialog.getByRole('button', { name: 'Stop import' }).click();
  }
}
