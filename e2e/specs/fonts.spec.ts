import { expect, test } from '../fixtures.ts';
import { fontOf } from '../fonts.ts';

test.use({ signedIn: false });

test('the text of a page is drawn with the font for which its layout is checked', async ({ signIn, layout }) => {
  await signIn.open();
  await expect(layout.heading).toBeVisible();
  await expect.poll(() => layout.fonts()).toEqual([fontOf()]);
});
