/**
 * The built-in map with devices in difficult places: both sides of the antimeridian, the poles, and areas with many
 * names or none. For looking at; nothing is compared.
 */
import { join } from 'node:path';
import { expect, test } from '../fixtures.ts';
import { NamesPart } from '../pages/names.part.ts';

const folder = join(import.meta.dirname, '../../screenshots/basemap');

const places = {
  fiji: [-17.6, 178.6],
  bering: [66, -171],
  antarctica: [-74, 10],
  europe: [53.2, 9.9],
  pacific: [-15, -150],
};
const zooms = [2, 4, 6, 8, 10, 14];

const spread = [0, 0.4, -0.9, 2.2, -4.5, 9, -17, 31];

test('the basemap', async ({ page, user, home }) => {
  test.setTimeout(400_000);
  const devices = Object.values(places).flatMap(([latitude = 0, longitude = 0]) =>
    spread.map((step, at) => ({
      name: `Station ${at}`,
      machine_type: (['pc', 'bug', 'smartphone'] as const)[at % 3]!,
      position: {
        latitude: Math.max(-84, Math.min(84, latitude + step / 3)),
        longitude: ((longitude + step + 540) % 360) - 180,
      },
    })),
  );
  await user.addMany(devices);
  const names = new NamesPart(page);
  for (const [name, [latitude, longitude]] of Object.entries(places)) {
    for (const zoom of zooms) {
      await home.open({ map: `${zoom}/${latitude}/${longitude}` });
      await expect(home.map).toBeVisible();
      await page.waitForLoadState('networkidle');
      await expect(names.canvas).toBeAttached();
      // workers read the detailed files after that
      await page.waitForLoadState('networkidle');
      await page.waitForTimeout(2500);
      const taken = join(folder, test.info().project.name, `${name}-${zoom}.png`);
      await page.screenshot({ path: taken });
    }
  }
});
