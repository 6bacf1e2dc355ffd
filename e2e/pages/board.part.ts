import type { Page } from 'playwright/test';

/** The board: the invitations that a swarm has sent, and the selected ones. */
export class BoardPart {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get rows() {
    return this.#page.getByRole('table', { name: 'Sent invitations' }).getByRole('rowgroup').getByRole('row');
  }

  async search(text: string) {
    await this.#page.getByRole('searchbox', { name: 'Search invitations' }).fill(text);
  }

  get none() {
    return this.#page.getByText('No invitations match');
  }

  get checkboxes() {
    return this.rows.getByRole('checkbox');
  }

  get checkedRows() {
    return this.rows.getByRole('checkbox', { checked: true });
  }

  /** The row of the device with this ID. The ID is shortened until the swarm's owner may see the device's name. */
  row(id: string) {
    return this.rows.filter({ hasText: `${id.slice(0, 8)}…${id.slice(-4)}` });
  }

  checkbox(id: string) {
    return this.row(id).getByRole('checkbox');
  }

  get count() {
    return this.#page.getByRole('status').filter({ hasText: /selected$/ });
  }

  get mapLinks() {
    return this.rows.getByRole('link', { name: /^Show on map/ });
  }

  get tickAll() {
    return this.#page.getByRole('checkbox', { name: 'Select all open invitations' });
  }

  async selectAll() {
    await this.#page.getByRole('button', { name: /^All \d/ }).click();
  }

  get dialog() {
    return this.#page.locator('dialog[open]');
  }

  get actions() {
    return this.#page.getByRole('button', { name: 'Actions', exact: true });
  }

  /** Opens the summary of an action on the selected invitations. */
  async open(action: 'Resend' | 'Withdraw') {
    await this.actions.click();
    await this.#page.getByRole('menuitem', { name: `${action}…` }).click();
  }

  async confirm(button: string) {
    await this.dialog.getByRole('button', { name: button, exact: true }).click();
    // a pointer over a pending action would pause its countdown
    await this.#page.mouse.move(0, 0);
  }

  async start(action: 'Resend' | 'Withdraw', count: number) {
    await this.open(action);
    await this.confirm(`${action} ${count} invitation${count === 1 ? '' : 's'}`);
  }

  async undoRow(id: string) {
    await this.row(id).getByRole('button', { name: /^Undo/ }).click();
    await this.#page.mouse.move(0, 0);
  }

  async filter(name: 'Open' | 'Accepted' | 'Rejected') {
    await this.#page
      .getByRole('group', { name: 'Filters' })
      .getByRole('button', { name: new RegExp(`^${name}`) })
      .click();
  }
}
