import type { Locator, Page } from 'playwright/test';

/** Where things stand on a page, by role alone: for languages whose words are not these. */
export class LayoutPart {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get heading() {
    return this.#page.getByRole('heading', { level: 1 });
  }

  get landmarks(): Record<string, Locator> {
    return {
      navigation: this.#page.getByRole('navigation').first(),
      heading: this.heading,
      rows: this.#page.getByRole('main').getByRole('listitem').first(),
      switch: this.#page.getByRole('switch').first(),
    };
  }

  text(text: string) {
    return this.#page.getByText(text, { exact: true }).first();
  }

  /** What sticks out of the page at either side. */
  overflowing() {
    return this.#page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth > clientWidth ? [`the page is ${scrollWidth} px wide in ${clientWidth}`] : [];
    });
  }

  /** What is wider than the part of the page in which it scrolls up and down. */
  overflowingInside() {
    return this.#page.evaluate(() =>
      [...document.querySelectorAll('main *')]
        .filter((at) => /auto|scroll/.test(getComputedStyle(at).overflowY) && at.scrollHeight > at.clientHeight)
        .filter((at) => at.scrollWidth > at.clientWidth)
        .map((at) => `${at.className}: ${at.scrollWidth} px in ${at.clientWidth}`),
    );
  }

  /** What can be pressed or filled in and stands partly outside of the page, where nothing scrolls it in. */
  cutOff() {
    return this.#page.evaluate(() =>
      [...document.querySelectorAll('main :is(a, button, input, textarea, select)')]
        .filter((at) => {
          const { left, right, width } = at.getBoundingClientRect();
          return width > 1 && (left < -1 || right > innerWidth + 1);
        })
        .filter((at) => {
          for (let around = at.parentElement; around; around = around.parentElement) {
            if (around.scrollWidth > around.clientWidth && /auto|scroll/.test(getComputedStyle(around).overflowX)) {
              return false;
            }
          }
          return true;
        })
        .map((at) => `${at.className}: ${at.getAttribute('aria-label') ?? at.textContent}`),
    );
  }

  /** What can be pressed on a map, or beside it, and is not there with all four of its corners: under something, or cut. */
  hiddenOnMap() {
    return this.#page.evaluate(() =>
      [...document.querySelectorAll('.map-controls button, .rail-jump, .sheet-handle, .wall-bar :is(a, button)')]
        .filter((at) => at.checkVisibility())
        .filter((at) => {
          const { left, top, right, bottom } = at.getBoundingClientRect();
          const corners = [
            [left + 6, top + 6],
            [right - 6, top + 6],
            [left + 6, bottom - 6],
            [right - 6, bottom - 6],
          ];
          return corners.some(([x, y]) => {
            const there = document.elementFromPoint(x!, y!);
            return !there || !(at.contains(there) || there.contains(at));
          });
        })
        .map((at) => at.getAttribute('aria-label') ?? at.textContent),
    );
  }

  /** That nobody answers, in any language. */
  get away() {
    return this.#page.locator('.shell-notices > .notice');
  }

  /** What can be read or pressed and lies under that, or touches it. The field that jumps cannot help meanwhile. */
  underAway() {
    return this.away.evaluate((notice) => {
      const own = notice.getBoundingClientRect();
      const parts = 'main :is(h1, h2, a, button, input), .panel, .sheet, .page-head, .navigation, .map-notice';
      return [...document.querySelectorAll(parts)]
        .filter((at) => at.checkVisibility() && !at.closest('[inert]'))
        .filter((at) => {
          const { left, top, right, bottom, width } = at.getBoundingClientRect();
          return (
            width > 1 && left < own.right + 1 && right > own.left - 1 && top < own.bottom - 1 && bottom > own.top + 1
          );
        })
        .map((at) => `${at.className}: ${at.getAttribute('aria-label') ?? at.textContent}`);
    });
  }

  /** One of the places that every page leads to. */
  destination(at: number) {
    return this.#page.getByRole('navigation').first().getByRole('link').nth(at);
  }

  /** Of a line of ordinary text, in px. */
  textHeight() {
    return this.#page.evaluate(() => Number.parseFloat(getComputedStyle(document.body).lineHeight));
  }

  /** Whether a text is there without an ellipsis. */
  whole(text: Locator) {
    return text.evaluate((at) => at.clientWidth > 0 && at.scrollWidth <= at.clientWidth);
  }

  /** How far a page scrolls as a whole: not at all, where its middle does. */
  pageScrolls() {
    return this.#page.evaluate(() => document.documentElement.scrollHeight - document.documentElement.clientHeight);
  }

  /** Name of what has the focus, and whether it looks different for it; null on none. */
  focused() {
    return this.#page.evaluate(() => {
      const element = document.activeElement;
      if (!(element instanceof HTMLElement) || element === document.body) return null;
      const look = () =>
        [element, element.parentElement, element.parentElement?.parentElement].map((at) => {
          if (!at) return '';
          return ['', '::before', '::after']
            .map((pseudo) => getComputedStyle(at, pseudo))
            .map(({ content, outline, borderColor, boxShadow, backgroundColor }) => [
              content,
              outline,
              borderColor,
              boxShadow,
              backgroundColor,
            ])
            .join();
        });
      const focused = look().join();
      element.blur();
      const plain = look().join();
      element.focus();
      const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : undefined;
      return { name: element.getAttribute('aria-label') ?? label ?? element.textContent, seen: focused !== plain };
    });
  }

  direction() {
    return this.#page.evaluate(() => getComputedStyle(document.documentElement).direction);
  }
}
