import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type axe from 'axe-core';
import { expect, test, type Page } from 'playwright/test';

declare global {
  interface Window {
    axe: typeof axe;
    /** The elements of the page by their description (describeParts). */
    parts: Map<string, Element[]>;
  }
}

// minified, because every page that is checked has to read and compile it
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const axeTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** One step of a journey. At its end axe checks the page, unless it has checked all of its parts before. */
export type Step = (title: string, body: () => Promise<void>) => Promise<void>;

export const stepsOn =
  (page: Page): Step =>
  (title, body) =>
    test.step(title, async () => {
      await body();
      await expectAccessible({ page, title });
    });

/**
 * Fails if axe finds a violation on the page as it is, with open dialogs, menus and error messages. Colours are checked
 * in both themes. If axe has checked every part of the page before, in any journey of this run on this kind of screen,
 * it does not run again.
 */
export async function expectAccessible({ page, title }: { page: Page; title: string }) {
  const parts = await page.evaluate(describeParts);
  const prefix = `${test.info().project.name}: `;
  const newHere = addNewParts(parts.map((part) => prefix + part)).map((part) => part.slice(prefix.length));
  if (newHere.length === 0) return;
  // colours are the same on every screen, and take axe more than half of its time: only those of new parts are checked
  const newParts = addNewParts(parts);
  expect(await violations({ page, newParts, newHere }), `${title}: what axe finds`).toEqual([]);
}

/** Returns the new ones. The workers share the others in a file. Playwright empties its folder before each run. */
function addNewParts(parts: string[]): string[] {
  const { outputDir } = test.info().project;
  const file = join(outputDir, 'axe-checked.txt');
  mkdirSync(outputDir, { recursive: true });
  const checked = new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []);
  const fresh = parts.filter((part) => !checked.has(part));
  if (fresh.length > 0) appendFileSync(file, `${fresh.join('\n')}\n`);
  return fresh;
}

/**
 * Runs in the page. Returns one line for each kind of element: its parent and itself with roles, classes and ARIA
 * states, but without texts and ids. Two pages with the same lines look the same to axe's rules.
 */
function describeParts() {
  const ignored = /^(style|id|for|href|src|d|points|transform|value|title|alt|placeholder|aria-label|aria-valuetext)$/;
  const describe = (element: Element) => {
    const attributes = [...element.attributes]
      .filter(({ name }) => !name.startsWith('data-'))
      .map(({ name, value }) => (ignored.test(name) || !/^[a-z][a-z\d -]*$/.test(value) ? name : `${name}=${value}`));
    const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim());
    const isOpen = element.matches(':popover-open, :modal');
    return [element.localName, ...attributes.sort(), hasText ? 'text' : '', isOpen ? 'open' : ''].join(' ');
  };
  const parts = new Map<string, Element[]>();
  const visit = (element: Element, parent: string) => {
    const description = describe(element);
    const part = `${parent} > ${description}`;
    const same = parts.get(part);
    if (same) same.push(element);
    else parts.set(part, [element]);
    for (const child of element.children) visit(child, description);
  };
  // behind a modal dialog axe checks nothing
  visit(document.querySelector('dialog:modal') ?? document.documentElement, document.documentElement.dir);
  window.parts = parts;
  return [...parts.keys()];
}

/** Rules that look at every element, and at nothing around it: only those of new parts are checked. */
const rulesOfElements = [
  'target-size',
  'aria-allowed-attr',
  'aria-conditional-attr',
  'aria-prohibited-attr',
  'aria-valid-attr',
  'aria-valid-attr-value',
];

/**
 * What axe finds on the page. Of colours only those of `newParts` and of what they contain, in both themes. The rules of elements look at
 * what is new on this kind of screen (`newHere`), and at what that contains.
 */
async function violations({ page, newParts, newHere }: { page: Page; newParts: string[]; newHere: string[] }) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  return page.evaluate(
    async ({ axeTags, newParts, newHere, rulesOfElements }) => {
      const root = document.documentElement;
      // every map is drawn again if the class of the document changes, which takes longer than looking at the page
      const themed = root.classList.contains('dark') ? root : document.body;
      const mark = (parts: string[], name: string) => {
        const elements = parts.flatMap((part) => window.parts.get(part) ?? []);
        for (const element of elements) element.setAttribute(name, '');
        return elements;
      };
      const marked = mark(newParts, 'data-new-part');
      const markedHere = mark(newHere, 'data-new-here');
      const selector = '[data-new-here], [data-new-here] *';
      window.axe.configure({
        rules: [
          { id: 'color-contrast', selector: '[data-new-part], [data-new-part] *' },
          { id: 'avoid-inline-spacing', selector: '[data-new-here][style], [data-new-here] [style]' },
          ...rulesOfElements.map((id) => ({ id, selector })),
        ],
      });
      // nothing behind a modal dialog can be seen or reached
      const around = document.querySelector('dialog:modal') ?? document;
      const look = async (options: axe.RunOptions) => {
        // what axe preloads, for a rule on locked screen orientation, it writes into the page while a style still loads
        const { violations } = await window.axe.run(around, {
          ...options,
          resultTypes: ['violations'] as axe.resultGroups[],
          preload: false,
        });
        return violations.flatMap(({ id, nodes }) =>
          nodes.map(({ html, any }) => `${id}: ${any[0]?.message ?? ''} ${html}`),
        );
      };
      const found: string[] = [];
      // forced colours are the same in both themes
      if (marked.length > 0 && !matchMedia('(forced-colors: active)').matches) {
        themed.classList.toggle('dark');
        found.push(...(await look({ runOnly: { type: 'rule', values: ['color-contrast'] } })));
        themed.classList.toggle('dark');
      }
      const rules = { 'color-contrast': { enabled: marked.length > 0 } };
      found.push(...(await look({ runOnly: { type: 'tag', values: axeTags }, rules })));
      for (const element of marked) element.removeAttribute('data-new-part');
      for (const element of markedHere) element.removeAttribute('data-new-here');
      return found;
    },
    { axeTags, newParts, newHere, rulesOfElements },
  );
}
