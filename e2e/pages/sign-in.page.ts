import type { Page } from 'playwright/test';

export class SignInPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get heading() {
    return this.#page.getByRole('heading', { name: /^(Sign in|Create an account)$/ });
  }

  /** On another page. */
  get linkToIt() {
    return this.#page.getByRole('link', { name: 'Sign in' });
  }

  get userName() {
    return this.#page.getByRole('textbox', { name: 'User name' });
  }

  get password() {
    return this.#page.getByLabel('Password', { exact: true });
  }

  /** The sentence that names the next page. */
  get nextNote() {
    return this.#page.getByText(/^Next: /);
  }

  get endedNote() {
    return this.#page.getByText(/^Your session has ended\./);
  }

  get deletedNote() {
    return this.#page.getByText('Your account was deleted.');
  }

  error(text: string | RegExp) {
    return this.#page.getByText(text);
  }

  async open({ next }: { next?: string } = {}) {
    await this.#page.goto(next ? `/sign-in?next=${encodeURIComponent(next)}` : '/sign-in');
  }

  get toSignUp() {
    return this.#page.getByRole('button', { name: 'Create an account' });
  }

  async showSignUp() {
    await this.toSignUp.click();
  }

  async signIn(credentials: { name: string; password: string }) {
    await this.#fill(credentials);
    await this.#page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  async signUp(credentials: { name: string; password: string }) {
    await this.#fill(credentials);
    await this.#page.getByRole('button', { name: 'Create account' }).click();
  }

  /** Goes on from the recovery codes of a new account. */
  async storeCodes() {
    await this.#page.getByRole('button', { name: 'I have stored them' }).click();
  }

  async showPassword() {
    await this.#page.getByRole('button', { name: 'Show password' }).click();
  }

  async #fill({ name, password }: { name: string; password: string }) {
    await this.userName.fill(name);
    await this.password.fill(password);
  }
}
