import type { Page } from 'playwright/test';

/** Requests to join a swarm: on the page of a public swarm, on its board, and in its settings. */
export class RequestsPart {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  text(text: string | RegExp) {
    return this.#page.getByRole('main').getByText(text);
  }

  get begin() {
    return this.#page.getByRole('button', { name: 'Ask to join', exact: true });
  }

  get dialog() {
    return this.#page.getByRole('dialog', { name: /^Ask to join/ });
  }

  device(name: string) {
    return this.dialog.getByRole('checkbox', { name });
  }

  async choose(role: 'sends' | 'receives' | 'both') {
    await this.dialog.getByRole('radio', { name: role }).check({ force: true });
  }

  async write(message: string) {
    await this.dialog.getByRole('textbox', { name: 'Message' }).fill(message);
  }

  async send(button: string) {
    await this.dialog.getByRole('button', { name: button }).click();
  }

  /** The user's own open requests. */
  get own() {
    return this.#page.getByRole('list', { name: 'Your open requests' }).getByRole('listitem');
  }

  async withdraw(device: string) {
    await this.own
      .filter({ hasText: device })
      .getByRole('button', { name: /^Withdraw/ })
      .click();
  }

  /** On the board. */
  get received() {
    return this.#page.getByRole('list', { name: 'Requests to join' }).getByRole('listitem');
  }

  async answer(device: string, answer: 'Accept' | 'Reject') {
    await this.received
      .filter({ hasText: device })
      .getByRole('button', { name: new RegExp(`^${answer}`) })
      .click();
  }

  async undo(device: string) {
    await this.received.filter({ hasText: device }).getByRole('button', { name: /^Undo/ }).click();
  }

  /** In the details of a request in the inbox. */
  async block() {
    await this.#page.getByRole('button', { name: 'Block user…' }).click();
    await this.#page.getByRole('button', { name: 'Reject and block' }).click();
  }

  get blocked() {
    return this.#page.getByRole('list', { name: 'Blocked users' }).getByRole('listitem');
  }

  async unblock(user: string) {
    await this.#page.getByRole('button', { name: `Unblock ${user}` }).click();
  }
}
