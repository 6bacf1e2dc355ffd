import type { Page } from 'playwright/test';

type Destination = 'Devices' | 'Swarms' | 'Invitations' | 'Account';

/** What every page has: the navigation, dialogs, notices and toasts. */
export class ShellPart {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get themeButton() {
    return this.#page.getByRole('button', { name: /^Theme/ });
  }

  get navigation() {
    return this.#page.getByRole('navigation', { name: 'Main' });
  }

  /** The outage notice, with the time of the next try. */
  get outage() {
    return this.#page.getByText('Can’t reach the server');
  }

  /** The notice that the browser is offline. */
  get offline() {
    return this.notice.filter({ hasText: 'You’re offline' });
  }

  /** The notice about the connection. */
  get notice() {
    return this.#page.locator('.shell-notices');
  }

  /** Leads to the sign-in of what is before the server. */
  get goToSignIn() {
    return this.#page.getByRole('button', { name: 'Go to sign-in' });
  }

  /** What a page loads once it has its data is being loaded. */
  get settled() {
    return this.#page.locator('.shell-notices[data-settled]');
  }

  /** Why a grey button does not work offline, once it was pressed. */
  get whyOffline() {
    return this.notices.getByText('You’re offline. This works again when you are connected.');
  }

  get whyOfflineInDialog() {
    return this.dialog.getByText('You’re offline. This works again when you are connected.');
  }

  /** The message of a page that cannot be shown. */
  get pageError() {
    return this.#page.getByRole('main').getByRole('alert');
  }

  get main() {
    return this.#page.getByRole('main');
  }

  get heading() {
    return this.#page.getByRole('heading', { level: 1 });
  }

  get dialog() {
    return this.#page.getByRole('dialog').or(this.#page.getByRole('alertdialog'));
  }

  get notices() {
    return this.#page.getByRole('region', { name: 'Notifications' });
  }

  /** The notice that the server takes long to answer. */
  get slow() {
    return this.#page.locator('.notice').filter({ hasText: 'The server answers slowly' });
  }

  /** The toast that a part's code could not be loaded. */
  get reloadToast() {
    return this.notices.getByText('A part of this page could not be loaded');
  }

  /** The button in that toast. */
  async reload() {
    await this.notices.getByRole('button', { name: 'Reload' }).click();
  }

  get undoToasts() {
    return this.#page.getByRole('region', { name: 'Pending actions' });
  }

  /** The notice that live updates are interrupted. */
  get notLive() {
    return this.#page.getByRole('status').filter({ hasText: 'Not live' });
  }

  /** "2 waiting": what could not be sent yet. Opens the list. */
  get waiting() {
    return this.#page.getByRole('button', { name: /^\d+ (waiting|not sent)/ });
  }

  get waitingList() {
    return this.#page.getByRole('dialog', { name: 'Waiting changes' }).getByRole('list');
  }

  get waitingChanges() {
    return this.waitingList.getByRole('listitem');
  }

  /** What can be done with them. */
  get waitingButtons() {
    return this.waitingChanges.getByRole('button');
  }

  /** In the list of what waits. `what`: the beginning of the change's words. */
  discardButton(what: string) {
    return this.#page.getByRole('button', { name: `Discard ${what}` });
  }

  /** The answer to whether what was typed is to be discarded. */
  async confirmDiscard() {
    const question = this.#page.getByRole('alertdialog', { name: 'Discard this change?' });
    await question.getByRole('button', { name: 'Discard' }).click();
  }

  async goto(path: string) {
    await this.#page.goto(path);
  }

  /** The button in the notice that the browser is offline. */
  async retry() {
    await this.offline.getByRole('button', { name: 'Retry' }).click();
  }

  destination(name: Destination) {
    return this.navigation.getByRole('link', { name });
  }

  /** The script of the app. Its name changes with each version. */
  get appScript() {
    return this.#page.locator('script[type=module]');
  }

  async goTo(name: Destination) {
    await this.destination(name).click();
    await this.#page.locator(`xpath=//title[contains(., "${name}")]`).waitFor({ state: 'attached' });
    await this.heading.waitFor();
  }

  get undoButton() {
    return this.undoToasts.getByRole('button', { name: /^Undo/ });
  }

  /** Also waits until the server has undone it: the page shows it before. */
  async undo() {
    const undone = this.#page.waitForResponse((response) => /\/api\/actions\/[^/]+\/undo$/.test(response.url()));
    await this.undoButton.click();
    await undone;
  }

  /** Undoes an action that has ended. */
  async undoDone(notice: string) {
    await this.notices.filter({ hasText: notice }).getByRole('button', { name: 'Undo' }).click();
  }

  /** Opens the list of the items that an action could not change. */
  async showFailures() {
    await this.undoToasts.getByRole('button', { name: 'Show', exact: true }).click();
  }

  /** Removes the notice of the failures of an action. */
  async dismissFailure() {
    await this.undoToasts.getByRole('button', { name: 'Dismiss' }).click();
  }

  async resumeAction() {
    await this.undoToasts.getByRole('button', { name: 'Resume' }).click();
  }
}
