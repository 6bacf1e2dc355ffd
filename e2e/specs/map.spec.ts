import type { Route } from 'playwright/test';
import { expect, test } from '../fixtures.ts';
import { answer } from '../intercept-requests.ts';

const harbour = { longitude: 10, latitude: 54 };
/** The harbour is at the centre of the uncovered part. */
const map = '6/54/10';

test(
  'a server that is still reading shows its progress, and the map appears when it is done',
  { tag: '@once' },
  async ({ page, user, home }) => {
    await user.add({ name: 'Buoy 1', machine_type: 'bug', position: harbour });
    let part = 0.4;
    await page.route('**/api/map?*', async (route) => {
      if (part >= 1) return route.continue();
      const empty = {
        type: 'FeatureCollection',
        features: [],
        total: 0,
        unplaced: 0,
        version: 'building',
        bounds: null,
      };
      await answer(route, { ...empty, building: part });
    });
    await home.open({ map });
    await expect(home.reading).toHaveText(/\b40%/);
    part = 0.85;
    await expect(home.reading).toHaveText(/\b85%/);
    part = 1;
    await expect(home.reading).toBeHidden();
    await expect.poll(() => home.pointsAtSomething()).toBe(true);
    await home.clickMiddleOfMap();
    await expect(home.card).toContainText('Buoy 1');
  },
);

test(
  'a map that moves to its devices says before that neither that none is in view, nor that all is sea',
  { tag: '@once' },
  async ({ page, user, home }) => {
    await user.add({ name: 'Lighthouse', machine_type: 'pc', position: { longitude: 174, latitude: -41 } });
    // The map has settled before it knows its devices: after a moment, it says that it loads.
    const settled = Promise.withResolvers<void>();
    const late = async (route: Route) => {
      await settled.promise;
      await route.continue();
    };
    await page.route('**/api/map?*', late);
    await page.route('**/assets/*.bin', late);
    const notices = await home.watchNotices();
    await home.open();
    await expect(home.mapLoading).toBeVisible();
    await expect.poll(() => home.ground()).toEqual({ drawn: 0, rest: 'neither' });
    settled.resolve();
    await expect.poll(() => home.pointsAtSomething()).toBe(true);
    expect((await notices()).filter((notice) => !notice.startsWith('Loading devices'))).toEqual([]);
  },
);

test('a card names the nearest city, with its distance from 15 km', { tag: '@once' }, async ({ user, home, wall }) => {
  const [quay, buoy] = await user.addMany([
    { name: 'Quay', machine_type: 'pc', position: { longitude: 31.3, latitude: 30 } },
    { name: 'Buoy 1', machine_type: 'bug', position: { longitude: 8.4, latitude: 54.03 } },
  ]);
  await home.open({ sel: quay!.id });
  await expect(home.card).toContainText('near Cairo');
  await home.open({ sel: buoy!.id });
  // A town that the map shows there, and not the next city, which is Bremerhaven.
  await expect(home.card).toContainText(/2\d km from Cuxhaven/);
  await wall.open({ sel: quay!.id, lang: 'de' });
  await expect(wall.card).toContainText('bei Kairo');
});

// On a phone, the card is in the place of the search field.
test(
  'a search moves the map to what it finds, and a device that it hides loses its card',
  { tag: '@once' },
  async ({ page, user, home }) => {
    await user.add({ name: 'Buoy 1', machine_type: 'bug', position: harbour });
    await user.add({ name: 'Lighthouse', machine_type: 'pc', position: { longitude: 174, latitude: -41 } });
    await home.open({ map, q: 'buoy' });
    await expect.poll(() => home.pointsAtSomething()).toBe(true);
    await home.clickMiddleOfMap();
    await expect(home.card).toContainText('Buoy 1');
    await home.searchField.fill('light');
    await expect(home.card).toBeHidden();
    await expect.poll(() => new URL(page.url()).searchParams.get('map')).toMatch(/\/-4[01]\.?\d*\/17[34]/);
  },
);

test.describe('with animations', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });

  test(
    'a link from a smaller window shows its centre at the lowest zoom of this window',
    { tag: ['@long', '@once'] },
    async ({ page, user, home, wall }) => {
      await user.add({ name: 'Buoy 1', machine_type: 'bug', position: { longitude: 40, latitude: 20 } });
      const link = () => new URL(page.url()).searchParams.get('map') ?? '';
      await home.open({ map: '0/20/40' });
      await expect.poll(link).toMatch(/^1\.\d+\/20\/40$/);
      await expect.poll(() => home.pointsAtSomething()).toBe(true);

      await page.setViewportSize({ width: 1920, height: 1080 });
      await home.open({ map: link() });
      await expect.poll(() => home.pointsAtSomething()).toBe(true);
      await expect.poll(link).toMatch(/^2(\.\d+)?\/20\/40$/);

      await wall.open({ map: '1/20/40' });
      await expect.poll(() => wall.pointsAtSomething()).toBe(true);
      // A wall shows no place twice: 2,048 px are the world.
      await expect.poll(link).toMatch(/^3\/20\/40$/);

      // a window that grows keeps the centre, to a pixel
      const [before = 0] = link().split('/').map(Number);
      await page.setViewportSize({ width: 2400, height: 1300 });
      await expect
        .poll(() => link().split('/').map(Number))
        .toEqual([before + 0.25, expect.closeTo(20, 0), expect.closeTo(40, 0)]);
      await expect.poll(() => wall.pointsAtSomething()).toBe(true);

      // as does Back to such a view, to a pixel
      await page.evaluate(() => {
        history.replaceState(null, '', '?map=1/20/100');
        dispatchEvent(new PopStateEvent('popstate'));
      });
      await expect.poll(link).toMatch(/^3\.\d+\/(20|19\.9\d*)\/(100|99\.9\d*)$/);
    },
  );
});
