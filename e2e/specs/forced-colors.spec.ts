import type { Locator } from 'playwright/test';
import { expect, test } from '../fixtures.ts';

for (const forcedColors of ['none', 'active'] as const) {
  test(
    `the focused item of a menu is marked, with forced colours: ${forcedColors}`,
    { tag: '@once' },
    async ({ page, user, home, layout }) => {
      await user.add({ name: 'Buoy 7', machine_type: 'bug' });
      await page.emulateMedia({ forcedColors });
      await home.open();
      // by the mouse, too
      await home.openOrders();
      await page.keyboard.press('ArrowDown');
      await expect.poll(() => layout.focused()).toEqual({ name: 'Last change', seen: true });
      await expect(home.order('Last change')).toHaveCSS('outline-style', 'solid');
    },
  );
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(
    `ticks differ from their boxes with forced colours, ${colorScheme}`,
    { tag: '@once' },
    async ({ page, user, home }) => {
      await user.add({ name: 'Buoy 7', machine_type: 'bug', position: { longitude: 9.9, latitude: 53.5 } });
      await page.emulateMedia({ forcedColors: 'active', colorScheme });
      await home.open();
      const check = async (control: Locator) => {
        await expect(control).toBeChecked();
        const [ground, mark] = await control.evaluate((element) => [
          getComputedStyle(element).backgroundColor,
          getComputedStyle(element, '::before').backgroundColor,
        ]);
        expect(contrast(ground, mark)).toBeGreaterThan(3);
      };
      await home.toggleInView();
      await check(home.inView);
      await home.row('Buoy 7').hover();
      const box = home.rowCheckbox('Buoy 7');
      await box.check();
      await check(box);
    },
  );
}

/** The contrast of two colours like `rgb(0, 0, 0)`, by WCAG. */
function contrast(...colours: [string, string]): number {
  const [dark, light] = colours
    .map((colour) => {
      const channels = (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map((channel) => Number(channel) / 255);
      const [red = 0, green = 0, blue = 0] = channels.map((value) =>
        value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    })
    .sort((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}
