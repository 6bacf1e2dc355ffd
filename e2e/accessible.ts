import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from 'playwright/test';
import type { Page } from 'playwright/test';

const axeTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** One step of a journey, and at its end axe over the page in both themes: 0 violations. */
export type Step = (title: string, body: () => Promise<void>) => Promise<void>;

export const stepsOn =
  (page: Page): Step =>
  (title, body) =>
    test.step(title, async () => {
      await body();
      await expectAccessible({ page, title });
    });

/** The page as it stands, dialogs, menus and errors open where they are; what a theme can change in both themes. */
export async function expectAccessible({ page, title }: { page: Page; title: string }) {
  const modal = (await page.evaluate(() => document.querySelector('dialog:modal'))) !== null;
  // behind a modal dialog nothing can be seen or reached
  const axe = () => {
    // the newer mode opens a page for each run, for frames that there are none of; and what axe preloads, for a rule on
    // styles that lock a screen's orientation, it writes into the page where a style is still on its way
    const builder = new AxeBuilder({ page }).setLegacyMode().options({ preload: false });
    return modal ? builder.include('dialog:modal') : builder;
  };
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await violations(axe().withRules('color-contrast'));
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await violations(axe().withTags(axeTags));
  expect({ dark, light }, `${title}: what axe finds`).toEqual({ dark: [], light: [] });
}

async function violations(axe: AxeBuilder) {
  const results = await axe.analyze();
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${any[0]?.message ?? ''} ${html}`),
  );
}
