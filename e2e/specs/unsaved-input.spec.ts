import { allPages } from '../all-pages.ts';
import { expect, test } from '../fixtures.ts';
import { WalkPart } from '../pages/walk.part.ts';

/** Two journeys, so that no other one waits for the end of a long one. */
const parts = [
  {
    pages: 'devices and swarms',
    has: /^\/(\?|$|devices|import|swarms|discover)/,
    forms: ['Add device', 'Create link'],
    menus: ['More'],
  },
  {
    pages: 'invitations, the account and the rest',
    has: /^\/(invit|account|activity|operator|join|map)/,
    forms: ['Change password'],
    menus: [],
  },
];

for (const { pages, has, ...known } of parts) {
  test(
    `in each form of the pages of ${pages}, the page counts as unsaved after one key, and each control has 24 px`,
    { tag: ['@long', '@once'] },
    async ({ page, layout, server, user, owner }) => {
      test.slow();
      const urls = await allPages({ server, user, owner });
      // None is in no part.
      expect(urls.filter((url) => !parts.some((each) => each.has.test(url)))).toEqual([]);
      const part = new WalkPart(page);
      const missed: string[] = [];
      const small: string[] = [];
      /** What had fields of text. */
      const forms: string[] = [];
      const menus: string[] = [];
      for (const url of urls.filter((each) => has.test(each)))
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
      expect(forms).toEqual(expect.arrayContaining(known.forms));
      expect(menus).toEqual(expect.arrayContaining(known.menus));
    },
  );
}
