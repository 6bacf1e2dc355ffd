import type { Locator, Page } from 'playwright/test';

/** Positions and sizes of elements. They are found by role, so that this works in every language. */
export class LayoutPart {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Waits until the page shows its data. The app marks the document then, so this needs no time without requests. */
  async ready() {
    await this.#page.locator('html[data-ready]').waitFor({ state: 'attached' });
  }

  get heading() {
    return this.#page.getByRole('heading', { level: 1 });
  }

  /** The families of the fonts with which the browser draws the heading and the navigation. */
  async fonts() {
    const devtools = await this.#page.context().newCDPSession(this.#page);
    await devtools.send('DOM.enable');
    await devtools.send('CSS.enable');
    const { root } = await devtools.send('DOM.getDocument');
    const { nodeIds } = await devtools.send('DOM.querySelectorAll', {
      nodeId: root.nodeId,
      selector: 'h1, nav a',
    });
    const families = new Set<string>();
    for (const nodeId of nodeIds) {
      const { fonts } = await devtools.send('CSS.getPlatformFontsForNode', { nodeId });
      for (const { familyName } of fonts) families.add(familyName);
    }
    await devtools.detach();
    return [...families];
  }

  async headingBox() {
    await this.heading.waitFor();
    return (await this.heading.boundingBox()) ?? { x: Number.NaN, width: Number.NaN };
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
    return this.#page.getByText(text, { exact: true }).filter({ visible: true }).first();
  }

  /**
   * The controls that are smaller than 24 px, by WCAG 2.5.8: without links within a sentence, and with the label that a click on
   * also presses.
   */
  smallTargets() {
    return this.#page.evaluate(() => {
      const least = 24;
      const controls = 'a[href], button, input, select, textarea, summary, [role="slider"], [role="menuitem"]';
      const isInSentence = (at: Element) =>
        at.matches('a') &&
        getComputedStyle(at).display === 'inline' &&
        [...at.parentElement!.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent!.trim());
      // The `::after` of the link of a row covers the row.
      const rowOf = (at: Element) => {
        if (getComputedStyle(at, '::after').position !== 'absolute') return null;
        let around = at.parentElement;
        while (around && getComputedStyle(around).position === 'static') around = around.parentElement;
        return around;
      };
      const sizeOf = (at: Element) => {
        const boxes = [at, at.closest('label'), rowOf(at)].flatMap((each) => each?.getBoundingClientRect() ?? []);
        return boxes.map(({ width, height }) => Math.min(width, height)).reduce((one, other) => Math.max(one, other));
      };
      return [...document.querySelectorAll(controls)]
        .filter((at) => at.checkVisibility({ visibilityProperty: true }) && !at.closest('[inert], .visually-hidden'))
        .filter((at) => !isInSentence(at) && sizeOf(at) > 1 && sizeOf(at) < least - 0.5)
        .map((at) => `${at.className}: ${at.getAttribute('aria-label') ?? at.textContent} ${sizeOf(at).toFixed(1)} px`);
    });
  }

  /** The elements that overflow the page sideways. */
  overflowing() {
    return this.#page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      if (scrollWidth <= clientWidth) return [];
      const wide = [...document.querySelectorAll('body *')].filter(
        (at) => at.getBoundingClientRect().right > clientWidth + 1 && at.checkVisibility(),
      );
      return [
        `the page is ${scrollWidth} px wide in ${clientWidth}`,
        ...wide.map((at) => `${at.tagName} ${at.className}`),
      ];
    });
  }

  /** The elements that are wider than the vertical scroll container they are in. */
  overflowingInside() {
    return this.#page.evaluate(() =>
      [...document.querySelectorAll('main *')]
        .filter((at) => /auto|scroll/.test(getComputedStyle(at).overflowY) && at.scrollHeight > at.clientHeight)
        .filter((at) => at.scrollWidth > at.clientWidth)
        .map((at) => `${at.className}: ${at.scrollWidth} px in ${at.clientWidth}`),
    );
  }

  /** The controls that are partly outside of the page and cannot be scrolled into view. */
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

  /** The texts that are cut off without an ellipsis, because something around them is too narrow. */
  cutTexts() {
    return this.#page.evaluate(() =>
      [...document.querySelectorAll('main *')]
        .filter((at) => {
          // Where it has no room, the role is only its sign.
          if (at.closest('.role-chip')) return at.matches('.role-chip');
          return [...at.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue!.trim());
        })
        .filter((at) => at.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }))
        .filter((at) => !at.closest('.visually-hidden, [inert], option, .map'))
        .filter((at) => {
          let { left, right } = at.getBoundingClientRect();
          for (let around = at.parentElement; around; around = around.parentElement) {
            const { overflowX, textOverflow } = getComputedStyle(around);
            if (overflowX === 'visible') continue;
            if (/auto|scroll/.test(overflowX) && around.scrollWidth > around.clientWidth) return false;
            const box = around.getBoundingClientRect();
            // what is around it may cut off the ellipsis too
            const isCut = textOverflow !== 'ellipsis' && (left < box.left - 1 || right > box.right + 1);
            if (isCut) return true;
            [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
          }
          return false;
        })
        .map((at) => `${at.className}: ${at.textContent}`),
    );
  }

  /** What accepting the open invitation shows to others, in any language. */
  get consent() {
    return this.#page.locator('.consent .note-words');
  }

  /** What accepting an invitation shows to others, where a row or a pane cuts off lines of it. */
  cutConsents() {
    return this.#page.evaluate(() =>
      [...document.querySelectorAll('.answer-audience-words > :first-child, .consent li')]
        .filter((at) => at.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }))
        .filter((at) => {
          const { top, bottom, left, right } = at.getBoundingClientRect();
          for (let around = at.parentElement; around; around = around.parentElement) {
            const { overflowX, overflowY } = getComputedStyle(around);
            if (/auto|scroll/.test(overflowX + overflowY)) return false;
            if (overflowX === 'visible' && overflowY === 'visible') continue;
            const box = around.getBoundingClientRect();
            if (top < box.top - 1 || bottom > box.bottom + 1 || left < box.left - 1 || right > box.right + 1)
              return true;
          }
          return false;
        })
        .map((at) => at.textContent),
    );
  }

  /** The names of the devices of an inbox, as they are drawn: shortened ones have their ellipsis. */
  invitedDevices() {
    return this.#page
      .locator('.invitation-device')
      .evaluateAll((names) =>
        names.map((at) => at.querySelector('[data-cut]')?.getAttribute('data-cut') ?? at.textContent),
      );
  }

  /** Which part of the window a map covers, from 0 to 1. */
  mapShare() {
    return this.#page
      .locator('.map')
      .first()
      .evaluate((map) => {
        const { top, bottom } = map.getBoundingClientRect();
        return (Math.min(bottom, innerHeight) - Math.max(top, 0)) / innerHeight;
      });
  }

  /** The numbers in the navigation. */
  get badges() {
    return this.#page.locator('.navigation .badge');
  }

  /** What of the navigation's words and badges is cut off. */
  cutInNavigation() {
    return this.#page
      .locator('.navigation :is(.navigation-label, .badge)')
      .evaluateAll((parts) =>
        parts
          .filter((at) => at.scrollWidth > at.clientWidth || at.getBoundingClientRect().right > innerWidth)
          .map((at) => at.textContent),
      );
  }

  /** The headings that have no room for three letters beside each other. */
  narrowHeadings() {
    return this.#page.evaluate(() =>
      [...document.querySelectorAll('main :is(h1, h2)')]
        .filter((at) => at.checkVisibility() && !at.closest('.visually-hidden, [inert]'))
        .filter((at) => {
          const lines = document.createRange();
          lines.selectNodeContents(at);
          const widest = Math.max(...[...lines.getClientRects()].map(({ width }) => width));
          return at.textContent.length > 3 && widest < 1.5 * Number.parseFloat(getComputedStyle(at).fontSize);
        })
        .map((at) => at.textContent),
    );
  }

  /** The controls on or beside a map of which at least one corner is covered or cut off. */
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

  /** Between the last control of a map and its credits, in px. */
  async spaceAboveCredits() {
    const [control, credits] = await Promise.all(
      ['.map-control', '.map-credits'].map((part) => this.#page.locator(part).last().boundingBox()),
    );
    return credits!.y - control!.y - control!.height;
  }

  /** What stands for texts that have not loaded. */
  get loading() {
    return this.#page.locator('main .skeleton');
  }

  /** No request of the app reaches the server any more. The app sends one now: a page with fresh data would send none. */
  async startOutage() {
    await this.#page.route('**/api/**', (route) => route.abort());
    await this.#page.evaluate(() => dispatchEvent(new Event('offline')));
  }

  /** The outage notice, in any language. */
  get outage() {
    return this.#page.locator('.shell-notices > .notice');
  }

  get toast() {
    return this.#page.locator('.toasts .notice');
  }

  /** The last control of the page. */
  get lastButton() {
    return this.#page.locator('main button').filter({ visible: true }).last();
  }

  /** Says that the page is not live. The notice hides it. */
  get connectionBadge() {
    return this.#page.locator('.connection-badge');
  }

  /** Goes to another page without loading it, so that toasts stay. */
  async follow(url: string) {
    await this.#page.evaluate((to) => {
      history.pushState(null, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, url);
  }

  /** The texts and controls that the outage notice covers or touches, except the search field. */
  underAway() {
    return this.#under(this.outage);
  }

  /** The same of the toast. */
  underToast() {
    return this.#under(this.toast);
  }

  #under(notice: Locator) {
    return notice.evaluate((over) => {
      const own = over.getBoundingClientRect();
      /** Without what has been scrolled out of view. */
      const seenOf = (at: Element) => {
        let { left, top, right, bottom } = at.getBoundingClientRect();
        for (let around = at.parentElement; around; around = around.parentElement) {
          if (getComputedStyle(around).overflowY === 'visible' || around === document.body) continue;
          const box = around.getBoundingClientRect();
          [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
          [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
        }
        return { left, top, right, bottom, width: right - left, height: bottom - top };
      };
      const parts =
        'main :is(h1, h2, a, button, input), .consent, .panel, .sheet, .page-head, .navigation, .map-notice';
      return [...document.querySelectorAll(parts)]
        .filter((at) => at.checkVisibility() && !at.closest('[inert]'))
        .filter((at) => {
          const { left, top, right, bottom, width, height } = seenOf(at);
          return (
            width > 1 &&
            height > 1 &&
            left < own.right + 1 &&
            right > own.left - 1 &&
            top < own.bottom - 1 &&
            bottom > own.top + 1
          );
        })
        .map((at) => `${at.className}: ${at.getAttribute('aria-label') ?? at.textContent}`);
    });
  }

  /** The notice of what has failed, once it is only a button. */
  get foldedFailure() {
    return this.#page.locator('.undo-toasts-folded');
  }

  /** Its last button puts it away. */
  get dismissFailures() {
    return this.foldedFailure.getByRole('button').last();
  }

  /** The buttons at the end of the page. */
  get footButtons() {
    return this.#page.locator('main footer button');
  }

  /** Which part of the window is below the upper edge of the buttons at the end of the page, from 0 to 1. */
  footShare() {
    return this.#page.locator('main footer').evaluate((foot) => 1 - foot.getBoundingClientRect().top / innerHeight);
  }

  /** The buttons at the end of the page that are covered or outside of the window. */
  hiddenInFoot() {
    return this.footButtons.evaluateAll((buttons) =>
      buttons
        .filter((at) => {
          const { left, top, right, bottom } = at.getBoundingClientRect();
          const xs = [left + 6, (left + right) / 2, right - 6];
          return xs.some((x) =>
            [top + 6, (top + bottom) / 2, bottom - 6].some((y) => !at.contains(document.elementFromPoint(x, y))),
          );
        })
        .map((at) => at.textContent),
    );
  }

  /** Whether the document can be scrolled, although the page scrolls in its parts. */
  frameMoves() {
    return this.#page.evaluate(
      () =>
        document.querySelector('main > :is(.page, .home, .inbox)') !== null &&
        document.documentElement.scrollHeight > innerHeight + 1,
    );
  }

  /** Also each part that scrolls by itself. */
  async scrollToEnd() {
    await this.#scroll('end');
  }

  async scrollToStart() {
    await this.#scroll('start');
  }

  async #scroll(to: 'start' | 'end') {
    await this.#page.evaluate((end) => {
      const topOf = (part: Element) => (end ? part.scrollHeight : 0);
      scrollTo(0, topOf(document.documentElement));
      for (const part of document.querySelectorAll('main *'))
        if (/auto|scroll/.test(getComputedStyle(part).overflowY)) part.scrollTop = topOf(part);
    }, to === 'end');
  }

  /** Between the outage notice and the buttons at the end of the page, in px. */
  async spaceAboveFoot() {
    const foot = this.#page.locator('main footer');
    const [notice, below] = await Promise.all([this.outage, foot].map((part) => part.boundingBox()));
    return below!.y - notice!.y - notice!.height;
  }

  /** One of the links of the main navigation. */
  destination(at: number) {
    return this.#page.getByRole('navigation').first().getByRole('link').nth(at);
  }

  /** Where the last part of the main navigation ends, in px. */
  navigationEnd() {
    const parts = this.#page.getByRole('navigation').first().locator('a, a *');
    return parts.evaluateAll((all) => Math.max(...all.map((part) => Math.round(part.getBoundingClientRect().right))));
  }

  /** The space between the icon of a destination and its badge, in px. */
  async spaceBeforeBadge(at: number) {
    const [icon, badge] = await Promise.all(
      ['.icon', '.badge'].map((part) => this.destination(at).locator(part).boundingBox()),
    );
    return badge!.x - icon!.x - icon!.width;
  }

  /** The height of a line of ordinary text, in px. */
  textHeight() {
    return this.#page.evaluate(() => Number.parseFloat(getComputedStyle(document.body).lineHeight));
  }

  /** In px. */
  iconHeight() {
    return this.#page
      .locator('main .icon')
      .first()
      .evaluate((icon) => icon.getBoundingClientRect().height);
  }

  /** Pairs of texts of which one covers a part of the other, within the same layer of the page. */
  overlappingTexts() {
    return this.#page.evaluate(() => {
      const layers = '.map, .sheet, .panel, .over-map, .navigation, .shell-notices';
      const shown: { text: string; owner: Element; layer: Element | null; box: DOMRect }[] = [];
      const walker = document.createTreeWalker(document.querySelector('main')!, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const owner = node.parentElement;
        const text = node.nodeValue?.trim();
        if (!owner || !text || owner.closest('.visually-hidden, [inert], option')) continue;
        // rows of long lists that are out of view have no layout
        const visible = { opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true };
        if (!owner.checkVisibility(visible)) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const box of range.getClientRects()) {
          let { left, top, right, bottom } = box;
          for (let at: Element | null = owner; at; at = at.parentElement) {
            const { overflowX, overflowY, contain } = getComputedStyle(at);
            if (overflowX === 'visible' && overflowY === 'visible' && contain !== 'strict') continue;
            const clip = at.getBoundingClientRect();
            [left, top] = [Math.max(left, clip.left), Math.max(top, clip.top)];
            [right, bottom] = [Math.min(right, clip.right), Math.min(bottom, clip.bottom)];
          }
          if (right - left < 2 || bottom - top < 2) continue;
          const layer = owner.closest(layers);
          shown.push({ text, owner, layer, box: new DOMRect(left, top, right - left, bottom - top) });
        }
      }
      return shown.flatMap((one, index) =>
        shown
          .slice(index + 1)
          .filter(({ owner, layer, box }) => {
            if (owner === one.owner || layer !== one.layer) return false;
            const width = Math.min(box.right, one.box.right) - Math.max(box.left, one.box.left);
            const height = Math.min(box.bottom, one.box.bottom) - Math.max(box.top, one.box.top);
            // lines of text that touch overlap by their leading
            return width > 3 && height > 0.35 * Math.min(box.height, one.box.height);
          })
          .map(({ text }) => `${one.text} / ${text}`),
      );
    });
  }

  /** The height that the page can be scrolled below its content, in px. */
  emptySpaceBelow() {
    return this.#page.evaluate(() => {
      const ends = [...document.querySelectorAll('main .page > *')].map((at) => at.getBoundingClientRect().bottom);
      return document.documentElement.scrollHeight - scrollY - Math.max(...ends);
    });
  }

  /** Vertical scroll containers that are too low to read anything in them. */
  lowScrollers() {
    return this.#page.evaluate(() =>
      [...document.querySelectorAll('main *')]
        .filter((at) => !at.matches('textarea') && at.checkVisibility())
        .filter((at) => {
          const { overflowX, overflowY } = getComputedStyle(at);
          return /auto|scroll/.test(overflowY) && !/auto|scroll/.test(overflowX) && at.scrollHeight > at.clientHeight;
        })
        .filter((at) => at.clientHeight < 100)
        .map((at) => `${at.className}: ${at.clientHeight} px of ${at.scrollHeight}`),
    );
  }

  /** How much of the focused element can be seen, from 0 to 1. Of a map, it is enough to see a part. */
  visiblePartOfFocus() {
    return this.#page.evaluate(async () => {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const element = document.activeElement;
      if (!(element instanceof HTMLElement) || element === document.body) return null;
      const { left, top, width, height } = element.getBoundingClientRect();
      const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
      const parts = [0.1, 0.3, 0.5, 0.7, 0.9];
      const points = parts.flatMap((x) => parts.map((y) => [left + width * x, top + height * y] as const));
      const seen = points.filter(([x, y]) => {
        const there = document.elementFromPoint(x, y);
        return there && (element.contains(there) || labels.some((label) => label.contains(there)));
      });
      const visible = seen.length / points.length;
      // the controls of a row are above its button
      const isSeen = height > innerHeight / 2 ? visible > 0.1 : false;
      return { name: element.getAttribute('aria-label') ?? element.textContent, visible: isSeen ? 1 : visible };
    });
  }

  /** Whether an element is as wide as its content: a text is shown without an ellipsis. */
  whole(part: Locator) {
    return part.evaluate((at) => at.clientWidth > 0 && at.scrollWidth <= at.clientWidth);
  }

  /** Whether the first letter of a text is not cut off by an element around it. */
  showsStart(text: Locator) {
    return text.evaluate((at) => {
      const start = document.createRange();
      start.setStart(at.firstChild!, 0);
      start.setEnd(at.firstChild!, 1);
      const letter = start.getBoundingClientRect();
      for (let around: Element | null = at; around; around = around.parentElement) {
        if (getComputedStyle(around).overflowX === 'visible') continue;
        const { left, right } = around.getBoundingClientRect();
        if (letter.left < left - 1 || letter.right > right + 1) return false;
      }
      return true;
    });
  }

  /** How far the whole page can be scrolled, in px. 0 if only its main part scrolls. */
  pageScrolls() {
    return this.#page.evaluate(() => document.documentElement.scrollHeight - document.documentElement.clientHeight);
  }

  /** The name of the focused element, and whether the focus changes its look. Null if nothing has the focus. */
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
