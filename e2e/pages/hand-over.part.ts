import type { Page } from 'playwright/test';

/** A device that is handed over: the offer on its page, and what the other user is shown. */
export class HandOverPart {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get form() {
    return this.#page.getByRole('dialog', { name: /^Hand over / });
  }

  get name() {
    return this.form.getByRole('textbox', { name: 'User name' });
  }

  get note() {
    return this.#page.getByText(/^You offered this device to/);
  }

  get offer() {
    return this.#page.getByRole('list', { name: 'Waiting for your answer' }).getByRole('listitem');
  }

  async begin() {
    await this.#page.getByRole('main').getByRole('button', { name: 'Hand over…' }).click();
  }

  async send({ to, withHistory = false }: { to: string; withHistory?: boolean }) {
    await this.name.fill(to);
    if (withHistory) await this.form.getByRole('checkbox', { name: 'Hand over its track' }).check();
    await this.form.getByRole('button', { name: 'Offer the device' }).click();
  }

  async undo() {
    await this.#page.getByRole('button', { name: 'Undo' }).click();
  }

  async withdraw() {
    await this.#page.getByRole('button', { name: 'Withdraw the offer' }).click();
  }

  async answer(answer: 'Take over' | 'Decline') {
    await this.offer.getByRole('button', { name: answer }).click();
  }

  async open() {
    await this.#page.getByRole('button', { name: 'Open device' }).click();
  }
}
