import type { Page } from 'playwright/test';

/** Who sees a device: the panel on the pages of a device and a swarm, and the notices of what has grown. */
export class AudiencePart {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** On the page of a device. */
  get panel() {
    return this.#page.getByRole('region', { name: 'Who sees this' });
  }

  /** On the page of a swarm. */
  get panelOfSwarm() {
    return this.#page.getByRole('region', { name: 'Who sees these devices' });
  }

  /** Until when the watcher of the swarm sees it, in ms. */
  async readEnd() {
    const until = this.panelOfSwarm.getByText(/^until /).locator('time');
    return Date.parse((await until.getAttribute('datetime')) ?? '');
  }

  get germanPanel() {
    return this.#page.getByRole('region', { name: 'Wer das sieht' });
  }

  /** The sentence on the card of the selected device. */
  get sentence() {
    return this.#page.getByRole('region', { name: 'Selected device' }).getByText(/^Seen by /);
  }

  /** Notices, newest first. */
  get notices() {
    return this.#page.getByRole('listitem').filter({ has: this.#page.getByRole('link', { name: 'Who sees this' }) });
  }

  async seeWho() {
    await this.notices.first().getByRole('link', { name: 'Who sees this' }).click();
  }

  async leave(swarm: string) {
    await this.notices.first().getByRole('button', { name: 'Leave…' }).click();
    const dialog = this.#page.getByRole('alertdialog', { name: `Leave ${swarm}?` });
    await dialog.getByRole('button', { name: 'Leave', exact: true }).click();
  }

  /** On the page of the device. */
  get leaving() {
    return this.#page.getByText('Leaving…');
  }

  /** The device lets links of its swarm show it. */
  async allowLinks() {
    await this.panel.getByRole('button', { name: /^Allow links to show the device…/ }).click();
    await this.#page.getByRole('alertdialog').getByRole('button', { name: 'Allow links' }).click();
  }

  async forbidLinks() {
    await this.panel.getByRole('button', { name: /^Stop links from showing the device…/ }).click();
    await this.#page.getByRole('alertdialog').getByRole('button', { name: 'Stop showing' }).click();
  }

  async chooseDay(day: string) {
    await this.#page.getByLabel('Show an earlier day').fill(day);
  }

  async showToday() {
    await this.#page.getByRole('button', { name: 'Show today' }).click();
  }
}
