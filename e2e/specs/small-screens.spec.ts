import type { LayoutPart } from '../pages/layout.part.ts';
import { harbourFleet } from '../fleet.ts';
import { expect, test } from '../fixtures.ts';
import { bearLongNames } from '../long-names.ts';

test('every button of a map can be pressed on the lowest screen', async ({ page, user, layout, step }, { project }) => {
  // no desktop screen is as low
  if (project.name === 'phone') await page.setViewportSize({ width: 320, height: 568 });
  const [first] = await user.addMany(harbourFleet().slice(0, 20));
  const swarm = await user.createSwarm({ name: 'Harbour weather', description: '', public: true });
  if (!first) throw new Error('there is no fleet');
  await user.join(swarm, { resource_id: first.id, resource_type: 'both' });
  const urls = [
    '/',
    `/?sel=${first.id}`,
    `/devices/${first.id}`,
    `/swarms/${swarm.id}`,
    `/swarms/${swarm.id}?sel=${first.id}`,
    `/swarms/${swarm.id}/map`,
    `/swarms/${swarm.id}/map?sel=${first.id}`,
    '/map',
  ];
  // the mirrored layout is checked on the smallest screen
  for (const lang of project.name === 'phone' ? ['en', 'en-XR'] : ['en']) {
    for (const url of urls) {
      await step(`${lang} ${url}`, async () => {
        await page.goto(`${url}${url.includes('?') ? '&' : '?'}lang=${lang}`);
        await page.waitForLoadState('networkidle');
        await expect.poll(() => layout.hiddenOnMap()).toEqual([]);
        expect(await layout.overflowing()).toEqual([]);
      });
    }
  }
});

const away = { phone: [320, 390], desktop: [768, 900, 1440] };

test('the outage notice covers nothing on any page', async ({ page, user, layout, step }, { project }) => {
  const [first] = await user.addMany(harbourFleet().slice(0, 20));
  const swarm = await user.createSwarm({ name: 'Harbour weather', description: '', public: true });
  const deep = [`/swarms/${swarm.id}`, `/devices/${first?.id}`];
  const widths = away[project.name as keyof typeof away];
  const resize = (width: number) => page.setViewportSize({ width, height: width === 320 ? 568 : 844 });
  for (const lang of ['en', 'en-XR']) {
    for (const url of deep) {
      await step(`${lang} from ${url}`, async () => {
        await page.goto(`${url}?lang=${lang}`);
        await page.waitForLoadState('networkidle');
        await visitAll(layout);
        await page.route('**/api/**', (route) => route.abort());
        await visitAll(layout, async () => {
          await expect(layout.outage).toBeVisible();
          for (const width of widths) {
            await resize(width);
            await expect.poll(() => layout.underAway(), `at ${width} px`).toEqual([]);
            expect(await layout.overflowing(), `at ${width} px`).toEqual([]);
          }
        });
        await page.unrouteAll({ behavior: 'wait' });
      });
    }
  }
});

/** Visits all destinations within the page; Devices last. */
async function visitAll(layout: LayoutPart, look = async () => {}) {
  for (const at of [1, 2, 3, 0]) {
    await layout.destination(at).click();
    await expect(layout.destination(at)).toHaveAttribute('aria-current', 'page');
    await expect(layout.heading).toBeVisible();
    await look();
  }
}

test('devices that fit into the map are not below its buttons', async ({ user, home }) => {
  // one below the other at the eastern edge; on a square view, so that the width fits exactly
  const line = Array.from({ length: 40 }, (_, index) => ({ longitude: 14, latitude: 45 + index / 3 }));
  const positions = [...line, { longitude: -10, latitude: 52 }];
  await user.addMany(
    positions.map((position, index) => ({ name: `Buoy ${index}`, machine_type: 'bug' as const, position })),
  );
  await home.open();
  await expect.poll(() => home.pointsBesideLegend()).toBe(true);
  await home.fit();
  await expect.poll(() => home.pointsBesideLegend()).toBe(true);
});

const widths = { phone: [320, 390], desktop: [900, 1440] };

test('the inbox shows long user names and device names in full', async ({ page, user, owner, inbox, layout }, {
  project,
}) => {
  await bearLongNames({ user, owner });
  const swarm = await owner.createSwarm({ name: 'River levels', description: '', public: true });
  const { id } = await user.add({ name: 'Lund', machine_type: 'bug' });
  const description = 'Water levels from your pier, please. '.repeat(50);
  await owner.invite(swarm, { to: user.name, resource_id: id, resource_type: 'producer', description });
  await inbox.goto();
  for (const width of widths[project.name as keyof typeof widths]) {
    await page.setViewportSize({ width, height: 844 });
    await expect(inbox.row('Lund')).toBeVisible();
    const rows = await inbox.namesInRows();
    expect(rows.length).toBe(2);
    for (const { asker, device, cut, title } of rows) {
      expect(cut, `${device.text} at ${width} px`).toBe(0);
      expect(title).toBe(owner.name);
      expect(device.whole || device.width > 90, `${device.text} at ${width} px: ${device.width}`).toBe(true);
      expect(asker.whole || asker.width > 90, `asker at ${width} px: ${asker.width}`).toBe(true);
      // on one line both get the same share
      if (width >= 900 && !asker.whole && !device.whole) expect(Math.abs(asker.width - device.width)).toBeLessThan(2);
      if (device.text === 'Lund') expect(device.whole).toBe(true);
    }
    expect(await layout.overflowing()).toEqual([]);
  }
  // however long the message is, the consent text is beside the button
  const [width, height] = project.name === 'phone' ? [844, 390] : [1024, 768];
  await page.setViewportSize({ width, height });
  await inbox.select('Lund');
  await expect(inbox.consent).toBeInViewport({ ratio: 1 });
  await expect(inbox.acceptInPane).toBeInViewport({ ratio: 1 });
});

const odd = {
  phone: [[320, 568]],
  desktop: [
    [768, 1024],
    [1024, 768],
  ],
};

test('nothing is cut off, squeezed or unnamed on unusual screen sizes', async ({
  page,
  user,
  owner,
  layout,
  swarms,
  device: { form },
}, { project }) => {
  const { device, swarm } = await bearLongNames({ user, owner });
  const named = await user.createSwarm({ name: 'Harbour weather', description: 'Wind', public: true });
  const urls = [
    '/',
    '/?q=a',
    `/devices/${device}`,
    '/swarms',
    `/swarms/${swarm}?tab=invitations`,
    '/import',
    '/account',
  ];
  await page.goto('/');
  for (const [width = 0, height = 0] of odd[project.name as keyof typeof odd]) {
    await page.setViewportSize({ width, height });
    for (const url of urls) {
      await page.goto(url);
      await page.waitForLoadState('networkidle');
      expect(await layout.overflowing(), url).toEqual([]);
      expect(await layout.overflowingInside(), url).toEqual([]);
      expect(await layout.cutOff(), url).toEqual([]);
      if (url.startsWith('/devices/')) {
        const name = await form.name.boundingBox();
        expect(name?.width, `the form at ${width} px`).toBeGreaterThan(Math.min(280, width - 60));
      }
    }
    await page.goto('/swarms');
    await expect(swarms.nameOf(named.name)).toBeVisible();
    expect(await layout.whole(swarms.nameOf(named.name))).toBe(true);
  }
  await page.context().clearCookies();
  await page.goto('/sign-in');
  await page.waitForLoadState('networkidle');
  expect(await layout.overflowing(), 'sign-in').toEqual([]);
});
