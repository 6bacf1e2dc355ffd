import type { Page } from 'playwright/test';

/** The place names on a map. They are drawn on a canvas, so tests can only read its pixels. */
export class NamesPart {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get canvas() {
    return this.#page.locator('canvas.map-names');
  }

  /** The number of painted pixels, on the whole canvas or within `near` px of its centre. */
  async painted(radius = Infinity): Promise<number> {
    return this.canvas.evaluate((element, radius) => {
      const { width, height } = element as HTMLCanvasElement;
      const image = (element as HTMLCanvasElement).getContext('2d')?.getImageData(0, 0, width, height).data ?? [];
      let painted = 0;
      for (let y = 0; y < height; y += 1) {
        for (let x = 0; x < width; x += 1) {
          const away = Math.hypot(x - width / 2, y - height / 2) / devicePixelRatio;
          if (away <= radius && (image[(y * width + x) * 4 + 3] ?? 0) > 0) painted += 1;
        }
      }
      return painted;
    }, radius);
  }
}
