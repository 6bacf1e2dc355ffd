import type { Page } from 'playwright/test';

/** The four first steps of a new user, the remaining ones below the first devices, and the demo. */
export class StartPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get panel() {
    return this.#page.getByRole('region', { name: 'Put your first device on the map' });
  }

  async showSeen() {
    await this.#page.getByRole('button', { name: 'Show them' }).click();
  }

  /** The panel of a user who sees only devices of others. */
  get watching() {
    return this.#page.getByRole('region', { name: /of others$/ });
  }

  /** A step by its number, 1 to 4. */
  step(number: number) {
    return this.panel.getByRole('listitem').nth(number - 1);
  }

  button(name: string) {
    return this.panel.getByRole('button', { name });
  }

  get nextSteps() {
    return this.#page.getByRole('region', { name: 'Next' });
  }

  /** The one that the user should take now. */
  get nextStep() {
    return this.nextSteps.locator('.step-now');
  }

  get demoStrip() {
    return this.#page.getByText('Demo data', { exact: true });
  }

  /** Below the first devices. */
  get demoOffer() {
    return this.#page.getByRole('button', { name: 'Add demo devices' });
  }

  get removeDialog() {
    return this.#page.getByRole('alertdialog', { name: 'Remove the demo?' });
  }

  async goToImport() {
    await this.panel.getByRole('link', { name: 'Import' }).click();
  }

  /** The code that sends the first message of the device, from the next steps. */
  async connect() {
    await this.nextSteps.getByRole('link', { name: 'Connect' }).click();
  }

  async addSecond() {
    await this.nextSteps.getByRole('button', { name: 'Add device' }).click();
  }

  async fillWithDemo() {
    await this.button('Add demo devices').click();
  }

  async copyCode() {
    await this.nextSteps.getByRole('button', { name: 'Copy invite code' }).click();
  }

  /** The buttons of an account without a device. */
  async createFirstSwarm() {
    await this.panel.getByRole('link', { name: 'Create swarm' }).click();
  }

  async createSwarm() {
    await this.nextSteps.getByRole('link', { name: 'Create swarm' }).click();
  }

  async closeNextSteps() {
    await this.nextSteps.getByRole('button', { name: 'Close the next steps' }).click();
  }

  async askToRemoveDemo() {
    await this.#page.getByRole('button', { name: 'Remove demo' }).click();
  }

  async removeDemo() {
    await this.removeDialog.getByRole('button', { name: 'Remove demo' }).click();
  }
}
