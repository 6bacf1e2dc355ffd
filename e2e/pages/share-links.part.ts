import type { Page } from 'playwright/test';

const ofDevice = { title: 'Links that show this device', form: 'Create a link that shows this device' };

/** The links that show a device or a swarm, on its page. `names`: of the box and of the form. */
export class ShareLinksPart {
  readonly #page: Page;
  readonly #names: typeof ofDevice;

  constructor(page: Page, names = ofDevice) {
    this.#page = page;
    this.#names = names;
  }

  get box() {
    return this.#page.getByRole('region', { name: this.#names.title });
  }

  get heading() {
    return this.box.getByRole('heading', { name: this.#names.title });
  }

  /** The sentence in the box of who sees the device. */
  get line() {
    return this.#page.getByRole('region', { name: 'Who sees this' }).getByText(/1 link shows this device until/);
  }

  async showBox() {
    await this.#page.getByRole('button', { name: 'Show links' }).click();
  }

  get rows() {
    return this.box.getByRole('listitem');
  }

  row(name: string) {
    return this.rows.filter({ hasText: name });
  }

  get form() {
    return this.#page.getByRole('dialog', { name: this.#names.form });
  }

  /** The dialog that shows a new link, once. */
  get shown() {
    return this.#page.getByRole('dialog', { name: /^Link / });
  }

  /** Closing that dialog asks, if the link was not copied. */
  get lost() {
    return this.#page.getByRole('alertdialog', { name: 'Close without copying the link?' });
  }

  async begin() {
    await this.box.getByRole('button', { name: 'Create link' }).click();
  }

  get nameField() {
    return this.form.getByRole('textbox', { name: 'Name of the link' });
  }

  async fill({ name, until = '1 hour' }: { name: string; until?: string }) {
    await this.nameField.fill(name);
    await this.form.getByRole('combobox', { name: 'Until' }).selectOption(until);
  }

  get withTrack() {
    return this.form.getByRole('checkbox', { name: /^Also show the track/ });
  }

  async submit() {
    await this.form.getByRole('button', { name: 'Create link' }).click();
  }

  /** Returns the link of the open dialog, and closes it. */
  async copy(): Promise<string> {
    await this.shown.getByRole('button', { name: 'Copy link' }).click();
    await this.shown.getByRole('button', { name: 'Copied' }).waitFor();
    const link = await this.#page.evaluate(() => navigator.clipboard.readText());
    await this.shown.getByRole('button', { name: 'Close' }).click();
    return link;
  }

  async changeEnd(name: string, until: string) {
    await this.row(name)
      .getByRole('button', { name: `Change the end: ${name}` })
      .click();
    const dialog = this.#page.getByRole('dialog', { name: `Change the end of ${name}` });
    await dialog.getByRole('combobox', { name: 'Until' }).selectOption(until);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
  }

  async end(name: string) {
    await this.row(name)
      .getByRole('button', { name: `End now: ${name}` })
      .click();
    await this.#page.getByRole('alertdialog').getByRole('button', { name: 'End now' }).click();
  }
}

/** What somebody without an account sees who opens such a link. */
export class GuestPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get heading() {
    return this.#page.getByRole('heading', { level: 1 });
  }

  /** Whether it is live. */
  get status() {
    return this.#page.getByRole('status').filter({ hasText: /^\s*(Live|Not live|Connecting|Too many)/ });
  }

  text(text: string | RegExp) {
    return this.#page.getByRole('main').getByText(text);
  }

  /** The list of the devices that a link of a swarm shows. */
  get devices() {
    return this.#page.getByRole('combobox', { name: 'Device' });
  }

  get optionsOfDevices() {
    return this.#page.getByRole('option');
  }

  async selectDevice(name: string) {
    await this.devices.click();
    await this.#page.getByRole('option', { name, exact: true }).click();
  }

  /** The scale of the map. */
  get scale() {
    return this.#page.locator('.scale-bar');
  }

  /** The device on the map. */
  marker(name: string) {
    return this.#page.getByRole('img', { name });
  }
}
