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
