import type { Page } from 'playwright/test';

/** The map of a page, with its controls and notices. */
export class MapPart {
  protected readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** The circle in which the selected device is. */
  get accuracyArea() {
    return this.page.locator('.map-accuracy-area');
  }

  get map() {
    return this.page.getByRole('application', { name: /^Map/ });
  }

  get zoomIn() {
    return this.page.getByRole('button', { name: 'Zoom in' });
  }

  get scale() {
    return this.page.locator('.scale-bar');
  }

  get legend() {
    return this.page.getByText(/their machine types/);
  }

  /** The server's progress while it reads the devices for the first time. */
  get reading() {
    return this.page.getByText(/^Loading devices… \d+%$/);
  }

  /** The notice about tiles that do not load. */
  get tilesNotice() {
    return this.page.getByRole('status').filter({ hasText: /tiles/i });
  }

  /** The attribution of the tiles. */
  get tilesCredits() {
    return this.page.getByText(/^Tiles:/);
  }

  /** What the map says at close zooms, if the server has no tiles. */
  get streetsHint() {
    return this.page.getByRole('link', { name: 'An operator can add streets' });
  }

  get ownLocation() {
    return this.page.getByText('Your location', { exact: true });
  }

  get ownAccuracy() {
    return this.page.locator('.map-own-accuracy');
  }

  get locationBlocked() {
    return this.page.getByText(/^Location access is blocked\. Allow it/);
  }

  /** The parts of the built-in map that are drawn, and what the rest looks like. */
  async ground() {
    return this.map.evaluate((map) => {
      const colours = ['--land', '--sea'].map((name) => {
        map.style.color = `var(${name})`;
        return [getComputedStyle(map).color, name.slice(2)];
      });
      map.style.color = '';
      const { backgroundColor } = getComputedStyle(map.closest('.map')!);
      return {
        drawn: map.querySelectorAll('.map-basemap .leaflet-tile-loaded').length,
        rest: Object.fromEntries(colours)[backgroundColor] ?? 'neither',
      };
    });
  }

  /** Returns a function that returns all errors of the open document, also those that were shown for a moment. */
  async watchErrors() {
    await this.page.addInitScript(() => {
      const errors: string[] = [];
      Object.assign(window, { errors });
      new MutationObserver(() => {
        const lines = document.body?.innerText.split('\n') ?? [];
        errors.push(...lines.filter((line) => /could not|couldn’t|signed out/i.test(line)));
      }).observe(document, { childList: true, subtree: true });
    });
    return () => this.page.evaluate(() => (window as unknown as { errors: string[] }).errors);
  }

  /** Returns a function that returns all notices since the page was opened, also those that were shown for a moment. */
  async watchNotices() {
    await this.page.addInitScript(() => {
      const shown: string[] = [];
      Object.assign(window, { shown });
      new MutationObserver(() => {
        for (const notice of document.querySelectorAll('.map-notice')) shown.push(notice.textContent);
      }).observe(document, { childList: true, subtree: true });
    });
    return () => this.page.evaluate(() => (window as unknown as { shown: string[] }).shown);
  }

  async dismissNotice() {
    await this.page.getByRole('button', { name: 'Dismiss' }).click();
  }

  async locate() {
    await this.page.getByRole('button', { name: 'Show my location' }).click();
  }

  /** Clicks a point of the map, as fractions of its width and height. */
  async clickMap(point: { across: number; down: number }) {
    await this.map.click({ position: await this.#position(point) });
  }

  async tapMap(point: { across: number; down: number }) {
    await this.map.tap({ position: await this.#position(point) });
  }

  async #position({ across, down }: { across: number; down: number }) {
    const box = await this.map.boundingBox();
    if (!box) throw new Error('the map is not there');
    return { x: box.width * across, y: box.height * down };
  }

  /** While a device is placed. */
  get placeSearch() {
    return this.page.getByRole('searchbox', { name: 'Find a place on the map' });
  }

  get foundPlaces() {
    return this.page.getByRole('list', { name: 'Places' }).getByRole('button');
  }

  async goToPlace(name: string) {
    await this.foundPlaces.filter({ hasText: name }).click();
  }

  async clickMiddleOfMap() {
    await this.map.click({ position: await this.middleOfMap() });
  }

  /** Whether a symbol is drawn at the centre of the map: the pointer changes over it. */
  async pointsAtSomething() {
    const { x, y } = await this.middleOfMap();
    await this.map.hover({ position: { x: x + 80, y } });
    await this.map.hover({ position: { x, y } });
    return (await this.map.evaluate((map) => getComputedStyle(map).cursor)) === 'pointer';
  }

  /** The colour inside the symbol of a bug at the centre of the map, below its glyph. */
  async colourInSymbol() {
    const { x, y } = await this.middleOfMap();
    return this.map.evaluate(
      (map, [left, top]) => {
        const canvas = map.querySelector<HTMLCanvasElement>('canvas.map-symbols, .map-symbols canvas')!;
        const [shown, from] = [canvas.getBoundingClientRect(), map.getBoundingClientRect()];
        const ratio = canvas.width / shown.width;
        const at = [left! + from.left - shown.left, top! + from.top - shown.top].map((each) =>
          Math.round(each * ratio),
        );
        return [...canvas.getContext('2d')!.getImageData(at[0]!, at[1]!, 1, 1).data];
      },
      [x, y + 10],
    );
  }

  /** What the colours of symbols mean, if these are coloured by a value. */
  get valueScale() {
    return this.page.locator('.value-scale');
  }

  /** Whether a symbol is drawn just inwards of the legend's button: the pointer changes over it. */
  async pointsBesideLegend() {
    const legend = await this.#legendButton.boundingBox();
    if (!legend) throw new Error('the legend is not there');
    for (let x = legend.x - 6; x > legend.x - 60; x -= 9) {
      for (let y = legend.y - 30; y < legend.y + legend.height + 30; y += 9) {
        await this.page.mouse.move(x, y);
        if ((await this.map.evaluate((at) => getComputedStyle(at).cursor)) === 'pointer') return true;
      }
    }
    return false;
  }

  /** The colour of each drawn tile, at the same point beside its centre. */
  tileColours() {
    return this.page.locator('.map-raster-tile').evaluateAll((tiles) => {
      const drawn = tiles.filter((tile) => tile instanceof HTMLCanvasElement && tile.width === 257);
      const pixels = drawn.map((tile) => (tile as HTMLCanvasElement).getContext('2d')!.getImageData(20, 20, 1, 1).data);
      return [...new Set(pixels.map((pixel) => pixel.join()))].sort();
    });
  }

  /** The colours of all drawn vector tiles. */
  streetColours() {
    return this.page.locator('.map-vector .map-raster-tile').evaluateAll((tiles) => {
      const colours = new Set<number>();
      for (const tile of tiles as HTMLCanvasElement[]) {
        const { data } = tile.getContext('2d')!.getImageData(0, 0, tile.width, tile.height);
        for (const colour of new Uint32Array(data.buffer)) colours.add(colour);
      }
      return [...colours].map((colour) => new Uint8Array(Uint32Array.of(colour).buffer).join());
    });
  }

  /** The number of pixels with a street's name. */
  streetNamePixels() {
    return this.page.locator('.map-street-names').evaluate((canvas: HTMLCanvasElement) => {
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      return new Uint32Array(data.buffer).filter((pixel) => pixel > 0).length;
    });
  }

  async retryTiles() {
    await this.tilesNotice.getByRole('button', { name: 'Retry' }).click();
  }

  async fit() {
    await this.page.getByRole('button', { name: 'Show all devices' }).click();
  }

  async showLegend() {
    await this.#legendButton.click();
  }

  get #legendButton() {
    return this.page.getByRole('button', { name: 'Legend' });
  }

  /** The centre of the visible part of the map. The URL's position means this point. */
  async middleOfMap() {
    const box = await this.map.boundingBox();
    if (!box) throw new Error('the map is not there');
    return { x: box.width / 2, y: box.height / 2 };
  }

  /** The marker that can be dragged. */
  get marker() {
    return this.page.getByRole('application', { name: /^Position of/ });
  }

  /** `meanwhile` happens before the marker is released. */
  async dragMarker({ right, down, meanwhile }: { right: number; down: number; meanwhile(): Promise<void> }) {
    // waits until the marker no longer moves, and moves the pointer to it
    await this.marker.hover();
    const box = await this.marker.boundingBox();
    if (!box) throw new Error('The marker is not there.');
    const from = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    await this.page.mouse.down();
    await this.page.mouse.move(from.x + right / 2, from.y + down / 2, { steps: 4 });
    await this.page.mouse.move(from.x + right, from.y + down, { steps: 4 });
    await meanwhile();
    await this.page.mouse.up();
  }
}
