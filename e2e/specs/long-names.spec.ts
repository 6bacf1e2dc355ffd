import { expect, test } from '../fixtures.ts';
import { fontOf } from '../fonts.ts';
import { bearLongNames } from '../long-names.ts';
import { ActivityPage } from '../pages/activity.page.ts';
import { MessagesPart } from '../pages/messages.part.ts';

/** Widths and heights. Phones are checked with the wide font only, because it needs the most space. */
const sizes: Record<string, [width: number, height: number][]> = {
  desktop: [
    [768, 1024],
    [1024, 768],
    [1440, 844],
  ],
  'wide-font': [
    [320, 568],
    [390, 844],
    [820, 844],
  ],
};

test('no page overflows, cuts off, covers or squeezes anything, with long names on unusual screen sizes', async ({
  page,
  user,
  owner,
  layout,
  swarms,
  device: { form },
}, { project }) => {
  test.slow();
  const { device, swarm } = await bearLongNames({ user, owner });
  const short = await user.createSwarm({ name: 'Harbour weather', description: 'Wind', public: true });
  const urls = [
    '/',
    '/?q=a',
    '/?q=nothing',
    `/?sel=${device}`,
    '/import',
    `/devices/${device}`,
    '/swarms',
    '/invitations',
    ...[
      `?sel=${device}`,
      '?tab=messages',
      '?tab=audience',
      '?tab=invitations',
      '?tab=settings',
      '/map',
      `/map?sel=${device}`,
    ].map((end) => `/swarms/${swarm}${end}`),
    '/map',
    `/invite?swarm=${swarm}`,
    '/account',
    '/activity',
    '/sign-in',
  ];
  for (const url of urls) {
    if (url === '/sign-in') await page.context().clearCookies();
    await page.goto(url);
    await layout.ready();
    if (url === '/')
      await expect.poll(() => layout.fonts(), url).toEqual([fontOf({ wide: project.name === 'wide-font' })]);
    for (const [width, height] of sizes[project.name]!) {
      await page.setViewportSize({ width, height });
      const at = `${url} at ${width} px`;
      await expect.poll(() => layout.overflowing(), at).toEqual([]);
      await expect.poll(() => layout.overflowingInside(), at).toEqual([]);
      await expect.poll(() => layout.cutOff(), at).toEqual([]);
      if (url === '/invitations') await expect.poll(() => layout.cutTexts(), at).toEqual([]);
      if (url.startsWith('/devices/')) {
        await expect
          .poll(async () => (await form.name.boundingBox())?.width, `the form at ${width} px`)
          .toBeGreaterThan(Math.min(280, width - 60));
      }
      // The largest and the lowest screen; sheet.spec.ts checks the lowest from right to left. The map of an invitation scrolls under
      // its answer, and the card of a device with such names leaves a low screen no room for the legend.
      const isCovered = width === 1440 ? url.startsWith('/invitations') : url.includes('sel=');
      if ((width === 1440 || height === 568) && !isCovered)
        await expect.poll(() => layout.hiddenOnMap(), at).toEqual([]);
      if (url.includes('tab=messages')) {
        const { newest } = new MessagesPart(page);
        await expect(newest).toBeVisible();
        await expect.poll(() => layout.whole(newest), at).toBe(true);
      }
      if (url === '/swarms') {
        await expect(swarms.nameOf(short.name)).toBeVisible();
        await expect.poll(() => layout.whole(swarms.nameOf(short.name)), at).toBe(true);
      }
    }
  }
});

test('in German with text at 200 %, the navigation is not wider than a phone', async ({ page, user, owner, layout }, {
  project,
}) => {
  // only the wide font needs so much space
  if (project.name === 'desktop') return;
  await bearLongNames({ user, owner });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
  for (const url of ['/invitations', '/swarms', '/account']) {
    await page.goto(`${url}?lang=de`);
    await layout.ready();
    await expect(layout.destination(2)).toContainText('1');
    await expect.poll(() => layout.navigationEnd(), url).toBeLessThanOrEqual(390);
  }
});

test('in German, the tabs of a swarm are not wider than a tablet', { tag: '@once' }, async ({ page, user, layout }) => {
  const swarm = await user.createSwarm({ name: 'Harbour', description: '' });
  await page.goto(`/swarms/${swarm.id}?lang=de`);
  await layout.ready();
  for (const width of [768, 800]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => layout.overflowing(), `at ${width} px`).toEqual([]);
  }
});

test('the names of swarms in a device row are cut at their ends, also from right to left', async ({
  user,
  home,
  layout,
}) => {
  const device = await user.add({ name: 'Gate', machine_type: 'bug' });
  const names = [
    'תחנות מזג האוויר של נמל הצפון ושל נמל הדרום',
    'Weather stations of the northern and southern harbour',
  ];
  for (const name of names) {
    const swarm = await user.createSwarm({ name, description: '' });
    await user.join(swarm, { resource_id: device.id, resource_type: 'producer' });
  }
  await home.open();
  for (const name of names) {
    await expect(home.swarmInRow('Gate', name)).toBeVisible();
    await expect.poll(() => layout.showsStart(home.swarmInRow('Gate', name)), name).toBe(true);
  }
});

test('a name with a line break is one line', async ({ page, user, layout }) => {
  const device = await user.add({ name: 'Gate\nsensor', machine_type: 'bug' });
  for (const url of ['/', `/devices/${device.id}`]) {
    await page.goto(url);
    const name = layout.text('Gate sensor');
    await expect(name).toBeVisible();
    await expect.poll(async () => (await name.boundingBox())?.height, url).toBeLessThan(30);
  }
});

test('a long name in the activity log is one line', async ({ page, user, owner }) => {
  await bearLongNames({ user, owner });
  const activity = new ActivityPage(page);
  await activity.open();
  await expect(activity.entries.first()).toBeVisible();
  await expect.poll(async () => Math.max(...(await activity.nameHeights()))).toBeLessThan(30);
});
