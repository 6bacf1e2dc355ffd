import { AxeBuilder } from '@axe-core/playwright';
import { expect } from 'playwright/test';
import type { Page } from 'playwright/test';

const axeTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

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
