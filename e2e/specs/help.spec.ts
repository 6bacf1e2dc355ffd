import { expect, test } from '../fixtures.ts';
import { PalettePart } from '../pages/palette.part.ts';

const isPhone = () => test.info().project.name === 'phone';

test('help lists the keys of every page, or the gestures on a touch screen', async ({ page, home, step }) => {
  const palette = new PalettePart(page);
  await home.open();
  await expect(home.firstRun).toBeVisible();
  await step('help opens', async () => {
    await page.keyboard.press('?');
    if (isPhone()) {
      await expect(palette.touchHelp).toContainText('Tap a device');
      await expect(palette.touchHelp).toContainText('sends and receives');
      return;
    }
    await expect(palette.helpSection(/^Devices/)).toContainText('this page');
    const promised = await palette.promised();
    const keysOf = (section: string) => promised.filter((row) => row.section === section).flatMap(({ keys }) => keys);
    expect(keysOf('Anywhere')).toEqual([
      expect.stringMatching(/^(Ctrl|⌘) K$/),
      expect.stringMatching(/^(Ctrl|⌘) S$/),
      'C',
      'I',
      '?',
      'Z',
    ]);
    expect(keysOf('Go to')).toEqual(['G', 'D', 'G', 'S', 'G', 'I', 'G', 'A']);
    expect(keysOf('Invitations')).toEqual([
      '/',
      'J',
      'K',
      '↵',
      'X',
      expect.stringMatching(/^(Ctrl|⌘) A$/),
      'M',
      'L',
      'Esc',
      'A',
      'R',
    ]);
  });
  await expect(palette.help.or(palette.touchHelp)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(palette.help.or(palette.touchHelp)).toBeHidden();
});

test(
  'single-key shortcuts can be switched off; Ctrl-K and Esc remain',
  { tag: '@once' },
  async ({ page, home, account, step }) => {
    const palette = new PalettePart(page);
    await account.open();
    await step('help opens without a key', async () => {
      await palette.openHelpFromAccount();
      await expect(palette.help.or(palette.touchHelp)).toBeVisible();
      if (!isPhone()) await palette.singleKeys.click();
      await page.keyboard.press('Escape');
      await expect(palette.help.or(palette.touchHelp)).toBeHidden();
      if (isPhone()) await palette.shortcuts.click();
    });
    await page.keyboard.press('?');
    await page.keyboard.press('c');
    await expect(palette.help.or(palette.touchHelp)).toBeHidden();
    await palette.openByKey();
    await page.keyboard.press('Escape');
    await expect(palette.dialog).toBeHidden();
    await palette.shortcuts.click();
    await page.keyboard.press('c');
    await expect(home.addForm.name).toBeFocused();
  },
);
