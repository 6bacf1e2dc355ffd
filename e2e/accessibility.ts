import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type axe from 'axe-core';
import { expect, test } from 'playwright/test';
import type { Page } from 'playwright/test';

declare global {
  interface Window {
    axe: typeof axe;
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
  const { name } = test.info().project;
  if (!hasNewParts(parts.map((part) => `${name}: ${part}`))) return;
  // colours are the same on every screen
  const hasNewColours = hasNewParts(parts);
  const dark: string[] = [];
  if (hasNewColours) {
    await page.emulateMedia({ colorScheme: 'dark' });
    dark.push(...(await violations(page, { runOnly: { type: 'rule', values: ['color-contrast'] } })));
    await page.emulateMedia({ colorScheme: 'light' });
  }
  const rules = { 'color-contrast': { enabled: hasNewColours } };
  const light = await violations(page, { runOnly: { type: 'tag', values: axeTags }, rules });
  expect({ dark, light }, `${title}: what axe finds`).toEqual({ dark: [], light: [] });
}

/** The workers share what they have checked in a file. Playwright empties its folder before each run. */
function hasNewParts(parts: string[]) {
  const { outputDir } = test.info().project;
  const file = join(outputDir, 'axe-checked.txt');
  mkdirSync(outputDir, { recursive: true });
  const checked = new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []);
  const fresh = parts.filter((part) => !checked.has(part));
  if (fresh.length > 0) appendFileSync(file, `${fresh.join('\n')}\n`);
  return fresh.length > 0;
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
  const parts = new Set<string>();
  const visit = (element: Element, parent: string) => {
    const description = describe(element);
    parts.add(`${parent} > ${description}`);
    for (const child of element.children) visit(child, description);
  };
  // behind a modal dialog axe checks nothing
  visit(document.querySelector('dialog:modal') ?? document.documentElement, document.documentElement.dir);
  return [...parts];
}

async function violations(page: Page, options: axe.RunOptions) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  const found = await page.evaluate(
    async (options) => {
      // nothing behind a modal dialog can be seen or reached
      const context = document.querySelector('dialog:modal') ?? document;
      const { violations } = await window.axe.run(context, options);
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, any }) => `${id}: ${any[0]?.message ?? ''} ${html}`),
      );
    },
    // what axe preloads, for a rule on locked screen orientation, it writes into the page while a style still loads
    { ...options, resultTypes: ['violations'] as axe.resultGroups[], preload: false },
  );
  return found;
}
