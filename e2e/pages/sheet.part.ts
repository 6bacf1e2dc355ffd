import type { CDPSession, Locator, Page } from 'playwright/test';

/** The sheet over the map of a phone, and a finger on it. */
export class SheetPart {
  readonly #page: Page;
  #devtools: CDPSession | undefined;

  constructor(page: Page) {
    this.#page = page;
  }

  get handle() {
    return this.#page.getByRole('button', { name: 'Height of the list' });
  }

  async height() {
    return this.#page.locator('.sheet').evaluate((sheet) => Math.round(sheet.getBoundingClientRect().height));
  }

  /** The scroll position of its list, in px. */
  async scrolled() {
    return this.#page.locator('.virtual-list').evaluate((list) => Math.round(list.scrollTop));
  }

  async toTop() {
    await this.#page.locator('.virtual-list').evaluate((list) => list.scrollTo({ top: 0 }));
  }

  /** Makes the page as low as an on-screen keyboard does, which is open while a field has the focus. */
  async openKeyboard() {
    await this.#page.setViewportSize({ width: 390, height: 480 });
    await this.#page.locator('html[data-keyboard]').waitFor();
  }

  async closeKeyboard() {
    await this.#page.setViewportSize({ width: 390, height: 844 });
    await this.#page.locator('html:not([data-keyboard])').waitFor();
  }

  /** Swipes by `by` px; positive is down. The finger rests before it is lifted, because a flung list continues to scroll. */
  async swipe({ from, by, across = 0.5 }: { from: Locator; by: number; across?: number }) {
    const box = await from.boundingBox();
    if (!box) throw new Error('there is nothing to touch');
    const [x, y] = [box.x + box.width * across, box.y + box.height / 2];
    this.#devtools ??= await this.#page.context().newCDPSession(this.#page);
    await this.#touch('touchStart', { x, y });
    for (let part = 1; part <= 8; part++) await this.#touch('touchMove', { x, y: y + (by * part) / 8 });
    for (let frame = 0; frame < 6; frame++) await this.#page.evaluate(() => new Promise(requestAnimationFrame));
    await this.#touch('touchMove', { x, y: y + by });
    await this.#touch('touchEnd');
  }

  /** Puts a finger on something. */
  async hold(on: Locator) {
    const box = await on.boundingBox();
    if (!box) throw new Error('there is nothing to touch');
    this.#devtools ??= await this.#page.context().newCDPSession(this.#page);
    await this.#touch('touchStart', { x: box.x + box.width / 2, y: box.y + box.height / 2 });
  }

  async release() {
    await this.#touch('touchEnd');
  }

  async #touch(type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) {
    await this.#devtools?.send('Input.dispatchTouchEvent', { type, touchPoints });
  }
}
