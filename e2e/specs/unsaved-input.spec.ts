import { allPages } from '../all-pages.ts';
import { expect, test } from '../fixtures.ts';
import { FormsPart } from '../pages/forms.part.ts';

test(
  'in each form of each page and dialog, the page counts as unsaved after one key',
  { tag: '@once' },
  async ({ page, server, user, owner }) => {
    test.slow();
    const forms = new FormsPart(page);
    const missed: string[] = [];
    for (const url of await allPages({ server, user, owner })) missed.push(...(await forms.walk(url)));
    expect(missed).toEqual([]);
    // It has found those of pages and of their dialogs.
    expect([...forms.found.keys()]).toEqual(expect.arrayContaining(['Add device', 'Change password', 'Create link']));
  },
);
