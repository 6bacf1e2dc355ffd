import type { Page } from 'playwright/test';

/** Passkeys in German: on the sign-in page, when one is offered, and in Account. */
export class PasskeysPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /**
   * The page's own device answers with a finger. `autofill`: also what the browser offers at the user name, as soon as it is asked,
   * because its user chooses at once.
   */
  async addAuthenticator({ autofill = false } = {}) {
    if (!autofill)
      await this.#page.addInitScript(() =>
        Object.assign(PublicKeyCredential, { isConditionalMediationAvailable: async () => false }),
      );
    const session = await this.#page.context().newCDPSession(this.#page);
    await session.send('WebAuthn.enable');
    await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
  }

  get offer() {
    return this.#page.getByRole('heading', { name: 'Nächstes Mal schneller anmelden' });
  }

  get useOne() {
    return this.#page.getByRole('button', { name: 'Passkey verwenden' });
  }

  get userName() {
    return this.#page.getByRole('textbox', { name: 'Benutzername' });
  }

  get box() {
    return this.#page.getByRole('region', { name: 'Anmeldemethoden' });
  }

  get rows() {
    return this.box.getByRole('list', { name: 'Passkeys' }).getByRole('listitem');
  }

  async add() {
    await this.#page.getByRole('button', { name: 'Passkey hinzufügen' }).click();
  }

  /** Renames the only one. */
  async rename(to: string) {
    await this.box.getByRole('button', { name: / umbenennen$/ }).click();
    const dialog = this.#page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(to);
    await dialog.getByRole('button', { name: 'Umbenennen' }).click();
  }

  async remove(name: string) {
    await this.box.getByRole('button', { name: `${name} entfernen` }).click();
    await this.#page.getByRole('alertdialog').getByRole('button', { name: 'Entfernen' }).click();
  }

  async signOut() {
    await this.#page.getByRole('button', { name: 'Abmelden' }).click();
  }

  error(text: string) {
    return this.#page.getByRole('alert').getByText(text);
  }
}
