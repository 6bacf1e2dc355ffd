import type { CDPSession, Locator, Page } from 'playwright/test';

interface Movement {
  from: Locator;
  /** In px; positive is down. */
  by?: number;
  /** In px; positive is to the right. */
  aside?: number;
  /** Where the finger is put down: the part of the width, or px from the left of the element. */
  across?: number;
}

/** A finger on a touch screen. */
export class TouchPart {
  protected readonly page: Page;
  #devtools: CDPSession | undefined;

  constructor(page: Page) {
    this.page = page;
  }

  /** Moves a finger, and lifts it. It rests before, because a flung list continues to scroll. */
  async swipe(movement: Movement) {
    const end = await this.drag(movement);
    for (let frame = 0; frame < 6; frame++) await this.page.evaluate(() => new Promise(requestAnimationFrame));
    await this.#touch('touchMove', end);
    await this.release();
  }

  /** Moves a finger, which stays. Returns where it is. */
  async drag({ from, by = 0, aside = 0, across = 0.5 }: Movement) {
    const box = await from.boundingBox();
    if (!box) throw new Error('there is nothing to touch');
    const [x, y] = [box.x + (across < 1 ? box.width * across : across), box.y + box.height / 2];
    const at = (part: number) => ({ x: x + (aside * part) / 8, y: y + (by * part) / 8 });
    this.#devtools ??= await this.page.context().newCDPSession(this.page);
    // Together: a finger that rests on a row selects it.
    await Promise.all([this.#touch('touchStart', at(0)), this.#touch('touchMove', at(1))]);
    for (let part = 2; part <= 8; part++) await this.#touch('touchMove', at(part));
    return at(8);
  }

  /** Puts a finger on something. */
  async hold(on: Locator) {
    const box = await on.boundingBox();
    if (!box) throw new Error('there is nothing to touch');
    this.#devtools ??= await this.page.context().newCDPSession(this.page);
    await this.#touch('touchStart', { x: box.x + box.width / 2, y: box.y + box.height / 2 });
  }

  /** Puts two fingers on something and moves them apart, each beside the same point. All are parts of its width. */
  async spread({ on, around, from, to }: { on: Locator; around: number; from: number; to: number }) {
    await on.scrollIntoViewIfNeeded();
    const box = await on.boundingBox();
    if (!box) throw new Error('there is nothing to touch');
    const at = (part: number) => {
      const beside = from + ((to - from) * part) / 4;
      return [-1, 1].map((side, id) => ({
        id,
        x: box.x + box.width * (around + side * beside),
        y: box.y + box.height / 2,
      }));
    };
    this.#devtools ??= await this.page.context().newCDPSession(this.page);
    await this.#touch('touchStart', ...at(0));
    for (let part = 1; part <= 4; part++) await this.#touch('touchMove', ...at(part));
    await this.release();
  }

  async release() {
    await this.#touch('touchEnd');
  }

  async #touch(type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number; id?: number }[]) {
    await this.#devtools?.send('Input.dispatchTouchEvent', { type, touchPoints });
  }
}
