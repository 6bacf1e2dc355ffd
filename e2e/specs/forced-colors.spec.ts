import type { Locator } from 'playwright/test';
import { expect, test } from '../fixtures.ts';
import { ValuesPart } from '../pages/values.part.ts';

for (const forcedColors of ['none', 'active'] as const) {
  test(
    `the focused item of a menu is marked, with forced colours: ${forcedColors}`,
    { tag: ['@long', '@once'] },
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

test(
  'the chosen tab has a line that the others lack, with forced colours',
  { tag: ['@long', '@once'] },
  async ({ page, inbox }) => {
    await page.emulateMedia({ forcedColors: 'active' });
    await inbox.goto();
    await expect(inbox.boxes).toHaveCount(2);
    const [ground, chosen, other] = await inbox.boxes.evaluateAll((tabs) => [
      getComputedStyle(document.body).backgroundColor,
      ...tabs.map((tab) => getComputedStyle(tab).borderBlockEndColor),
    ]);
    expect(other).toBe(ground);
    expect(contrast(ground, chosen!)).toBeGreaterThan(3);
  },
);

for (const colorScheme of ['light', 'dark'] as const) {
  test(
    `ticks differ from their boxes with forced colours, ${colorScheme}`,
    { tag: ['@long', '@once'] },
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

for (const forcedColors of ['none', 'active'] as const) {
  test(
    `the lines of a chart are told apart, with forced colours: ${forcedColors}`,
    { tag: ['@long', '@once'] },
    async ({ page, user, device }) => {
      const values = new ValuesPart(page);
      const buoy = await user.add({ name: 'Buoy 7', machine_type: 'bug' });
      const swarm = await user.createSwarm({ name: 'Harbour weather', description: '' });
      await user.join(swarm, { resource_id: buoy.id, resource_type: 'producer' });
      for (const at of [1, 2])
        await user.sendAs(buoy, Object.fromEntries(Array.from({ length: 8 }, (_, line) => [`n${line}`, line + at])));
      await page.addInitScript(ValuesPart.noteLines);
      await page.emulateMedia({ forcedColors });
      await device.open(buoy.id);
      await values.putTogether();
      await expect.poll(async () => new Set(await values.sampleLines()).size).toBe(8);
      const lines = await values.sampleLines();
      await expect.poll(() => values.drawnLines()).toEqual(expect.arrayContaining(lines));
      const colours = new Set(lines.map((line) => line.split(' ')[0]!));
      // CanvasText, LinkText and Highlight.
      expect(colours.size).toBe(forcedColors === 'none' ? 8 : 3);
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
