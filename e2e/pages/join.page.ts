import type { Page } from 'playwright/test';
import { DeviceFormPart } from './device-form.part.ts';

/** The page of a link to join a swarm. */
export class JoinPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get heading() {
    return this.#page.getByRole('heading', { level: 1 });
  }

  text(text: string | RegExp) {
    return this.#page.getByRole('main').getByText(text);
  }

  device(name: string) {
    return this.#page.getByRole('group', { name: 'Your devices' }).getByRole('checkbox', { name });
  }

  async add(name: string) {
    await this.#page.getByRole('button', { name: 'Add a device' }).click();
    const dialog = this.#page.getByRole('dialog', { name: 'Add a device' });
    await new DeviceFormPart(dialog).fill({ name, type: 'Bug' });
    await dialog.getByRole('button', { name: 'Add device' }).click();
  }

  /** How many members the swarm has. */
  get members() {
    return this.text(/^\d+ members?$/);
  }

  /** What the link offers, before sign-in. */
  preview(swarm: string) {
    return this.#page.getByRole('region', { name: `Join ${swarm}` });
  }

  /** Begins to add the phone that shows the page. `latitude`: where it is; empty if it does not say where. */
  async beginPhone(latitude: string) {
    await this.#page.getByRole('button', { name: 'Add this phone' }).click();
    await this.#phone.locator(`input[name="latitude"][value="${latitude}"]`).waitFor();
  }

  async addPhone() {
    await this.#phone.getByRole('button', { name: 'Add device' }).click();
  }

  async cancelPhone() {
    await this.#phone.getByRole('button', { name: 'Cancel' }).click();
  }

  get #phone() {
    return this.#page.getByRole('dialog', { name: 'Add a device' });
  }

  async joinMore() {
    await this.#page.getByRole('button', { name: 'Join with more devices' }).click();
  }

  /** The checkbox of all devices that are not in the swarm. */
  all(label: string) {
    return this.#page.getByRole('checkbox', { name: label });
  }

  /** Sends again what did not reach the server, or was refused. */
  get retry() {
    return this.#page.getByRole('button', { name: 'Retry' });
  }

  get until() {
    return this.#page.getByRole('combobox', { name: 'Until' });
  }

  submit(name: string) {
    return this.#page.getByRole('button', { name });
  }

  result(title: string) {
    return this.#page.getByRole('region', { name: title });
  }

  /** The form. */
  get devices() {
    return this.#page.getByRole('region', { name: 'Your devices' });
  }

  async openSwarm() {
    await this.#page.getByRole('link', { name: 'Open swarm' }).click();
  }
}
