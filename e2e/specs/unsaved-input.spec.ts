import { allPages } from '../all-pages.ts';
import { expect, test } from '../fixtures.ts';
import { WalkPart } from '../pages/walk.part.ts';

test(
  'in each form of each page and dialog, the page counts as unsaved after one key, and each control has 24 px',
  { tag: '@once' },
  async ({ page, layout, server, user, owner }) => {
    test.slow();
    const part = new WalkPart(page);
    const missed: string[] = [];
    const small: string[] = [];
    /** What had fields of text. */
    const forms: string[] = [];
    const menus: string[] = [];
    for (const url of await allPages({ server, user, owner }))
      await part.walk(url, async ({ area, at }) => {
        small.push(...(await layout.smallTargets()).map((control) => `${at}: ${control}`));
        if (area === 'menu') {
          menus.push(at);
          return;
        }
        const found = await part.typeIn(area);
        missed.push(...found.missed.map((label) => `${at}: ${label}`));
        if (found.labels.length > 0) forms.push(at);
      });
    expect(missed).toEqual([]);
    expect(small).toEqual([]);
    // It has found those of pages and of their dialogs.
    expect(forms).toEqual(expect.arrayContaining(['Add device', 'Change password', 'Create link']));
    expect(menus).toEqual(expect.arrayContaining(['More']));
  },
);
