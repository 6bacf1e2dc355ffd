import { expect, test } from '../fixtures.ts';
import { harbourFleet } from '../fleet.ts';

const otherPages = ['/import', '/swarms', '/invitations', '/account', '/sign-in'];

test(
  "every page is mirrored in a right-to-left language, and other users' text keeps its direction",
  { tag: '@phone' },
  async ({ page, user, layout, step }) => {
    const [first] = await user.addMany(harbourFleet().slice(0, 12));
    if (!first) throw new Error('there is no fleet');
    const { width } = page.viewportSize() ?? { width: 0 };
    const boxes = async () =>
      Object.fromEntries(
        await Promise.all(
          Object.entries(layout.landmarks).map(async ([name, locator]) => {
            await expect(locator).toBeVisible();
            const box = await locator.boundingBox();
            return [name, box ? { start: box.x, end: width - box.x - box.width } : { start: 0, end: 0 }] as const;
          }),
        ),
      );

    await page.goto('/');
    await expect(layout.text(first.name)).toBeVisible();
    const normal = await boxes();
    const headings: Record<string, number> = {};
    for (const path of ['/swarms', '/invitations', '/account']) {
      await page.goto(path);
      headings[path] = (await layout.headingBox()).x;
    }
    await step('the home page', async () => {
      await page.goto('/?lang=en-XR');
      await expect(layout.text(first.name)).toBeVisible();
      await expect.poll(() => layout.direction()).toBe('rtl');
      const notMirrored = async () => {
        const mirrored = await boxes();
        return Object.entries(normal).filter(([name, { start }]) => !(Math.abs(mirrored[name]!.end - start) < 12));
      };
      await expect.poll(notMirrored, 'what is not at the other side').toEqual([]);
      await expect.poll(() => layout.overflowing()).toEqual([]);
    });
    await step('a selected device', async () => {
      await page.goto(`/?sel=${first.id}`);
      await expect(layout.text(first.name)).toBeVisible();
      await expect.poll(() => layout.overflowing()).toEqual([]);
    });
    await step('a device', async () => {
      await page.goto(`/devices/${first.id}`);
      await expect(layout.heading).toHaveText(first.name);
      await expect.poll(() => layout.overflowing()).toEqual([]);
    });
    for (const path of otherPages) {
      await step(path, async () => {
        await page.goto(path);
        await layout.ready();
        await expect.poll(() => layout.direction()).toBe('rtl');
        await expect.poll(() => layout.overflowing()).toEqual([]);
        const start = headings[path];
        if (start === undefined) return;
        const padding = async () => {
          const { x, width: own } = await layout.headingBox();
          return width - x - own;
        };
        await expect.poll(padding, 'the padding of the heading').toBe(start);
      });
    }
  },
);
