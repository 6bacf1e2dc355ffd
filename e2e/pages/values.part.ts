import type { Page } from 'playwright/test';
import { checkHiddenInput } from './check-hidden-input.ts';
import { savedFile } from './saved-file.ts';

/** Values over time: on the page of a device, and of several devices on the page of a swarm. */
export class ValuesPart {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get box() {
    return this.#page.getByRole('region', { name: 'Values', exact: true });
  }

  /** What a printed page leaves out. */
  get navigation() {
    return this.#page.getByRole('navigation', { name: 'Main', exact: true });
  }

  /** Its text says the time and the value that arrow keys have reached. */
  chart(name: string) {
    return this.box.getByRole('slider', { name, exact: true });
  }

  /** Where a chart is drawn. */
  plot(name: string) {
    return this.chart(name).locator('..');
  }

  /** Of a chart that is seen, or printed. */
  drawing(name: string) {
    return this.plot(name).locator('canvas');
  }

  /** A chart, to the middle of the screen. */
  async scrollTo(name: string) {
    await this.plot(name).evaluate((plot) => plot.scrollIntoView({ block: 'center' }));
    await this.drawing(name).waitFor();
  }

  /** What the browser says before and after it prints the page. */
  async print(at: 'beforeprint' | 'afterprint') {
    await this.#page.evaluate((type) => dispatchEvent(new Event(type)), at);
  }

  get table() {
    return this.box.getByRole('table');
  }

  /** Of the table. */
  get newestRow() {
    return this.table.getByRole('row').nth(1);
  }

  /** In the dialog: one value more is recorded, and one less. */
  async chooseKeys({ add, remove }: { add: string; remove: string }) {
    await this.box.getByRole('button', { name: 'Choose values…' }).click();
    const dialog = this.#page.getByRole('dialog', { name: 'Recorded values' });
    await dialog.getByRole('checkbox', { name: /^Choose automatically/ }).uncheck();
    await dialog.getByRole('checkbox', { name: add, exact: true }).check();
    await dialog.getByRole('checkbox', { name: remove, exact: true }).uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
  }

  get wholeRange() {
    return this.box.getByRole('button', { name: 'Whole range' });
  }

  async choose(range: '1 hour' | '24 hours' | '7 days' | '30 days' | '1 year') {
    await checkHiddenInput(this.box.getByRole('radio', { name: range }));
  }

  range(name: string) {
    return this.box.getByRole('radio', { name });
  }

  async zoomIn() {
    await this.box.getByRole('button', { name: 'Zoom in' }).click();
  }

  /** Selects the middle third of a chart by a drag. */
  async drag(name: string) {
    await this.scrollTo(name);
    const box = await this.plot(name).boundingBox();
    if (!box) throw new Error(`no chart of ${name}`);
    const y = box.y + box.height / 3;
    await this.#page.mouse.move(box.x + 70 + box.width / 3, y);
    await this.#page.mouse.down();
    await this.#page.mouse.move(box.x + (2 * box.width) / 3, y, { steps: 4 });
    await this.#page.mouse.up();
  }

  async showTable() {
    await this.box.getByRole('button', { name: 'Table' }).click();
  }

  async putTogether() {
    await this.box.getByRole('switch', { name: 'In one chart' }).click();
  }

  line(name: string) {
    return this.box.getByRole('button', { name });
  }

  /** For `page.addInitScript`: notes how lines are drawn, for `drawnLines`. */
  static readonly noteLines = () => {
    const { stroke } = CanvasRenderingContext2D.prototype;
    const lines: string[] = [];
    Object.assign(globalThis, { lines });
    CanvasRenderingContext2D.prototype.stroke = function note(this: CanvasRenderingContext2D, ...path: unknown[]) {
      // Axes and grids are no paths, and the edges of steps have no colour.
      if (path.length > 0 && this.lineWidth > 1)
        lines.push(`${this.strokeStyle as string} ${this.getLineDash().join()}`);
      Reflect.apply(stroke, this, path);
    };
  };

  /** The colours and dashes of the lines that were drawn, and of their dots. */
  async drawnLines(): Promise<string[]> {
    return this.#page.evaluate(() => [...new Set((globalThis as unknown as { lines: string[] }).lines)]);
  }

  /** The same of the samples beside the names of the lines. */
  async sampleLines(): Promise<string[]> {
    return this.box.locator('.values-sample > line').evaluateAll((samples) => {
      const context = document.createElement('canvas').getContext('2d')!;
      return samples.map((sample) => {
        context.strokeStyle = getComputedStyle(sample).stroke;
        return `${context.strokeStyle} ${(sample.getAttribute('stroke-dasharray') ?? '').replaceAll(' ', ',')}`;
      });
    });
  }

  async export() {
    return savedFile({ page: this.#page, press: () => this.box.getByRole('button', { name: 'CSV' }).click() });
  }

  get keep() {
    return this.#page.getByRole('checkbox', { name: 'Record its values' });
  }

  async exportBeforeDeletion() {
    return savedFile({
      page: this.#page,
      press: () => this.#page.getByRole('button', { name: 'Save them as a file' }).click(),
    });
  }

  /** The list on the card of the selected device. */
  get lastOnCard() {
    return this.#page
      .locator('dl')
      .filter({ has: this.#page.getByRole('term') })
      .and(this.#page.getByLabel('Values'));
  }

  get #dialog() {
    return this.#page.getByRole('dialog', { name: 'Show a value' });
  }

  /** Chooses the value that a list shows. It is offered once the server has read the messages. */
  async show(key: string) {
    await this.#page.getByRole('button', { name: 'Show a value' }).click();
    await this.#dialog.getByRole('combobox').selectOption(key);
    await this.#dialog.getByRole('button', { name: 'Show', exact: true }).click();
  }

  /** Changes what is shown. */
  async filter({ from, colours }: { from: string; colours: boolean }) {
    await this.#page.getByRole('button', { name: 'temperature', exact: true }).click();
    await this.#dialog.getByRole('textbox', { name: 'At least' }).fill(from);
    await this.#dialog.getByRole('checkbox', { name: 'Colour by the value' }).setChecked(colours);
    await this.#dialog.getByRole('button', { name: 'Show', exact: true }).click();
  }
}
