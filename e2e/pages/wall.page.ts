import { isFirstShown } from './is-first-shown.ts';
import { MapPart } from './map.part.ts';

/** The wall: a full-screen map of a swarm, or of all devices that the user may see. */
export class WallPage extends MapPart {
  get heading() {
    return this.page.getByRole('heading', { level: 1 });
  }

  /** The devices beside the map, or on a phone in the sheet. */
  get list() {
    return this.page.getByRole('region', { name: 'List' });
  }

  get listRows() {
    return this.list.getByRole('listitem');
  }

  /** On a phone by the menu. */
  async openList() {
    const more = this.page.getByRole('button', { name: 'More', exact: true });
    const direct = this.page.getByRole('button', { name: 'List', exact: true });
    if (await isFirstShown(more, direct)) {
      await more.click();
      await this.page.getByRole('menuitem', { name: 'List' }).click();
    } else await direct.click();
  }

  async closeList() {
    await this.list.getByRole('button', { name: 'Close list' }).click();
  }

  async selectInList(name: string) {
    await this.listRows.filter({ hasText: name }).getByRole('button').click();
  }

  pageLink(name: string) {
    return this.list.getByRole('link', { name: `Open ${name}` });
  }

  /** Counts and legend; on a phone the legend, and the selected device above it. */
  get panel() {
    return this.page.getByRole('region', { name: 'Map settings' });
  }

  /** Only on a phone. */
  override get legend() {
    return this.panel.getByRole('heading', { name: 'Legend' });
  }

  /** On a phone: the title, the counts, and the last change unless a device is selected. */
  get lines() {
    return this.page.locator('.wall-title > *, .wall-newest');
  }

  /** The name of the selected device, and the age of its last change. */
  get cardLines() {
    return this.card.locator('.card-title > *');
  }

  /** How many pixels of symbols are drawn on the map, and how many of them are under the panel of a desk. */
  symbolPixels() {
    return this.page.evaluate(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('canvas.map-symbols, .map-symbols canvas');
      if (!canvas) return { all: 0, covered: 0 };
      const [shown, panel] = [canvas, document.querySelector('.wall-panel')!].map((at) => at.getBoundingClientRect());
      const ratio = canvas.width / shown!.width;
      const countIn = (...box: [number, number, number, number]) => {
        const [left, top, width, height] = box.map((px) => Math.round(px * ratio)) as typeof box;
        const { data } = canvas.getContext('2d')!.getImageData(left, top, width, height);
        return data.filter((value, index) => index % 4 === 3 && value > 0).length;
      };
      const { left, top, width, height } = panel!;
      return {
        all: countIn(0, 0, shown!.width, shown!.height),
        covered: countIn(left - shown!.left, top - shown!.top, width, height),
      };
    });
  }

  /** On a phone: the space between the bar and the sheet, in px. */
  sheetBelowBar() {
    return this.page.evaluate(() => {
      const [bar, sheet] = ['.wall-bar', '.wall-sheet'].map((at) =>
        document.querySelector(at)!.getBoundingClientRect(),
      );
      return sheet!.top - bar!.bottom;
    });
  }

  /** Whether a button of the map is over a line of its credits. */
  areCreditsCovered() {
    return this.page.evaluate(() => {
      const lines = [...document.querySelectorAll('.map-credits, .map-credits a')].flatMap(({ firstChild }) => {
        const text = document.createRange();
        text.selectNodeContents(firstChild!);
        return [...text.getClientRects()];
      });
      return [...document.querySelectorAll('.map-control')]
        .map((button) => button.getBoundingClientRect())
        .some(({ left, top, right, bottom }) =>
          lines.some((line) => left < line.right && line.left < right && top < line.bottom && line.top < bottom),
        );
    });
  }

  get placed() {
    return this.page.getByText(/^\d.* of \d+ with a position/).last();
  }

  get changed() {
    return this.page.getByText(/changed in 1\smin$/);
  }

  get card() {
    return this.page.getByRole('region', { name: /^(Selected device|Ausgewähltes Gerät)$/ });
  }

  get listSearch() {
    return this.list.getByRole('searchbox', { name: 'Search the list' });
  }

  async sortList(order: string) {
    await this.list.getByRole('button', { name: /^Sort order: / }).click();
    await this.page.getByRole('menuitemradio', { name: order }).click();
  }

  async openCard() {
    await this.card.getByRole('link', { name: 'Open', exact: true }).click();
  }

  async closeCard() {
    await this.card.getByRole('button', { name: 'Close', exact: true }).click();
  }

  async toggleLegend() {
    await this.panel.getByRole('button', { name: 'Legend' }).click();
  }

  /** A text that is only announced. */
  spoken(text: string) {
    return this.page.getByText(text);
  }

  /** Shown instead of the wall to who may not see the swarm. */
  get gone() {
    return this.page.getByText('It may have been deleted, your device may have left it, or you don’t have access.');
  }

  /** Over the map while the connection is interrupted. */
  get away() {
    return this.page.locator('.wall-away');
  }

  /** From the upper edge of the alert to the end of the map, in px. */
  async spaceBelowAlert() {
    const [alert, map] = [await this.silent.boundingBox(), await this.map.boundingBox()];
    return map!.y + map!.height - alert!.y;
  }

  /** Over the map while devices are silent. */
  get silent() {
    return this.page.getByRole('button', { name: /silent$/ });
  }

  get live() {
    return this.page.getByText('Live', { exact: true });
  }

  get notLive() {
    return this.page.getByText(/^Not live since \d\d:\d\d$/).last();
  }

  get followButton() {
    return this.page.getByRole('button', { name: /^Follow/ });
  }

  get leaveLink() {
    return this.page.getByRole('link', { name: 'Leave wall' });
  }

  get colour() {
    return this.page.getByRole('switch', { name: 'Colour by last heard' });
  }

  get layersOff() {
    return this.page.getByText(/^All roles, all machine types or all states are hidden/);
  }

  get clock() {
    return this.page.getByText(/^\d\d:\d\d:\d\d/);
  }

  get signInAgain() {
    return this.page.getByRole('dialog', { name: /ended/ });
  }

  /** A switch, or on a phone a chip. */
  layer(name: string) {
    const named = { name: new RegExp(`^${name}`) };
    return this.page.getByRole('switch', named).or(this.panel.getByRole('button', named));
  }

  layerOn(name: string) {
    const named = { name: new RegExp(`^${name}`) };
    return this.page
      .getByRole('switch', { ...named, checked: true })
      .or(this.panel.getByRole('button', { ...named, pressed: true }));
  }

  error(title: string) {
    return this.page.getByRole('heading', { name: title });
  }

  /** In any language. */
  button(name: string) {
    return this.page.getByRole('button', { name, exact: true });
  }

  note(text: string) {
    return this.page.getByRole('status').filter({ hasText: text });
  }

  async open({ swarm, ...query }: { swarm?: string } & Record<string, string>) {
    const path = swarm ? `/swarms/${swarm}/map` : '/map';
    await this.page.goto(`${path}?${new URLSearchParams(query).toString()}`);
  }

  async openFromSwarm() {
    await this.page.getByRole('link', { name: 'Open wall' }).click();
  }

  async openFromDevices() {
    await this.page.getByRole('button', { name: 'More' }).click();
    await this.page.getByRole('menuitem', { name: 'Open wall' }).click();
  }

  async leave() {
    await this.leaveLink.click();
  }

  async toggle(layer: string) {
    await this.layer(layer).click();
  }

  async showAll() {
    await this.page.getByRole('button', { name: 'Show all', exact: true }).click();
  }

  async click({ x, y }: { x: number; y: number }) {
    await this.page.mouse.click(x, y);
  }

  async drag() {
    const { x, y } = await this.middleOfMap();
    await this.page.mouse.move(x + 120, y + 120);
    await this.page.mouse.down();
    await this.page.mouse.move(x + 60, y + 60, { steps: 4 });
    await this.page.mouse.up();
  }

  /** The centre of the part of the map that panel, bar and sheet leave uncovered. An opened card moves it. */
  override async middleOfMap() {
    const [map, panel] = [await this.map.boundingBox(), await this.panel.boundingBox()];
    if (!map || !panel) throw new Error('map or panel is not there');
    if (panel.width < map.width) {
      const start = panel.x + panel.width + panel.x;
      return { x: (start + map.width) / 2, y: map.height / 2 };
    }
    const leave = await this.leaveLink.boundingBox();
    if (!leave) throw new Error('the bar is not there');
    return { x: map.width / 2, y: (leave.y + leave.height + panel.y) / 2 };
  }
}
