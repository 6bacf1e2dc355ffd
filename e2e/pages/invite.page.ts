import type { Page } from 'playwright/test';

/** The page Invite: the swarm, the codes and their validation, the role, the message, and the result of each line. */
export class InvitePage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get heading() {
    return this.#page.getByRole('heading', { level: 1 });
  }

  get codes() {
    return this.#page.getByRole('textbox', { name: 'Invite codes' });
  }

  /** On a touch screen, a button shows the field. `fill` inserts each line as an edit: a thousand take half a minute. */
  async enterCodes(codes: string) {
    await this.codes.or(this.#page.getByRole('button', { name: 'Paste or type codes' })).click();
    await this.codes.evaluate((field: HTMLTextAreaElement, text) => {
      field.setRangeText(text, 0, field.value.length, 'end');
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }, codes);
  }

  get message() {
    return this.#page.getByRole('textbox', { name: /^Message/ });
  }

  get swarmField() {
    return this.#page.getByRole('combobox', { name: 'Swarm' });
  }

  get check() {
    return this.#page.getByRole('region', { name: 'Check before sending' });
  }

  /** The size of the text of a number in the totals of the check, in px. A zero has that of its name. */
  sizeOfNumber(name: string) {
    return this.check
      .getByRole('status')
      .getByText(name)
      .locator('b')
      .evaluate((number) => Number.parseFloat(getComputedStyle(number).fontSize));
  }

  /** The lines of the check that are drawn. */
  get checkedLines() {
    return this.check.getByRole('listitem');
  }

  get result() {
    return this.#page.getByRole('region', { name: 'Result' });
  }

  get results() {
    return this.result.getByRole('listitem');
  }

  get sendButton() {
    return this.#page.getByRole('button', { name: /^Send( \d+)? invitations?$/ });
  }

  /** The sentence that says what will be sent. */
  get sentence() {
    return this.#page.locator('footer');
  }

  /** The link beside the Send button. */
  get footLink() {
    return this.sentence.getByRole('link');
  }

  async open(query = '') {
    await this.#page.goto(`/invite${query}`);
  }

  /** How many swarms can be chosen without a search. */
  get firstSwarms() {
    return this.#page.getByText(/^The first \d+ of/);
  }

  async searchSwarm(q: string) {
    await this.swarmField.fill(q);
    await this.firstSwarms.waitFor({ state: 'hidden' });
  }

  async chooseSwarm(name: string) {
    await this.swarmField.click();
    await this.#page.getByRole('option', { name }).click();
  }

  get createDialog() {
    return this.#page.getByRole('dialog', { name: 'Create a swarm' });
  }

  async nameSwarm(name: string) {
    await this.createDialog.getByRole('textbox', { name: 'Name' }).fill(name);
    await this.createDialog.getByRole('button', { name: 'Create swarm' }).click();
  }

  async startCreatingSwarm() {
    await this.#page.getByRole('button', { name: 'Create swarm' }).click();
  }

  role(name: 'Sends' | 'Receives' | 'Both') {
    return this.#page.getByRole('radio', { name });
  }

  line(number: number) {
    const mark = this.#page.getByText(`Line ${number}`, { exact: true });
    return this.#page.getByRole('listitem').filter({ has: mark });
  }

  /** The button that shows the role of a line and changes it. */
  roleOf(number: number) {
    return this.#page.getByRole('button', { name: `Role of line ${number}: ` });
  }

  async setRole(number: number, role: 'Sends' | 'Receives') {
    await this.roleOf(number).click();
    await this.#page.getByRole('menuitemradio', { name: role }).click();
  }

  /** On a phone. */
  async showReady() {
    await this.#page.getByRole('button', { name: /^Show the .*ready$/ }).click();
  }

  /** The form that assigns a file's unrecognised columns. */
  get columns() {
    return this.#page.getByRole('group', { name: 'Unknown columns' });
  }

  async useColumn(name: string, use: string) {
    await this.columns.getByRole('combobox', { name: `Use of ${name}` }).selectOption({ label: use });
  }

  fixButton(number: number) {
    return this.check.getByRole('button', { name: `Fix line ${number}`, exact: true });
  }

  async fix(number: number) {
    await this.fixButton(number).click();
  }

  async typeInstead({ user, id }: { user: string; id: string }) {
    await this.#page.getByRole('button', { name: 'Enter user name and ID instead' }).click();
    await this.#page.getByLabel('User name').fill(user);
    await this.#page.getByLabel('Device ID').fill(id);
    await this.#page.getByRole('button', { name: 'Add to the list' }).click();
  }

  async readFile(text: string) {
    await this.#page.locator('input[type="file"]').setInputFiles({
      name: 'codes.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(text),
    });
  }

  /** Removes the result. */
  async inviteMore() {
    await this.result.getByRole('button', { name: 'Invite more' }).click();
  }

  async toBoard() {
    await this.result.getByRole('link', { name: 'Show sent invitations' }).click();
  }

  /** The QR code on the device's page. */
  get codeBox() {
    return this.#page.getByRole('region', { name: 'Invite code' });
  }

  /** The QR code in full screen. */
  get qrDialog() {
    return this.#page.getByRole('dialog', { name: 'Invite code' });
  }

  get qrCode() {
    return this.qrDialog.getByText('QR code of the link');
  }

  async showQrCode() {
    await this.codeBox.getByRole('button', { name: /^(Show|Enlarge) QR code$/ }).click();
  }

  /** What the code says about the device. */
  async chooseLabel(kind: 'Only its ID' | 'Its name' | 'Your text') {
    await this.codeBox.getByText(kind, { exact: true }).click();
  }

  label(kind: 'Only its ID' | 'Its name' | 'Your text') {
    return this.codeBox.getByRole('radio', { name: kind });
  }

  /** The path of the QR code on the device's page, and how many cells a side has. */
  async qrPath(): Promise<{ path: string; size: number }> {
    return this.qrDialog.locator('svg.qr-code').evaluate((svg: SVGSVGElement) => ({
      path: svg.querySelector('path')!.getAttribute('d')!,
      size: svg.viewBox.baseVal.width,
    }));
  }

  get scanDialog() {
    return this.#page.getByRole('dialog', { name: 'Scan invite codes' });
  }

  get light() {
    return this.scanDialog.getByRole('button', { name: 'Light' });
  }

  /** The devices below the camera. */
  get scanned() {
    return this.scanDialog.getByRole('list', { name: 'Check before sending' }).getByRole('listitem');
  }

  async scan() {
    await this.#page.getByRole('button', { name: 'Scan QR code' }).click();
  }

  async retryScan() {
    await this.scanDialog.getByRole('button', { name: 'Retry' }).click();
  }

  async endScan() {
    await this.scanDialog.getByRole('button', { name: 'Done' }).click();
  }

  async copyCode() {
    await this.codeBox.getByRole('button', { name: 'Copy invite code' }).click();
  }
}
