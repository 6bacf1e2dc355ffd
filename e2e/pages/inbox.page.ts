import type { Page } from 'playwright/test';
import { isFirstShown } from './is-first-shown.ts';

type AnswerName = 'Accept' | 'Reject' | 'Withdraw';

/** The page Invitations: Received and Sent, open invitations and History, and the details of the opened one. */
export class InboxPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get heading() {
    return this.#page.getByRole('heading', { level: 1 });
  }

  /** Received, the chosen one, and Sent. */
  get boxes() {
    return this.#page.getByRole('navigation', { name: 'Received or sent' }).getByRole('link');
  }

  /** Finds a text anywhere on the page. */
  says(text: string) {
    return this.#page.getByText(text).first();
  }

  get retry() {
    return this.#page.getByRole('main').getByRole('button', { name: 'Retry' });
  }

  get clearSearch() {
    return this.#page.getByRole('button', { name: 'Clear search' }).last();
  }

  /** The rows that show how an invitation ended: in History, or still in their places among the open ones. */
  get answered() {
    return this.#page
      .getByRole('list')
      .getByRole('listitem')
      .filter({ has: this.#page.locator('.invitation-past, .invitation-ended') });
  }

  get open() {
    return this.#page.getByRole('list', { name: /^(Needs|Waiting for) an answer$/ });
  }

  get history() {
    return this.#page.getByRole('list', { name: 'History' });
  }

  /** The rows of open invitations. */
  get rows() {
    return this.open.getByRole('listitem').filter({ hasNot: this.#page.locator('.invitation-ended') });
  }

  /** A row that keeps its place after its invitation has ended. */
  ended(device: string) {
    return this.open.getByRole('listitem').filter({ hasText: device, has: this.#page.locator('.invitation-ended') });
  }

  /** Of each hint beside the answer buttons of the open invitation: whether it is in view, and on one line. */
  keyHints() {
    return this.#page.locator('.pane-keys > span').evaluateAll((hints) =>
      hints.map((hint) => {
        const { left, right, top, bottom, height } = hint.getBoundingClientRect();
        const around = hint.parentElement!.getBoundingClientRect();
        const isInside = left >= around.left - 1 && right <= around.right + 1;
        return { isWhole: isInside && top >= around.top - 2 && bottom <= around.bottom + 2 && height < 30 };
      }),
    );
  }

  /** What says in each row who sees what after Accept. */
  get audiences() {
    return this.#page.locator('.answer-audience');
  }

  /** Those of which a part cannot be read. The number of members may have no room. */
  cutAudiences() {
    return this.audiences.evaluateAll((lines) =>
      lines.flatMap((line) => {
        const words = line.querySelector(':scope > span')!;
        const text = document.createRange();
        text.selectNodeContents(words.firstElementChild ?? words);
        const [box, row] = [words, line.closest('.row')!].map((at) => at.getBoundingClientRect());
        const isCut = [...text.getClientRects()].some(
          ({ right, bottom }) => right > box!.right + 1 || bottom > Math.min(box!.bottom, row!.bottom) + 1,
        );
        return isCut ? [words.textContent] : [];
      }),
    );
  }

  /** The roles of open invitations that are only their sign. */
  narrowRoles() {
    return this.#page
      .locator('.invitation-second > .role-chip')
      .evaluateAll((chips) => chips.filter((at) => at.clientWidth < 30).map((at) => at.textContent));
  }

  /** Returns how much of both names is visible in each row, and how much else of their line is cut off. */
  namesInRows() {
    return this.rows.evaluateAll((rows) =>
      rows.map((row) => {
        const part = (name: string) => row.querySelector<HTMLElement>(`.invitation-${name}`)!;
        const [line, asker, device] = [part('asking'), part('user'), part('device')];
        const cuts = [device, ...device.querySelectorAll('.cut-end')];
        return {
          cut: Math.max(0, line.scrollWidth - line.clientWidth, line.scrollHeight - line.clientHeight),
          title: asker.title,
          asker: { width: asker.offsetWidth, whole: asker.scrollWidth <= asker.clientWidth },
          device: {
            text: device.textContent,
            width: device.offsetWidth,
            whole: cuts.every((at) => at.scrollWidth <= at.clientWidth),
          },
        };
      }),
    );
  }

  get pane() {
    return this.#page.getByRole('region', { name: 'Invitation', exact: true });
  }

  get paneHeading() {
    return this.pane.getByRole('heading', { level: 2 });
  }

  /** The message of the details pane if no invitation is opened. */
  get paneAlert() {
    return this.pane.getByRole('alert');
  }

  /** The link of the opened invitation to its swarm. */
  linkToSwarm(name: string) {
    return this.pane.getByRole('link', { name });
  }

  get loading() {
    return this.#page.getByRole('status').filter({ hasText: 'Loading invitations' });
  }

  get map() {
    return this.#page.getByRole('region', { name: 'Map of your device' });
  }

  /** Above the rows, once some have arrived out of sight. */
  get arrivals() {
    return this.#page.getByRole('button', { name: /^\d+ new$/ });
  }

  get searchField() {
    return this.#page.getByRole('searchbox', { name: 'Search invitations' });
  }

  get selected() {
    return this.#page.getByRole('status').filter({ hasText: /selected$/ });
  }

  /** The summary of the selected invitations: beside the list, or over it on a phone. */
  get summary() {
    return this.#page.getByRole('dialog').or(this.pane);
  }

  /** The number beside "Needs an answer". */
  get openCount() {
    return this.#page.locator('.inbox-section').filter({ hasText: 'Needs an answer' }).locator('.numbers');
  }

  /** The badge in the navigation with the number of open invitations. */
  badge(count: number | string) {
    return this.#page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: `Invitations ${count}` });
  }

  get noBadge() {
    return this.#page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Invitations', exact: true });
  }

  get focusInList() {
    return this.rows.locator(':focus');
  }

  row(device: string) {
    return this.rows.filter({ hasText: device });
  }

  past(device: string) {
    return this.answered.filter({ hasText: device });
  }

  /** The invitations on a device's page. */
  onDevice(swarm: string) {
    return this.#page.getByRole('region', { name: 'Invitations' }).getByRole('listitem').filter({ hasText: swarm });
  }

  linkOnDevice(swarm: string) {
    return this.onDevice(swarm).getByRole('link');
  }

  answerOnDevice(swarm: string, answer: AnswerName) {
    return this.onDevice(swarm).getByRole('button', { name: answer });
  }

  async goto(query: Record<string, string> = {}) {
    await this.#page.goto(`/invitations?${new URLSearchParams(query).toString()}`);
  }

  /** The button that is the row itself. */
  rowButton(device: string) {
    return this.row(device).getByRole('button').first();
  }

  /** What moves with a finger. */
  swipedRow(device: string) {
    return this.row(device).locator('.swipeable');
  }

  checkbox(device: string) {
    return this.row(device).getByRole('checkbox');
  }

  /** Where the rows are on the screen, by the text of the device's name. */
  async topOf(device: string) {
    return (await this.#page.getByRole('listitem').filter({ hasText: device }).boundingBox())?.y;
  }

  async scrollTop() {
    return this.#page.locator('.inbox-scroller').evaluate((list) => list.scrollTop);
  }

  async showBox(name: 'Received' | 'Sent') {
    await this.#page.getByRole('link', { name: new RegExp(`^${name}`) }).click();
  }

  async select(device: string) {
    await this.row(device)
      .getByRole('button')
      .first()
      .click({ position: { x: 120, y: 12 } });
  }

  async selectPast(device: string) {
    await this.past(device)
      .getByRole('button')
      .click({ position: { x: 120, y: 12 } });
  }

  async back() {
    await this.#page.getByRole('button', { name: 'Back to invitations' }).click();
  }

  answerButton(device: string, answer: AnswerName) {
    return this.row(device).getByRole('button', { name: new RegExp(`^${answer}`) });
  }

  async answerInRow(device: string, answer: AnswerName) {
    await this.answerButton(device, answer).click();
  }

  /** Taps twice on a button that Undo replaces. */
  async doubleClickReject(device: string) {
    await this.row(device).getByRole('button', { name: 'Reject' }).dblclick();
  }

  answerButtonInPane(answer: AnswerName) {
    return this.pane.getByRole('button', { name: new RegExp(`^${answer}(?! until)`) });
  }

  async answerInPane(answer: AnswerName) {
    await this.answerButtonInPane(answer).click();
  }

  async acceptUntil(until: string) {
    await this.pane.getByRole('button', { name: 'Accept until…' }).click();
    const dialog = this.#page.getByRole('dialog', { name: 'Accept until…' });
    await dialog.getByRole('combobox', { name: 'Until' }).selectOption(until);
    await dialog.getByRole('button', { name: 'Accept' }).click();
  }

  get acceptInPane() {
    return this.answerButtonInPane('Accept');
  }

  get consent() {
    return this.pane.locator('.consent .note-words');
  }

  /** Goes along with Accept. */
  get showOnLinks() {
    return this.pane.getByRole('checkbox', { name: /^Allow links of this swarm/ });
  }

  undoButton(device: string) {
    return this.row(device).getByRole('button', { name: /^Undo/ });
  }

  get undoInPane() {
    return this.pane.getByRole('button', { name: /^Undo/ });
  }

  undoOnDevice(swarm: string) {
    return this.onDevice(swarm).getByRole('button', { name: /^Undo/ });
  }

  async undo(device: string) {
    await this.undoButton(device).click();
  }

  async toggle(device: string, { range = false } = {}) {
    await this.row(device)
      .getByRole('checkbox')
      .click(range ? { modifiers: ['Shift'] } : {});
  }

  /** Turns the wheel over the list, below its header. Hovering over a row would scroll that row into view first. */
  async scroll(by: number) {
    const head = await this.searchField.boundingBox();
    if (!head) throw new Error('the list is not there');
    await this.#page.mouse.move(head.x + 200, head.y + 300);
    await this.#page.mouse.wheel(0, by);
  }

  async selectAll() {
    await this.#page.getByRole('button', { name: /^(Select all|All \d)/ }).click();
  }

  /** Opens the summary on a phone. */
  async review() {
    const review = this.#page.getByRole('button', { name: /^Review/ });
    const summary = this.summary.getByText(/You can undo this for a short time|can only be rejected/);
    if (await isFirstShown(review, summary)) await review.click();
  }

  async answerAll(answer: AnswerName, count: number | string) {
    await this.summary.getByRole('button', { name: `${answer} ${count}` }).click();
  }

  async search(text: string) {
    await this.searchField.fill(text);
  }
}
