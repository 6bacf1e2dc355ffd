import { DeviceFormPart, type DeviceText } from './device-form.part.ts';
import { isFirstShown } from './is-first-shown.ts';
import { MapPart } from './map.part.ts';

/** The page Devices: the list, its filters, the card of the selected device, and the map. */
export class HomePage extends MapPart {
  get heading() {
    return this.page.getByRole('heading', { name: 'Devices', level: 1 });
  }

  /** "187", or "12 of 187" with a filter. */
  get count() {
    return this.page.getByRole('status').filter({ hasText: /\d.*devices?$/ });
  }

  get list() {
    return this.page.getByRole('list', { name: 'List of devices' });
  }

  get scroller() {
    return this.list.locator('..');
  }

  /** The panel or the sheet with the list. */
  get panel() {
    return this.page.getByRole('region', { name: 'List of devices' });
  }

  /** The actions on the selected rows. */
  get selectionBar() {
    return this.page.getByRole('region', { name: 'Selection', exact: true });
  }

  rowCheckbox(name: string) {
    return this.row(name).getByRole('checkbox');
  }

  /** Above the list: what the server does not have yet. */
  get waitingDevices() {
    return this.page.getByRole('list', { name: 'Not sent yet' }).getByRole('listitem');
  }

  /** Shows the card of the first of them. */
  async openWaiting() {
    await this.waitingDevices.getByRole('button').first().click();
  }

  get rows() {
    return this.list.getByRole('listitem');
  }

  /** The element of the list that has the focus. */
  get focused() {
    return this.list.locator(':focus');
  }

  get card() {
    return this.page.getByRole('region', { name: 'Selected device' });
  }

  get cardHeading() {
    return this.card.getByRole('heading');
  }

  cardButton(name: string) {
    return this.card.getByRole('button', { name });
  }

  /** The filter that adds the devices of others. */
  get seesAll() {
    return this.page.getByRole('button', { name: 'All I can see' });
  }

  get searchField() {
    return this.page.getByRole('searchbox', { name: 'Search devices' });
  }

  get firstRun() {
    return this.page.getByRole('heading', { name: 'Put your first device on the map' });
  }

  get addForm() {
    return new DeviceFormPart(this.#addDialog);
  }

  get inView() {
    return this.page.getByRole('switch', { name: 'Only in view' });
  }

  /** Over the map of a phone. */
  get jumpField() {
    return this.page.getByRole('button', { name: 'Jump to…' });
  }

  /** Labelled only "Add" on small screens. */
  get addButton() {
    return this.page.getByRole('button', { name: /^Add( device)?$/ });
  }

  get mapLoading() {
    return this.page.getByText('Loading devices…');
  }

  /** Over the rows, while those of the new filters load. */
  get rowsLoading() {
    return this.page.getByText('These rows are for your previous filters.');
  }

  /** The notice that the rows are of loaded devices because the server is unreachable. */
  get loadedRows() {
    return this.page.getByText('Only loaded devices');
  }

  /** The heading of a list in which no device matches the filters. */
  get nothingMatches() {
    return this.page.getByRole('heading', { name: /^No devices match/ });
  }

  get changedNotice() {
    return this.page.getByRole('button', { name: /updated · Re-sort$/ });
  }

  /** The server's progress while it counts the devices for the first time. It replaces the count. */
  get counting() {
    return this.page.getByRole('status').filter({ hasText: /^Loading… \d+%$/ });
  }

  /** The button of the row with this index, from 0. */
  rowButton(place: number) {
    return this.list.locator(`[aria-posinset="${place + 1}"] [data-row]`);
  }

  get dismissToast() {
    return this.page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Dismiss' });
  }

  /** Copies the ID from the card's menu. */
  async copyId() {
    await this.card.getByRole('button', { name: 'More' }).click();
    await this.page.getByRole('menuitem', { name: 'Copy ID' }).click();
  }

  /** Shares the selected device from the card's menu. */
  async shareSelected() {
    await this.card.getByRole('button', { name: 'More' }).click();
    await this.page.getByRole('menuitem', { name: 'Share' }).click();
  }

  /** Returns what was copied. */
  async copyPosition() {
    await this.card.getByRole('button', { name: /^Copy coordinates/ }).click();
    await this.page.getByText('Coordinates copied').waitFor();
    return this.page.evaluate(() => navigator.clipboard.readText());
  }

  row(name: string) {
    return this.rows.filter({ has: this.#main(name) });
  }

  /** The name of a swarm in the row of a device. */
  swarmInRow(device: string, swarm: string) {
    return this.row(device).getByText(swarm, { exact: true });
  }

  chip(name: string) {
    return this.page.getByRole('group', { name: 'Filters' }).getByRole('button', { name: new RegExp(`^${name}`) });
  }

  /** The first item of the swarm filter's menu. */
  get anySwarm() {
    return this.page.getByRole('menuitemradio', { name: 'Any swarm' });
  }

  async open(query: Record<string, string> = {}) {
    await this.page.goto(`/?${new URLSearchParams(query).toString()}`);
  }

  /** Whether an element of the page has the focus. */
  hasFocus() {
    return this.page.evaluate(() => document.activeElement !== document.body);
  }

  /** The names of the rendered rows, in order. A truncated name is in the DOM twice: whole and truncated. */
  async names() {
    const rows = await this.rows.evaluateAll((elements) =>
      elements.map((element) => ({
        at: Number(element.ariaPosInSet),
        text: element.querySelector('[data-row]')?.textContent ?? '',
      })),
    );
    const ordered = rows.sort((a, b) => a.at - b.at);
    return ordered.map(({ text }) => /^(.+?)(?:\1)?, (?:PC|Bug|Smartphone), /.exec(text)?.[1] ?? text);
  }

  /** On a phone the card of the selected device replaces the list. */
  async showList() {
    if (!(await isFirstShown(this.heading, this.card))) await this.closeCard();
  }

  async startAdding() {
    await this.page
      .getByRole('button', { name: /^Add( device| your first device)?$/ })
      .first()
      .click();
  }

  get addSubmit() {
    return this.#addDialog.getByRole('button', { name: 'Add device' });
  }

  /** Leaves the dialog for the one that shares the position of a phone. */
  async addPhone() {
    await this.#addDialog.getByRole('link', { name: 'Use a phone as a device' }).click();
  }

  async confirmAdding() {
    await this.addSubmit.click();
  }

  /** Follows the link to the import in the dialog. */
  async importInstead() {
    await this.#addDialog.getByRole('link', { name: 'Import a file' }).click();
  }

  async add(device: DeviceText) {
    await this.startAdding();
    await this.addForm.fill(device);
    await this.confirmAdding();
  }

  async search(text: string) {
    const opener = this.page.getByRole('button', { name: 'Search devices' });
    if (!(await isFirstShown(this.searchField, opener))) await opener.click();
    await this.searchField.fill(text);
  }

  async toggle(chip: string) {
    await this.chip(chip).click();
  }

  async toggleInView() {
    await this.inView.click();
  }

  order(name: 'Name' | 'Last change' | 'Newest' | 'Nearest first' | 'Highest value' | 'Lowest value') {
    return this.page.getByRole('menuitemradio', { name });
  }

  async openOrders() {
    await this.page.getByRole('button', { name: /^Sort by/ }).click();
  }

  async sortBy(order: 'Name' | 'Last change' | 'Newest' | 'Nearest first' | 'Highest value' | 'Lowest value') {
    await this.openOrders();
    await this.order(order).click();
  }

  async sortAgain() {
    await this.changedNotice.click();
  }

  async takeOff(filter: RegExp) {
    await this.page.getByRole('button', { name: filter }).click();
  }

  async clearFilters() {
    await this.page.getByRole('button', { name: 'Clear all filters' }).click();
  }

  async select(name: string) {
    await this.#main(name).click();
  }

  async closeCard() {
    await this.card.getByRole('button', { name: 'Close' }).click();
  }

  async openSelected() {
    await this.card.getByRole('button', { name: /^Open/ }).click();
  }

  /** Finds a loaded row by its number in the list, from 1. */
  rowAt(position: number) {
    return this.rows.and(this.page.locator(`[aria-posinset="${position}"]`));
  }

  /** The number of the selected row; 0 while it is not rendered. */
  async selectedPosition() {
    const selected = this.rows.filter({ has: this.page.locator('[aria-current]') });
    return Number((await selected.count()) > 0 && (await selected.getAttribute('aria-posinset')));
  }

  /** The scroll position of the list, in px. */
  async scrolled() {
    return this.scroller.evaluate((element) => element.scrollTop);
  }

  async scrollTo(top: number) {
    await this.scroller.evaluate((element, to) => element.scrollTo({ top: to }), top);
  }

  async placeDraft() {
    await this.page.getByRole('button', { name: 'Place on map' }).click();
  }

  /** The hint beside a device that is being placed. */
  get placeHint() {
    return this.placing.getByRole('status').first();
  }

  get placeLatitude() {
    return this.placing.getByLabel('Latitude');
  }

  get placeLongitude() {
    return this.placing.getByLabel('Longitude');
  }

  async placeAtOwnLocation() {
    await this.placing.getByRole('button', { name: 'My location' }).click();
  }

  get cancelPlacing() {
    return this.placing.getByRole('button', { name: 'Cancel' });
  }

  /** Announced when the map has moved. */
  get spokenCross() {
    return this.placing.getByText(/^Crosshair at/);
  }

  get mapCredits() {
    return this.page.getByText(/^Built-in map/);
  }

  toast(text: RegExp) {
    return this.page.getByRole('region', { name: 'Notifications' }).getByText(text);
  }

  /** Shown while a device is placed. */
  get placing() {
    return this.page.getByRole('region', { name: 'Place on map' });
  }

  async confirmPlace() {
    await this.page.getByRole('button', { name: 'Place here' }).click();
  }

  async placeFromRow(name: string) {
    await this.page.getByRole('button', { name: `Place ${name} on the map` }).click();
  }

  /** The centre of the part of the map that neither panel, sheet nor search field covers. The URL's position means this point. */
  override async middleOfMap() {
    const panel = this.page.getByRole('region', { name: 'List of devices' });
    const [map, list] = [await this.map.boundingBox(), await panel.boundingBox()];
    if (!map || !list) throw new Error('map or list is not there');
    const sheet = list.width === map.width;
    const margin = list.x - map.x;
    const left = sheet ? 0 : margin + list.width + margin;
    const jump = sheet ? await this.jumpField.boundingBox() : null;
    const top = jump ? jump.y + jump.height - map.y : 0;
    const bottom = sheet ? list.y - map.y : map.height;
    return { x: (left + map.width) / 2, y: (top + bottom) / 2 };
  }

  /** On a phone: the height of the map between the search field and the sheet, in px. */
  async freeHeightOfMap() {
    const [jump, sheet] = [await this.jumpField.boundingBox(), await this.panel.boundingBox()];
    return sheet!.y - jump!.y - jump!.height;
  }

  get #addDialog() {
    return this.page.getByRole('dialog', { name: 'Add a device' });
  }

  #main(name: string) {
    const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
    return this.page.getByRole('button', { name: new RegExp(`^${escaped}\\s?, (PC|Bug|Smartphone)`) });
  }
}
