import type { Page } from 'playwright/test';
import { isFirstShown } from './is-first-shown.ts';

/** The managers and watchers of a swarm, on its settings, and what its owner offers to a user. */
export class ManagersPart {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  row(name: string) {
    return this.#page.getByRole('list', { name: 'Managers' }).getByRole('listitem').filter({ hasText: name });
  }

  get rows() {
    return this.#page.getByRole('list', { name: 'Managers' }).getByRole('listitem');
  }

  get silenceNotices() {
    return this.#page.getByRole('switch', { name: 'Notify me when other users’ devices in this swarm are silent' });
  }

  offer(text: string) {
    return this.#page
      .getByRole('list', { name: 'Waiting for your answer' })
      .getByRole('listitem')
      .filter({ hasText: text });
  }

  get offers() {
    return this.#page.getByRole('list', { name: 'Waiting for your answer' });
  }

  /** A swarm in the list of swarms. */
  error(text: string) {
    return this.#page.getByText(text);
  }

  async ask(name: string, to: 'manage' | 'watch' = 'manage') {
    await this.#page.getByRole('textbox', { name: 'User name' }).fill(name);
    await this.#page.getByRole('radio', { name: to === 'manage' ? 'Manager' : 'Watcher' }).check({ force: true });
    await this.#page.getByRole('button', { name: `Ask to ${to}` }).click();
  }

  get page() {
    return this.#page.getByRole('main');
  }

  async answerByKey(text: string, answer: 'Agree' | 'Decline') {
    await this.offer(text).getByRole('button', { name: answer, exact: true }).press('Enter');
  }

  async answer(text: string, answer: 'Agree' | 'Take over' | 'Decline') {
    await this.offer(text).getByRole('button', { name: answer, exact: true }).click();
  }

  /** Agrees to watch until a time. */
  async agreeUntil(text: string, until: string) {
    await this.offer(text).getByRole('button', { name: 'Agree until…' }).click();
    const dialog = this.#page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Until' }).selectOption(until);
    await dialog.getByRole('button', { name: 'Agree' }).click();
  }

  /** On the page of the swarm, for its watcher. On a phone, it is in a menu. */
  async stopLater(until: string) {
    const stop = this.#page.getByRole('button', { name: 'Stop watching' });
    const menu = this.#page.getByRole('button', { name: 'Actions', exact: true });
    if (await isFirstShown(stop, menu)) await stop.click();
    else {
      await menu.click();
      await this.#page.getByRole('menuitem', { name: 'Stop watching' }).click();
    }
    await this.#page.getByRole('alertdialog').getByRole('button', { name: 'Choose when to stop…' }).click();
    const dialog = this.#page.getByRole('dialog', { name: 'When do you stop watching?' });
    await dialog.getByRole('combobox', { name: 'Until' }).selectOption(until);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
  }

  async handOver(name: string) {
    await this.#page.getByRole('button', { name: `Hand over swarm to ${name}` }).click();
    await this.#page.getByRole('alertdialog').getByRole('button', { name: 'Offer the swarm' }).click();
  }

  async remove(name: string, role: 'manager' | 'watcher' = 'manager') {
    await this.#page.getByRole('button', { name: `Remove ${name} as ${role}` }).click();
    await this.#page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  }
}
