import { allPages } from '../all-pages.ts';
import { startDeleting } from '../actions.ts';
import type { LayoutPart } from '../pages/layout.part.ts';
import { harbourFleet } from '../fleet.ts';
import { failInside } from '../intercept-requests.ts';
import { expect, test } from '../fixtures.ts';
import { invite, inviteDevices } from '../invitations.ts';
import { bearLongNames } from '../long-names.ts';
import { ImportPage } from '../pages/import.page.ts';
import { RecoveryPage } from '../pages/recovery.page.ts';

/** The mirrored layout is checked on the phone. */
const outages = {
  phone: { languages: ['en', 'en-XR'], widths: [320, 390] },
  desktop: { languages: ['en'], widths: [768, 900, 1440] },
};

test('the outage notice covers nothing on any page', async ({ page, user, layout, step }, { project }) => {
  test.slow();
  const [first] = await user.addMany(harbourFleet().slice(0, 20));
  const swarm = await user.createSwarm({ name: 'Harbour weather', description: '', public: true });
  const { languages, widths } = outages[project.name as keyof typeof outages];
  const resize = (width: number) => page.setViewportSize({ width, height: width === 320 ? 568 : 844 });
  for (const [index, lang] of languages.entries()) {
    const url = [`/swarms/${swarm.id}`, `/devices/${first?.id}`][index]!;
    await step(`${lang} from ${url}`, async () => {
      await page.goto(`${url}?lang=${lang}`);
      await layout.ready();
      // a page without its data would show an error instead of it
      await visitAll(layout, () => expect(layout.loading).toHaveCount(0));
      await layout.startOutage();
      await visitAll(layout, async () => {
        await expect(layout.outage).toBeVisible();
        for (const width of widths) {
          await resize(width);
          // a page that scrolls can be scrolled out of it
          await layout.scrollToEnd();
          await expect.poll(() => layout.underAway(), `at ${width} px`).toEqual([]);
          await expect.poll(() => layout.overflowing(), `at ${width} px`).toEqual([]);
        }
      });
      await page.unrouteAll({ behavior: 'wait' });
    });
  }
});

test(
  'the outage notice covers nothing of an inbox that could not be loaded',
  { tag: ['@long', '@once'] },
  async ({ page, layout, inbox }) => {
    await page.goto('/swarms');
    await layout.ready();
    await layout.startOutage();
    await layout.destination(2).click();
    await expect(inbox.retry).toBeVisible();
    for (const width of [320, 390, 900]) {
      await page.setViewportSize({ width, height: width === 320 ? 568 : 844 });
      await expect.poll(() => layout.underAway(), `at ${width} px`).toEqual([]);
      await expect.poll(() => layout.overflowing(), `at ${width} px`).toEqual([]);
    }
  },
);

test(
  'the outage notice does not cover what accepting an invitation shows to others',
  { tag: ['@long', '@phone'] },
  async ({ page, user, owner, inbox, layout }) => {
    await inviteDevices({ user, owner, names: ['Silo sensor 5'] });
    await page.goto('/invitations');
    await inbox.select('Silo sensor 5');
    await expect(inbox.consent).toBeVisible();
    await layout.ready();
    await layout.startOutage();
    await expect(layout.outage).toBeVisible();
    await expect.poll(() => layout.underAway()).toEqual([]);
  },
);

test(
  'on a desk, the outage notice is beside the rows of the inbox, whose buttons it would cover',
  { tag: ['@long', '@once'] },
  async ({ user, owner, inbox, layout }) => {
    await inviteDevices({ user, owner, names: ['Silo sensor 5'] });
    await inbox.goto();
    await expect(inbox.row('Silo sensor 5')).toBeVisible();
    await layout.ready();
    await layout.startOutage();
    await expect(layout.outage).toBeVisible();
    const overRows = async () => {
      const parts = [layout.outage, inbox.row('Silo sensor 5')];
      const [notice, row] = await Promise.all(parts.map((part) => part.boundingBox()));
      return row!.x + row!.width - notice!.x;
    };
    await expect.poll(overRows).toBeLessThanOrEqual(0);
  },
);

test(
  'the outage notice is above the buttons at the end of a page, however high they are',
  { tag: ['@long', '@phone'] },
  async ({ page, user, owner, device, inbox, invite, layout, step }) => {
    await inviteDevices({ user, owner, names: ['Silo sensor 5'] });
    const { id } = await user.add({ name: 'Tide gauge', machine_type: 'bug' });
    const swarm = await user.createSwarm({ name: 'Harbour weather', description: '', public: true });
    const { url } = await owner.createLink(
      await owner.createSwarm({ name: 'River levels', description: '', public: true }),
    );
    const file = new ImportPage(page);
    const pages = {
      'an edited device': async () => {
        await device.open(id);
        await device.form.name.fill('Tide gauge north');
      },
      'an invitation': async () => {
        await page.goto('/invitations');
        await inbox.select('Silo sensor 5');
      },
      inviting: () => invite.open(`?swarm=${swarm.id}`),
      joining: () => page.goto(new URL(url).pathname),
      'an import': async () => {
        await file.open();
        await file.drop('name,type\nPier 4,bug\n');
        await expect(file.startButton).toBeVisible();
      },
    };
    for (const [name, open] of Object.entries(pages))
      await step(name, async () => {
        await open();
        await layout.ready();
        await layout.startOutage();
        await expect(layout.outage).toBeVisible();
        await expect.poll(() => layout.spaceAboveFoot()).toBeGreaterThan(0);
        await page.unrouteAll({ behavior: 'wait' });
      });
    await step('on a small phone, whose import scrolls with its buttons, it is above the rows', async () => {
      await page.setViewportSize({ width: 375, height: 667 });
      await pages['an import']();
      await layout.ready();
      await layout.scrollToEnd();
      await layout.startOutage();
      await expect(layout.outage).toBeVisible();
      await expect.poll(() => layout.hiddenInFoot()).toEqual([]);
      await page.unrouteAll({ behavior: 'wait' });
    });
    await step('on a low screen, the buttons scroll with their page', async () => {
      await page.setViewportSize({ width: 700, height: 390 });
      await device.open(id);
      await device.form.name.fill('Tide gauge north');
      await layout.ready();
      await layout.startOutage();
      await expect(layout.outage).toBeVisible();
      await layout.scrollToEnd();
      await expect.poll(() => layout.spaceAboveFoot()).toBeLessThan(0);
      await expect.poll(() => layout.underAway()).toEqual([]);
    });
  },
);

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

test(
  'on a small phone, the role, the end and the buttons of an invitation can be seen, however long the names are',
  { tag: ['@long', '@phone'] },
  async ({ page, user, owner, layout, step }) => {
    const ends_at = new Date(Date.now() + 40 * 86_400_000).toISOString();
    const names = {
      ordinary: 'Wetterstationen Schleswig-Holstein Nordwest und Inseln',
      'right to left': 'مراقبة محطات الأرصاد الجوية في شمال المدينة وجنوبها وغربها',
      hostile: 'W'.repeat(128),
    };
    for (const [kind, name] of Object.entries(names)) {
      const device = await user.add({ name: 'Gewächshaus am Server', machine_type: 'bug' });
      const swarm = await owner.createSwarm({ name, description: '', public: true });
      const { id } = await invite({ user, owner, swarm, device, resource_type: 'producer', ends_at });
      for (const [width, height] of [
        [320, 568],
        [375, 553],
        [412, 915],
      ] as const)
        await step(`${kind} at ${width} px`, async () => {
          await page.setViewportSize({ width, height });
          await page.goto('/invitations?lang=de');
          await layout.ready();
          await expect.poll(() => layout.cutTexts()).toEqual([]);
          await page.goto(`/invitations?lang=de&sel=${id}`);
          await layout.ready();
          await expect(layout.footButtons).toHaveCount(3);
          // Half of the window, and the navigation.
          await expect.poll(() => layout.footShare()).toBeLessThan(0.65);
          await layout.scrollToEnd();
          await expect.poll(() => layout.hiddenInFoot()).toEqual([]);
          // Axe takes what has been scrolled under the head for a target too near to its buttons.
          await layout.scrollToStart();
        });
    }
  },
);

test(
  'on the smallest phone, a row says who sees what, also with large text, and a role has its word where it has room',
  { tag: ['@long', '@phone', '@page'] },
  async ({ page, user, owner, inbox, layout }) => {
    const { swarm } = await inviteDevices({ user, owner, names: ['Silo sensor 5'] });
    const others = await owner.addMany(harbourFleet().slice(0, 12));
    for (const { id } of others) await owner.join(swarm, { resource_id: id, resource_type: 'producer' });
    const device = await user.add({ name: 'Tide gauge', machine_type: 'bug' });
    const ends_at = new Date(Date.now() + 40 * 86_400_000).toISOString();
    const limited = await owner.createSwarm({ name: 'Quay winds', description: '', public: true });
    await invite({ user, owner, swarm: limited, device, resource_type: 'producer', ends_at });
    const devtools = await page.context().newCDPSession(page);
    for (const lang of ['en', 'de'])
      for (const [width, percent] of [
        [320, 100],
        [390, 100],
        [320, 200],
      ] as const) {
        const at = `${lang} at ${width} px and ${percent} %`;
        await page.setViewportSize({ width, height: 568 });
        await devtools.send('Page.setFontSizes', { fontSizes: { standard: 16 * (percent / 100), fixed: 13 } });
        await page.goto(`/invitations?lang=${lang}`);
        await layout.ready();
        await expect(inbox.audiences.first(), at).toBeVisible();
        await expect.poll(() => inbox.cutAudiences(), at).toEqual([]);
        await expect.poll(() => layout.overlappingTexts(), at).toEqual([]);
        if (width === 390) await expect.poll(() => inbox.narrowRoles(), at).toEqual([]);
      }
  },
);

test(
  'on a phone in landscape, the button of a dialog is in view, and covers nothing that cannot be scrolled out of it',
  { tag: ['@long', '@phone'] },
  async ({ page, account, shell, layout }) => {
    const recovery = new RecoveryPage(page);
    await page.setViewportSize({ width: 667, height: 375 });
    await account.open();
    await recovery.makeNew();
    await expect(recovery.codes).toHaveCount(10);
    await expect(shell.dialog).toBeVisible();
    for (const [width, height] of [
      [667, 375],
      [568, 320],
    ] as const) {
      await page.setViewportSize({ width, height });
      const at = `at ${width} px`;
      await expect(recovery.doneButton, at).toBeInViewport({ ratio: 1 });
      if (width === 667) await expect(recovery.codes.first(), at).toBeInViewport({ ratio: 1 });
      await recovery.doneButton.focus();
      await recovery.isStored.focus();
      await expect.poll(async () => (await layout.visiblePartOfFocus())?.visible, at).toBe(1);
    }
    await recovery.confirmStored();
    await expect(shell.dialog).toBeHidden();
  },
);

test(
  'with large text on the smallest phone, the dialog of recovery codes begins at its start',
  { tag: ['@long', '@phone', '@page'] },
  async ({ page, account }) => {
    const recovery = new RecoveryPage(page);
    await page.setViewportSize({ width: 320, height: 568 });
    const devtools = await page.context().newCDPSession(page);
    for (const [browser, style] of [
      [32, 100],
      [16, 200],
    ] as const) {
      await devtools.send('Page.setFontSizes', { fontSizes: { standard: browser, fixed: 13 } });
      await account.open();
      await page.evaluate((size) => document.documentElement.style.setProperty('font-size', `${size}%`), style);
      await recovery.makeNew();
      await expect(recovery.codes).toHaveCount(10);
      await expect(recovery.shownTitle, `${browser} px, ${style} %`).toBeInViewport({ ratio: 1 });
      await recovery.confirmStored();
    }
  },
);

test(
  'the notice of what has failed, which stays, covers no button that cannot be scrolled out of it',
  { tag: ['@long', '@phone', '@clock'] },
  async ({ page, user, owner, inbox, layout }) => {
    await inviteDevices({ user, owner, names: ['Silo sensor 5'] });
    const gone = await user.add({ name: 'Tide gauge', machine_type: 'bug' });
    await user.deleteDevice(gone);
    await user.act({ kind: 'update', about: { machine_type: 'pc' }, items: [{ id: gone.id, name: gone.name }] });
    for (const [width, height] of [
      [667, 375],
      [839, 412],
      [375, 667],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.goto('/invitations');
      await layout.ready();
      // It is folded after a while.
      await page.clock.fastForward(21_000);
      await expect(layout.foldedFailure).toBeVisible();
      await inbox.select('Silo sensor 5');
      await expect(layout.footButtons).toHaveCount(3);
      const at = `at ${width} px`;
      const hiddenAtEnd = async () => {
        await layout.scrollToEnd();
        return layout.hiddenInFoot();
      };
      await expect.poll(hiddenAtEnd, at).toEqual([]);
    }
    await page.setViewportSize({ width: 360, height: 640 });
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
    // It is longer in German.
    await page.goto('/invitations?lang=de');
    await layout.ready();
    await page.clock.fastForward(21_000);
    await expect(layout.dismissFailures, 'with text at 200 %').toBeInViewport({ ratio: 1 });
  },
);

test(
  'a toast that stays covers no button at the end of a page of a phone that cannot be scrolled out of it',
  { tag: ['@long', '@phone', '@page'] },
  async ({ page, user, account, layout, step }) => {
    const [device] = await user.addMany(harbourFleet().slice(0, 5));
    const swarm = await user.createSwarm({ name: 'Harbour weather', description: '', public: true });
    await user.join(swarm, { resource_id: device!.id, resource_type: 'both' });
    const devtools = await page.context().newCDPSession(page);
    await page.route('**/auth/sign-out', failInside);
    for (const percent of [100, 200])
      await step(`at a text size of ${percent} %`, async () => {
        await devtools.send('Page.setFontSizes', { fontSizes: { standard: 16 * (percent / 100), fixed: 13 } });
        await account.open();
        await account.signOut();
        for (const url of ['/account', `/devices/${device!.id}`, `/swarms/${swarm.id}?tab=settings`, '/activity']) {
          await layout.follow(url);
          await layout.ready();
          await expect(layout.loading).toHaveCount(0);
          await expect(layout.toast, url).toHaveCount(1);
          for (const [width, height] of [
            [390, 844],
            [320, 568],
            [844, 390],
          ] as const) {
            await page.setViewportSize({ width, height });
            const atEnd = async () => {
              await layout.scrollToEnd();
              return layout.underToast();
            };
            await expect.poll(atEnd, `${url} at ${width} px`).toEqual([]);
            await layout.lastButton.click({ trial: true });
          }
        }
      });
  },
);

test(
  'on a phone, the outage notice covers no button at the end of a page whose stream has ended, too',
  { tag: ['@long', '@phone', '@page'] },
  async ({ page, user, shell, layout }) => {
    const swarm = await user.createSwarm({ name: 'Harbour weather', description: '', public: true });
    await page.goto(`/swarms/${swarm.id}?tab=settings&lang=de`);
    await layout.ready();
    await expect(shell.settled).toBeAttached();
    await layout.startOutage();
    await expect(layout.outage).toBeVisible();
    await expect(layout.connectionBadge).not.toBeEmpty();
    const atEnd = async () => {
      await layout.scrollToEnd();
      return layout.underAway();
    };
    await expect.poll(atEnd).toEqual([]);
  },
);

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
    await expect.poll(() => layout.overflowing()).toEqual([]);
  }
  // however long the message is, the consent text is beside the button
  const [width, height] = project.name === 'phone' ? [844, 390] : [1024, 768];
  await page.setViewportSize({ width, height });
  await inbox.select('Lund');
  // on a low screen they scroll with the invitation
  if (height < 500) await inbox.acceptInPane.scrollIntoViewIfNeeded();
  await expect(inbox.acceptInPane).toBeInViewport({ ratio: 1 });
  await expect(inbox.consent).toBeInViewport({ ratio: 1 });
});

test(
  'at 200 %, the home page shows whole rows below its map',
  { tag: '@once' },
  async ({ page, user, home, shell }) => {
    await user.addMany(
      Array.from({ length: 6 }, (_, index) => ({ name: `Buoy ${index}`, machine_type: 'bug' as const })),
    );
    await page.setViewportSize({ width: 720, height: 450 });
    await home.open();
    const bar = async () => (await shell.navigation.boundingBox())!.y;
    const endOf = async (row: number) => {
      const { y, height } = (await home.rows.nth(row).boundingBox())!;
      return y + height;
    };
    await expect.poll(async () => (await endOf(1)) <= (await bar())).toBe(true);
    await page.setViewportSize({ width: 640, height: 360 });
    await expect.poll(async () => (await endOf(0)) <= (await bar())).toBe(true);
  },
);

test(
  'at 400 %, each page scrolls as a whole, and all that gets the focus can be seen',
  { tag: ['@long', '@once'] },
  async ({ page, server, user, owner, layout }) => {
    test.slow();
    await page.setViewportSize({ width: 320, height: 256 });
    for (const url of await allPages({ server, user, owner })) {
      await page.goto(url);
      await layout.ready();
      const hidden: string[] = [];
      let stops = 0;
      for (; stops < 100; stops += 1) {
        await page.keyboard.press('Tab');
        const focus = await layout.visiblePartOfFocus();
        if (!focus) break;
        if (focus.visible < 0.5) hidden.push(`${focus.name}: ${focus.visible}`);
      }
      expect(hidden, url).toEqual([]);
      expect(stops, url).toBeGreaterThan(8);
      await expect.poll(() => layout.overflowing(), url).toEqual([]);
      await expect.poll(() => layout.lowScrollers(), url).toEqual([]);
    }
  },
);

test(
  'beside the list, the map has more than half of a screen of 1024 px, and no button of the wall covers its panel',
  { tag: '@once' },
  async ({ page, user, home, wall }) => {
    await user.addMany(harbourFleet().slice(0, 5));
    await page.setViewportSize({ width: 1024, height: 768 });
    await home.open();
    const besideList = async () => {
      const { x, width } = (await home.panel.boundingBox())!;
      return 1024 - x - width;
    };
    await expect.poll(besideList).toBeGreaterThan(512);
    await wall.open({ list: '1' });
    await expect(wall.listRows).toHaveCount(5);
    const [panel, button] = [await wall.panel.boundingBox(), await wall.followButton.boundingBox()];
    expect(button!.x).toBeGreaterThan(panel!.x + panel!.width);
  },
);

test(
  'on the smallest phone, no button of a wall covers the credits of its map',
  { tag: '@phone' },
  async ({ page, user, wall }) => {
    const position = { latitude: 53.55, longitude: 9.99 };
    // Its card leaves so little of the map that the buttons have two columns, and reach down to the credits.
    const name = 'Buoy 7 with a name of two lines, as some have';
    const device = await user.add({ name, machine_type: 'bug', position });
    const swarm = await user.createSwarm({ name: 'Harbour weather', description: '', public: true });
    await user.join(swarm, { resource_id: device.id, resource_type: 'both' });
    await page.setViewportSize({ width: 320, height: 520 });
    await wall.open({ map: '14/53.55/9.99', sel: device.id });
    await expect(wall.card).toContainText('Harbour weather');
    await expect(wall.streetsHint).toBeVisible();
    await expect.poll(() => wall.areCreditsCovered()).toBe(false);
  },
);

test(
  'on a phone, the map of a wall has most of the screen until the legend is opened',
  { tag: '@phone' },
  async ({ page, user, wall }) => {
    const [device] = await user.addMany(harbourFleet().slice(0, 5));
    await user.hear(device!);
    for (const [width, height] of [
      [320, 568],
      [375, 667],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      await wall.open({});
      await expect(wall.placed).toBeVisible();
      await expect.poll(() => wall.sheetBelowBar(), `at ${width} px`).toBeGreaterThan(0.6 * height);
    }
    await wall.toggleLegend();
    await expect(wall.layer('Bug')).toBeVisible();
    await wall.toggleLegend();
    await expect(wall.layer('Bug')).toBeHidden();
    await wall.openList();
    await expect(wall.listRows).toHaveCount(5);
  },
);

test(
  'the smallest phone shows the whole title, and an import that scrolls with its buttons',
  { tag: '@once' },
  async ({ page, user, home, layout }) => {
    await user.add({ name: 'Buoy 7', machine_type: 'bug' });
    await page.setViewportSize({ width: 320, height: 568 });
    await home.open();
    await expect(home.heading).toBeVisible();
    await expect.poll(() => layout.whole(home.heading)).toBe(true);
    const file = new ImportPage(page);
    await file.open();
    const lines = Array.from({ length: 30 }, (_, index) => `Gate ${index},${index % 2 === 0 ? 'bug' : 'toaster'}`);
    await file.chooseText(['name,machine_type', ...lines].join('\n'), 'gates.csv');
    await file.startButton.scrollIntoViewIfNeeded();
    await expect(file.startButton).toBeInViewport({ ratio: 1 });
    await expect.poll(() => layout.emptySpaceBelow()).toBeLessThan(120);
  },
);

test(
  'at 400 % with a scrollbar that takes room, rows have the height of their layout',
  { tag: ['@long', '@once'] },
  async ({ page, user, owner, layout }) => {
    await inviteDevices({ user, owner, names: ['Silo sensor 5'] });
    const swarm = await user.createSwarm({ name: 'Harbour weather', description: 'Wind on every quay', public: true });
    const invited = await owner.add({ name: 'Quay light', machine_type: 'bug' });
    await user.invite(swarm, { to: owner.name, resource_id: invited.id, resource_type: 'consumer' });
    await page.setViewportSize({ width: 320, height: 568 });
    for (const url of ['/swarms', `/swarms/${swarm.id}?tab=invitations`, '/invitations']) {
      await page.goto(url);
      await layout.ready();
      await page.evaluate(() => document.body.style.setProperty('padding-inline-end', '15px'));
      await expect.poll(() => layout.cutOff(), url).toEqual([]);
      await expect.poll(() => layout.overlappingTexts(), url).toEqual([]);
    }
  },
);

test(
  'in German, the hint about the keys of an invitation is on one line',
  { tag: ['@long', '@once'] },
  async ({ page, user, owner, inbox }) => {
    await inviteDevices({ user, owner, names: ['Silo sensor 5'] });
    for (const width of [1280, 1440]) {
      await page.setViewportSize({ width, height: 720 });
      await page.goto('/invitations?lang=de');
      await expect.poll(() => inbox.keyHints()).toEqual([{ isWhole: true }, expect.anything()]);
    }
  },
);

test('a badge covers no icon', { tag: '@once' }, async ({ page, user, owner, layout }) => {
  await inviteDevices({ user, owner, names: ['Silo sensor 5'] });
  await page.goto('/');
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    await expect.poll(() => layout.spaceBeforeBadge(2), `at ${width} px`).toBeGreaterThanOrEqual(0);
  }
});

test('each undo of several actions can be pressed', { tag: '@once' }, async ({ page, user, home, shell, step }) => {
  const names = [0, 1, 2, 3, 4].map((index) => `Silo sensor ${index} beside the harbour`);
  const devices = await user.addMany(names.map((name) => ({ name, machine_type: 'bug' as const })));
  await page.setViewportSize({ width: 360, height: 640 });
  await home.open();
  await startDeleting(page.request, devices);
  await expect(shell.undoButton).toHaveCount(names.length);
  await step('on a small phone, those without room can be scrolled to', async () => {
    for (const undo of await shell.undoButton.all()) await undo.click({ trial: true });
  });
  await step('on a desk, the notices are beside the list', async () => {
    for (const width of [1024, 1280]) {
      await page.setViewportSize({ width, height: 720 });
      for (const undo of await shell.undoButton.all()) await undo.click({ trial: true });
      const row = (await home.row(names[3]!).boundingBox())!;
      const notice = (await shell.undoToasts.boundingBox())!;
      expect(notice.x, `at ${width} px`).toBeGreaterThan(row.x + row.width);
    }
  });
});
