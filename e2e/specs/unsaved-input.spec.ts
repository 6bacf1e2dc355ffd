import { allPages } from '../all-pages.ts';
import { expect, test } from '../fixtures.ts';
import { FormsPart } from '../pages/forms.part.ts';

test(
  'in each form of each page and dialog, the page counts as unsaved after one key',
  { tag: '@once' },
  async ({ page, server, user, owner }) => {
    test.slow();
    const forms = new FormsPart(page);
    const urls = await allPages({ server, user, owner });
    const missed: string[] = [];
    for (const url of urls) missed.push(...(await forms.walk(url)));
    const withRows = urls.filter((url) => /^\/($|swarms\/[^?/]+$)/.test(url));
    for (const url of withRows) missed.push(...(await forms.walk(url, true)));
    expect(missed).toEqual([]);
    // It has found those on pages, in dialogs, and in dialogs of menus.
    expect([...forms.found.keys()]).toEqual(
      expect.arrayContaining(['Add device', 'Change password', 'Set description…']),
    );
  },
);
