import { expectAccessible } from '../accessibility.ts';
import { allPages } from '../all-pages.ts';
import { expect, test } from '../fixtures.ts';
import { inviteDevices } from '../invitations.ts';

// German texts are longer; long-names.spec.ts checks English with the wide font
test('on a phone in German, with text at 100 % and 200 %, nothing is cut off, covered, too small or inaccessible', async ({
  page,
  server,
  user,
  owner,
  layout,
}) => {
  test.slow();
  const devtools = await page.context().newCDPSession(page);
  // the setting of the system
  const setTextSize = (size: number) => devtools.send('Emulation.setEmulatedOSTextScale', { scale: size / 100 });
  const setStyle = (size: string) =>
    page.evaluate((value) => document.documentElement.style.setProperty('font-size', value), size);
  for (const [index, url] of (await allPages({ server, user, owner })).entries()) {
    // every second page loads with large text
    const sizes = index % 2 === 0 ? [100, 200] : [200, 100];
    await setTextSize(sizes[0]!);
    await page.goto(`${url}${url.includes('?') ? '&' : '?'}lang=de`);
    await layout.ready();
    for (const size of sizes) {
      await setTextSize(size);
      // a style has its turn below, and long-names.spec.ts has wider phones
      await page.setViewportSize({ width: 320, height: 568 });
      const narrow = `${url} at 320 px and ${size} %`;
      await expect.poll(() => layout.overflowing(), narrow).toEqual([]);
      await expect.poll(() => layout.overflowingInside(), narrow).toEqual([]);
      await expect.poll(() => layout.cutOff(), narrow).toEqual([]);
      await expect.poll(() => layout.overlappingTexts(), narrow).toEqual([]);
      if (size === 200) continue;
      // of a style, media queries know nothing
      await page.setViewportSize({ width: 360, height: 640 });
      await setStyle('200%');
      const at = `${url} at 360 px with a style of 200 %`;
      await expect.poll(() => layout.overflowing(), at).toEqual([]);
      await expect.poll(() => layout.overflowingInside(), at).toEqual([]);
      await expect.poll(() => layout.cutOff(), at).toEqual([]);
      await expect.poll(() => layout.narrowHeadings(), at).toEqual([]);
      // rows of an inbox have a height for the text size at which it was loaded
      if (!url.startsWith('/invitations')) await expect.poll(() => layout.overlappingTexts(), at).toEqual([]);
      await setStyle('');
      await page.setViewportSize({ width: 390, height: 844 });
      await expect.poll(() => layout.smallTargets(), url).toEqual([]);
      await expect.poll(() => layout.frameMoves(), { message: url }).toBe(false);
      // journeys that run once on a large screen do not check the parts of a phone
      await expectAccessible({ page, title: url });
    }
    // a wall says itself that it is not connected
    if (url.endsWith('/map')) continue;
    await setTextSize(100);
    await layout.startOutage();
    await expect(layout.outage).toBeVisible();
    // it hides the badge of the stream, which has a space of its own
    await expect(layout.connectionBadge).not.toBeEmpty();
    const atEnd = async () => {
      await layout.scrollToEnd();
      return layout.underAway();
    };
    await expect.poll(atEnd, url).toEqual([]);
    await page.unrouteAll({ behavior: 'wait' });
  }
});

test(
  'text, icons and switches grow with the text size of the browser, and the controls of a low map are above its credits',
  { tag: '@page' },
  async ({ page, user, home, layout }) => {
    const { id } = await user.add({ name: 'Buoy 7', machine_type: 'bug' });
    await home.open();
    await expect(home.inView).toBeVisible();
    const sizes = async () => [
      await layout.textHeight(),
      await layout.iconHeight(),
      (await home.inView.boundingBox())?.height,
    ];
    const before = await sizes();
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
    await expect.poll(sizes).toEqual(before.map((height) => 2 * (height ?? 0)));
    await page.goto(`/devices/${id}`);
    await expect.poll(() => layout.spaceAboveCredits()).toBeGreaterThan(0);
  },
);

test(
  'with text at 200 %, the bar of a phone shows all its words and badges, also with three digits',
  { tag: '@long' },
  async ({ page, user, owner, layout }) => {
    await inviteDevices({ user, owner, names: ['Silo sensor 5'] });
    const answerWith = (path: RegExp, change: object) =>
      page.route(path, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), ...change } });
      });
    await answerWith(/\/api\/inbox\/count$/, { received: { new: 128, answered: 0 }, offers: 0 });
    await answerWith(/\/api\/activity\?limit=1$/, { unread: 128 });
    const devtools = await page.context().newCDPSession(page);
    for (const lang of ['en', 'de'])
      for (const [browser, style] of [
        [32, 100],
        [16, 200],
      ] as const)
        for (const width of [320, 390, 412]) {
          await page.setViewportSize({ width, height: 800 });
          await devtools.send('Page.setFontSizes', { fontSizes: { standard: browser, fixed: 26 } });
          await page.goto(`/swarms?lang=${lang}`);
          await layout.ready();
          await page.evaluate((size) => document.documentElement.style.setProperty('font-size', `${size}%`), style);
          const at = `${lang} at ${width} px with ${browser} px and ${style} %`;
          await expect(layout.badges, at).toHaveText([/^128$/, /^99\+$/]);
          await expect.poll(() => layout.cutInNavigation(), at).toEqual([]);
        }
  },
);

test(
  'in both languages, at 200 % of the system’s text size, what is invited and who sees it can be read, and a list is reached',
  { tag: '@long' },
  async ({ page, user, owner, layout }) => {
    test.slow();
    const names = ['Weather station North harbour', 'Weather station North mole', 'Weather station North quay'];
    const { swarm } = await inviteDevices({ user, owner, names });
    const board = await user.createSwarm({ name: 'Harbour weather', description: '', public: true });
    const device = await user.add({
      name: 'Buoy 7',
      machine_type: 'bug',
      position: { latitude: 53.5, longitude: 9.9 },
    });
    await user.join(board, { resource_id: device.id, resource_type: 'both' });
    const { url: link } = await owner.createLink(swarm);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setEmulatedOSTextScale', { scale: 2 });
    for (const lang of ['en', 'de']) {
      for (const [width, height] of [
        [360, 640],
        [320, 568],
      ] as const) {
        const at = `${lang} at ${width} px`;
        await page.setViewportSize({ width, height });
        await page.goto(`/?lang=${lang}`);
        await layout.ready();
        await expect.poll(() => layout.mapShare(), at).toBeLessThan(0.55);
        await layout.text('Buoy 7').scrollIntoViewIfNeeded();
        await expect(layout.text('Buoy 7'), at).toBeInViewport();
        await page.goto(`/swarms/${board.id}`);
        await layout.ready();
        await expect.poll(() => layout.mapShare(), at).toBeLessThan(0.55);
        await page.goto('/invitations');
        await expect.poll(() => layout.invitedDevices().then((shown) => new Set(shown).size), at).toBe(3);
        await expect.poll(() => layout.cutTexts(), at).toEqual([]);
        await expect.poll(() => layout.cutConsents(), at).toEqual([]);
        const { x, y } = (await layout.text(owner.name).boundingBox())!;
        await page.mouse.click(x + 10, y + 10);
        await expect(layout.consent, at).toBeVisible();
        await expect.poll(() => layout.cutConsents(), at).toEqual([]);
        await expect.poll(() => layout.cutTexts(), at).toEqual([]);
        await page.goto(new URL(link).pathname);
        await layout.ready();
        await expect.poll(() => layout.cutTexts(), at).toEqual([]);
        await expect.poll(() => layout.cutConsents(), at).toEqual([]);
      }
    }
  },
);

test(
  'in German, an invitation has the name of its sender, and its facts are apart, with text at 200 %',
  { tag: '@long' },
  async ({ page, user, owner, layout }) => {
    await inviteDevices({ user, owner, names: ['Silo sensor 5'] });
    const devtools = await page.context().newCDPSession(page);
    await page.setViewportSize({ width: 390, height: 844 });
    const sender = layout.text(owner.name);
    for (const [browser, style] of [
      [16, 200],
      [32, 100],
    ] as const) {
      await devtools.send('Page.setFontSizes', { fontSizes: { standard: browser, fixed: 26 } });
      await page.goto('/invitations?lang=de');
      await page.evaluate((size) => document.documentElement.style.setProperty('font-size', `${size}%`), style);
      await expect(sender).toBeVisible();
      await expect.poll(async () => (await sender.boundingBox())?.width).toBeGreaterThan(150);
    }
    const { x, y } = (await sender.boundingBox())!;
    await page.mouse.click(x + 10, y + 10);
    await expect(layout.text('Angebotene Rolle')).toBeVisible();
    for (const [width, height] of [
      [390, 844],
      [844, 390],
    ] as const) {
      await page.setViewportSize({ width, height });
      await expect.poll(() => layout.overlappingTexts(), `${width} px`).toEqual([]);
      await expect.poll(() => layout.cutOff(), `${width} px`).toEqual([]);
    }
  },
);

test(
  'the messages of a swarm have room at any text size, and also if a style sets it',
  { tag: '@long' },
  async ({ page, user, layout }) => {
    const device = await user.add({ name: 'Buoy 7', machine_type: 'bug' });
    const swarm = await user.createSwarm({ name: 'Harbour weather and wind', description: '' });
    await user.join(swarm, { resource_id: device.id, resource_type: 'both' });
    await user.sendAs(device, { wind: 12 });
    const devtools = await page.context().newCDPSession(page);
    await page.setViewportSize({ width: 390, height: 844 });
    for (const [browser, style] of [
      [27, 100],
      [32, 100],
      [16, 200],
    ] as const) {
      await devtools.send('Page.setFontSizes', { fontSizes: { standard: browser, fixed: 26 } });
      await page.goto(`/swarms/${swarm.id}?tab=messages&lang=de`);
      await page.evaluate((size) => document.documentElement.style.setProperty('font-size', `${size}%`), style);
      const row = layout.text('Buoy 7');
      await row.scrollIntoViewIfNeeded();
      await expect(row, `${browser} px, ${style} %`).toBeInViewport({ ratio: 1 });
    }
  },
);

test(
  'in German, Follow on the wall is not cut off with text at 200 %',
  { tag: '@long' },
  async ({ page, user, wall, layout }) => {
    const device = await user.add({
      name: 'Buoy 7',
      machine_type: 'bug',
      position: { latitude: 53.55, longitude: 9.99 },
    });
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
    await wall.open({ sel: device.id, lang: 'de' });
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 844 });
      for (const name of ['Verfolgen', 'Wird verfolgt']) {
        await expect(wall.button(name)).toBeInViewport({ ratio: 1 });
        await expect.poll(() => layout.cutOff()).toEqual([]);
        await wall.button(name).click();
      }
    }
  },
);

test(
  'in German, the wall shows its title, its counts and the last change with text at 200 %',
  { tag: '@long' },
  async ({ page, user, wall, layout }) => {
    const position = { latitude: 53.55, longitude: 9.99 };
    const device = await user.add({ name: 'Buoy 7', machine_type: 'bug', position });
    const swarm = await user.createSwarm({ name: 'Harbour weather and wind', description: '', public: true });
    await user.join(swarm, { resource_id: device.id, resource_type: 'both' });
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
    await page.setViewportSize({ width: 320, height: 640 });
    for (const query of [{}, { swarm: swarm.id }, { swarm: swarm.id, sel: device.id }]) {
      await wall.open({ ...query, lang: 'de' });
      await layout.ready();
      await expect(wall.lines).toHaveCount('sel' in query ? 2 : 3);
      await expect(wall.cardLines).toHaveCount('sel' in query ? 2 : 0);
      for (const text of [...(await wall.lines.all()), ...(await wall.cardLines.all())]) {
        await expect.poll(() => layout.whole(text), (await text.textContent())!).toBe(true);
        await expect(text).toBeInViewport({ ratio: 1 });
      }
      await expect.poll(() => layout.cutOff()).toEqual([]);
      await expect.poll(() => wall.sheetBelowBar()).toBeGreaterThan(0);
    }
  },
);

test(
  'in German, an account with several sessions, keys, a webhook and notifications, and a list of swarms, fit with text at 200 %',
  { tag: '@long' },
  async ({ page, playwright, server, user, owner, layout }) => {
    const { origin } = server;
    const agents = [
      'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    ];
    for (const userAgent of agents) {
      const browser = await playwright.request.newContext({ userAgent });
      const data = { username: user.name, password: user.password };
      const signedIn = await browser.post(`${origin}/auth/sign-in/username`, { data, headers: { origin } });
      await expect(signedIn).toBeOK();
      await browser.dispose();
    }
    await user.createKey('Datenübertragung Wetterstation Nord');
    const device = await user.add({ name: 'Grundwassermessstelle 17', machine_type: 'bug' });
    await user.createDeviceKey(device);
    const webhook = { url: 'https://benachrichtigungen.wetterstationen-nord.example/swarmdeck' };
    const saved = await page.request.put(`${origin}/api/account/webhook`, { data: webhook, headers: { origin } });
    await expect(saved).toBeOK();
    for (const name of ['Frost watch', 'Wetterstationen Schleswig-Holstein Nordwest und Inseln']) {
      const swarm = await user.createSwarm({ name, description: 'Wind', public: true });
      await user.join(swarm, { resource_id: device.id, resource_type: 'both' });
    }
    // a browser of a journey has no push service
    await page.route('**/api/account/push', async (route) => {
      const response = await route.fetch();
      const subscription = {
        language: 'de',
        shows_names: true,
        refused: { status: 410, at: new Date().toISOString() },
      };
      await route.fulfill({ response, json: { ...(await response.json()), subscription } });
    });
    const managed = await owner.createSwarm({ name: 'River levels', description: '', public: true });
    await owner.askForRole(managed, { user_id: user.name, role: 'manager' });
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
    for (const url of ['/account', '/swarms', `/devices/${device.id}`]) {
      await page.goto(`${url}?lang=de`);
      await layout.ready();
      // 305: beside a scrollbar
      for (const width of [305, 320, 412]) {
        await page.setViewportSize({ width, height: 839 });
        const at = `${url} at ${width} px`;
        await expect.poll(() => layout.overflowing(), at).toEqual([]);
        await expect.poll(() => layout.overflowingInside(), at).toEqual([]);
        await expect.poll(() => layout.cutOff(), at).toEqual([]);
      }
    }
  },
);
