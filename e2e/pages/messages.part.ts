import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { checkHiddenInput } from './check-hidden-input.ts';

/** The keys and messages of a device on its page, and the messages of a swarm. */
export class MessagesPart {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get box() {
    return this.#page.getByRole('region', { name: 'Messages', exact: true });
  }

  get keys() {
    return this.#page.getByRole('region', { name: 'Keys for this device' });
  }

  get dialog() {
    return this.#page.getByRole('dialog');
  }

  /** Creates a key, and returns the command that sends a message with it. */
  async connect() {
    await this.keys.getByRole('button', { name: 'Connect' }).click();
    return this.createKey();
  }

  /** The same in the dialog that is open. */
  async createKey() {
    await this.dialog.getByRole('button', { name: 'Create key' }).click();
    return (await this.dialog.getByText(/^curl /).textContent()) ?? '';
  }

  /** The command that sends a message by MQTT. */
  async mqttCode() {
    await this.chooseCode('MQTT');
    return (await this.dialog.getByText(/^mosquitto_pub /).textContent()) ?? '';
  }

  async chooseCode(name: 'Receives' | 'Python' | 'MQTT') {
    await checkHiddenInput(this.dialog.getByRole('radio', { name }));
  }

  async startSharing() {
    await this.keys.getByRole('button', { name: 'Use a phone as a device' }).click();
  }

  /** Shares the position of a phone. Returns what sends it as the app OwnTracks does, whose configuration is in the link. */
  async share() {
    await this.dialog.getByRole('button', { name: 'Share position' }).click();
    const link = await this.dialog.getByRole('link', { name: 'Set up OwnTracks on this phone' }).getAttribute('href');
    const inline = new URL(link ?? '').searchParams.get('inline') ?? '';
    const app = JSON.parse(Buffer.from(inline, 'base64').toString()) as Record<'url' | 'username' | 'password', string>;
    const authorization = `Basic ${Buffer.from(`${app.username}:${app.password}`).toString('base64')}`;
    const body = JSON.stringify({ _type: 'location', lat: 53.5461, lon: 9.9662, tst: 1764061260 });
    const headers = { authorization, 'content-type': 'application/json' };
    return async () => (await fetch(app.url, { method: 'POST', headers, body })).status;
  }

  async closeSharing() {
    await this.dialog.getByRole('button', { name: 'Done' }).click();
  }

  async stopSharing() {
    await this.keys.getByRole('button', { name: 'Stop sharing' }).click();
    await this.#page.getByRole('alertdialog').getByRole('button', { name: 'Stop sharing' }).click();
  }

  async confirmStored() {
    await checkHiddenInput(this.dialog.getByRole('checkbox', { name: /stored the key/ }));
    await this.dialog.getByRole('button', { name: 'Done' }).click();
  }

  /** Where the new key of a device in no swarm is shown. */
  async addToSwarm() {
    await this.dialog.getByRole('button', { name: 'Add to my swarm…' }).click();
  }

  get #keyQuestion() {
    return this.#page.getByRole('alertdialog', { name: 'Key not stored yet?' });
  }

  async backToKey() {
    await this.#keyQuestion.getByRole('button', { name: 'Back to the key' }).click();
  }

  async closeWithoutKey() {
    await this.#keyQuestion.getByRole('button', { name: 'Close without the key' }).click();
  }

  /** What MQTT 5 knows of the message that is open. */
  property(name: string) {
    return this.dialog.getByRole('table', { name: 'Properties' }).getByRole('row', { name });
  }

  /** The value of a key of the last payload. */
  value(key: string) {
    return this.box.getByRole('table', { name: 'Payload' }).getByRole('row', { name: key });
  }

  async startSending() {
    await this.box.getByRole('button', { name: 'Send a message…' }).click();
  }

  async fillIn(message: { payload: string; swarm?: string; to?: string }) {
    await this.dialog.getByRole('textbox', { name: 'Payload' }).fill(message.payload);
    if (message.swarm) {
      await this.dialog.getByRole('combobox', { name: 'Swarm' }).click();
      await this.dialog.getByRole('option', { name: message.swarm }).click();
    }
    if (message.to) await this.dialog.getByRole('combobox', { name: 'To' }).selectOption(message.to);
  }

  async send() {
    await this.dialog.getByRole('button', { name: 'Send', exact: true }).click();
  }

  /** What the page says after sending. */
  get sent() {
    return this.#page.getByText(/^Sent to /);
  }

  get list() {
    return this.#page.getByRole('list', { name: 'Messages' });
  }

  get newest() {
    return this.list.getByRole('button').first();
  }

  /** The list with its footer. */
  get talk() {
    return this.#page.getByRole('region', { name: 'Messages' });
  }

  async pause() {
    await this.#page.getByRole('button', { name: 'Pause' }).click();
  }

  async resume() {
    await this.#page.getByRole('button', { name: 'Resume' }).click();
  }

  async showOnly(device: string) {
    await this.#page.getByRole('combobox', { name: 'Messages of' }).click();
    await this.#page.getByRole('option', { name: device, exact: true }).click();
  }

  async search(text: string) {
    await this.#page.getByRole('searchbox', { name: 'Search messages' }).fill(text);
  }

  /** Only messages from before this time, in the time zone of the browser. */
  async searchUntil(local: string) {
    await this.#page.getByRole('button', { name: 'Time', exact: true }).click();
    await this.#page.getByLabel('Until').fill(local);
  }

  async endSearch() {
    await this.#page.getByRole('button', { name: 'End search' }).click();
  }

  /** Returns the text of the file. */
  async export(format: string) {
    await this.#page.getByRole('button', { name: 'Export' }).click();
    const started = this.#page.waitForEvent('download');
    await this.#page.getByRole('menuitem', { name: format }).click();
    return readFile(await (await started).path(), 'utf8');
  }

  /** Follows the link of a swarm on the page of a device. */
  async openSwarm(name: string) {
    await this.box.getByRole('link', { name }).click();
  }

  /** Instead of the messages that the user cannot see. */
  async showSentBy(device: string) {
    await this.#page.getByRole('link', { name: `What ${device} has sent` }).click();
  }

  get denied() {
    return this.#page.getByText('You can’t see the messages of this swarm');
  }
}
