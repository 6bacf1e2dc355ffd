import { expectAccessible, stepsOn } from '../accessibility.ts';
import { expect, test } from '../fixtures.ts';
import { AudiencePart } from '../pages/audience.part.ts';
import { GuestPage, ShareLinksPart } from '../pages/share-links.part.ts';

const harbour = { longitude: 9.9662, latitude: 53.5461 };

test('an owner shares a device, a guest without an account sees it move, and its end at once', async ({
  page,
  context,
  browser,
  server,
  user,
  device,
  step,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const links = new ShareLinksPart(page);
  const ferry = await user.add({
    name: 'عبّارة الميناء',
    machine_type: 'smartphone',
    position: harbour,
    keep_track: true,
  });
  const move = (position: object | null) =>
    page.request.put(`${server.origin}/api/resources/${ferry.id}`, {
      data: { position },
      headers: { origin: server.origin },
    });
  let link = '';

  await step('the owner makes a link for an hour', async () => {
    await device.open(ferry.id);
    await expect(links.box).toContainText('No open links');
    await links.begin();
    await links.submit();
    await expect(links.nameField).toBeFocused();
    await links.fill({ name: 'For the pick-up', until: '24 hours' });
    await expect(links.withTrack).not.toBeChecked();
    await links.withTrack.check();
    await links.submit();
    await expect(links.shown).toContainText('you see it only once');
    await page.keyboard.press('Escape');
    await expect(links.lost).toContainText('You have not copied the link');
    await page.keyboard.press('Escape');
    await expect(links.lost).toBeHidden();
    link = await links.copy();
    await expect(links.shown).toBeHidden();
    await expect(links.row('For the pick-up')).toContainText('Position, and track since the link was created');
  });

  const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const other = await phone.newPage();
  const requested: string[] = [];
  other.on('request', (request) => requested.push(request.url()));
  const guest = new GuestPage(other);
  await stepsOn(other)('a guest sees where it is, who shares it, and until when', async () => {
    await other.goto(link);
    await expect(guest.heading).toHaveText('عبّارة الميناء');
    await expect(guest.text(/^Shared by/)).toContainText(`Shared by ${user.name}, until`);
    await expect(guest.status).toHaveText('Live');
    // German ages end with a full stop of their own
    await expect(guest.text(/^Last position: /)).toHaveText(/^Last position: .*[^.] Open in a map app$/);
    await expect(guest.marker('عبّارة الميناء')).toBeVisible();
    // near enough that the built-in map shows a town
    await expect(guest.scale).toHaveText(/^10 (km|mi)$/);
    await expectAccessible({ page: other, title: 'the page of a guest' });
  });
  await stepsOn(other)(
    'so does one whose link another program has rewritten, and no address keeps the code in its path',
    async () => {
      const [path = '', code = ''] = link.split('#');
      // offline.spec.ts has others
      await other.goto('about:blank');
      await other.goto(`${path}?utm_source=chat%23${code}).`);
      await expect(guest.heading).toHaveText('عبّارة الميناء');
      expect(new URL(other.url()).hash).toMatch(`#${code}`);
      expect(new URL(other.url()).pathname).toBe('/view');
      await other.goto(link);
      await expect(guest.status).toHaveText('Live');
      requested.length = 0;
    },
  );
  await step('the owner sees that it is open, with who sees the device', async () => {
    await device.open(ferry.id);
    await expect(links.line).toContainText(/1 link shows this device until .*\. Anyone with the link/);
    await expect(links.line).toContainText('The device is shown now in at least 1 browser window.');
    await links.showBox();
    await expect(links.heading).toBeFocused();
  });
  await test.step('nothing else was asked for, and no address has the code', async () => {
    const [, code = ''] = link.split('#');
    expect(code).toMatch(/^[\w-]{32}$/);
    const paths = requested.map((url) => new URL(url)).map(({ pathname, search }) => pathname + search);
    expect(paths.filter((path) => path.includes(code))).toEqual([]);
    expect(paths.filter((path) => /^\/(api|auth|service)\//.test(path))).toEqual([]);
    const response = await other.request.get(`${server.origin}/view`);
    expect(response.headers()).toMatchObject({
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    });
  });
  await stepsOn(other)('it moves, and loses its position', async () => {
    await move({ longitude: 10.14, latitude: 54.32 });
    await expect(guest.text('Open in a map app')).toHaveAttribute('href', /54\.32/);
    await move(null);
    await expect(guest.text('No position yet.')).toBeVisible();
    await move(harbour);
    await expect(guest.marker('عبّارة الميناء')).toBeVisible();
  });
  await stepsOn(other)('without a network it says so, and goes on', async () => {
    await other.route('**/guest/events', (route) => route.abort());
    await other.reload();
    await expect(guest.status).toHaveText('Not live. Trying again…');
    await other.unroute('**/guest/events');
    await expect(guest.status).toHaveText('Live');
  });
  await step('the owner makes it longer, and ends it', async () => {
    await links.changeEnd('For the pick-up', '7 days');
    await links.end('For the pick-up');
    await expect(links.box).toContainText('No open links');
    await expect(links.line).toBeHidden();
  });
  await stepsOn(other)('the guest sees at once that it has ended', async () => {
    await expect(guest.heading).toHaveText('This link can’t be used');
    await expect(guest.text(`The link of ${user.name} has ended.`)).toBeVisible();
    await other.reload();
    await expect(guest.text(/^It has ended or is not complete/)).toBeVisible();
  });
  await phone.close();
});

test('the owner of a swarm shares it, and a guest sees only the devices whose owners allow it, while they do', async ({
  page,
  context,
  browser,
  server,
  user,
  enter,
  swarm: swarmPage,
  step,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const swarm = await user.createSwarm({ name: 'Secret race', description: 'Nobody knows' });
  const other = await enter();
  const boat = await other.add({ name: 'Boat 7', machine_type: 'smartphone', position: harbour });
  const hidden = await other.add({ name: 'Hidden boat', machine_type: 'smartphone', position: harbour });
  for (const { id: resource_id } of [boat, hidden]) {
    const { id } = await user.invite(swarm, { to: other.name, resource_id, resource_type: 'producer' });
    await other.page.request.put(`${server.origin}/api/resources/${resource_id}/invitations/${id}`, {
      data: { status: 'accept' },
      headers: { origin: server.origin },
    });
  }
  const audience = new AudiencePart(other.page);
  const links = new ShareLinksPart(page, {
    title: 'Links that show these devices',
    form: 'Create a link that shows these devices',
  });
  let link = '';

  await other.step('the owner of a device lets links show it', async () => {
    await other.device.open(boat.id);
    await expect(audience.panel).toContainText('You do not allow links of this swarm to show the device.');
    await audience.allowLinks();
    await expect(audience.panel).toContainText(
      'You allow links of this swarm to show the device. There is no link now.',
    );
    await expectAccessible({ page: other.page, title: 'the page of a device that links show' });
  });
  await step('the owner of the swarm makes a link', async () => {
    await swarmPage.open(swarm.id, '?tab=audience');
    await expect(links.box).toContainText('No open links');
    await links.begin();
    await links.fill({ name: 'For the web page', until: '24 hours' });
    await links.submit();
    link = await links.copy();
    await expect(links.row('For the web page')).toContainText('1 device');
  });

  const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const guestTab = await phone.newPage();
  const guest = new GuestPage(guestTab);
  await stepsOn(guestTab)('a guest sees it on a map, and not the swarm', async () => {
    await guestTab.goto(link);
    await expect(guest.heading).toHaveText('Shared devices');
    await expect(guest.text(/^1 device/)).toBeVisible();
    await expect(guest.status).toHaveText('Live');
    await expect(guest.text('Secret race')).toBeHidden();
    await guest.devices.click();
    await expect(guest.optionsOfDevices).toHaveText(['All devices', 'Boat 7']);
    await guest.devices.press('Escape');
    await guest.selectDevice('Boat 7');
    await expect(guest.heading).toHaveText('Boat 7');
    await expect(guest.text('Open in a map app')).toBeVisible();
    await guest.selectDevice('All devices');
    await expect(guest.heading).toHaveText('Shared devices');
    await expectAccessible({ page: guestTab, title: 'the page of a guest of a swarm' });
  });
  await other.step('the owner of the device takes it back', async () => {
    await other.device.open(boat.id);
    await expect(audience.panel).toContainText('Now there is 1 link. Anyone with this link sees the device.');
    await audience.forbidLinks();
    await expect(audience.panel).toContainText('You do not allow links of this swarm to show the device.');
  });
  await stepsOn(guestTab)('the guest does not see it any more', async () => {
    await expect(guest.text('No device is shown now.')).toBeVisible();
  });
  await phone.close();
});

test(
  'a link whose answer was lost ends with the next try, and the rows say which link was opened',
  { tag: '@long' },
  async ({ page, context, browser, user, device, step }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const links = new ShareLinksPart(page);
    const phone = await user.add({ name: 'Phone', machine_type: 'smartphone', position: harbour });
    const lost: string[] = [];
    let isShown = false;
    await page.route('**/share-links', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      lost.push(((await (await route.fetch()).json()) as { url: string }).url);
      // Browsers send a request again by themselves, too.
      return isShown ? route.fallback() : route.abort('connectionclosed');
    });
    const guest = await browser.newContext();
    const guestTab = await guest.newPage();
    const guestPage = new GuestPage(guestTab);

    await step('the answer is lost', async () => {
      await device.open(phone.id);
      await links.begin();
      await links.fill({ name: 'For mum' });
      await links.submit();
      await expect(links.form).toContainText('Try again: if it was created already, the new one replaces it.');
      await expect(links.row('For mum')).toContainText('Not opened yet');
    });
    isShown = true;
    await step('the next try shows a link, which is the only one', async () => {
      await links.fill({ name: 'For mum and dad' });
      await links.submit();
      const link = await links.copy();
      await expect(links.rows).toHaveCount(1);
      for (const each of lost) {
        await guestTab.goto(each);
        await expect(guestPage.heading).toHaveText('This link can’t be used');
        await guestTab.goto('about:blank');
      }
      await guestTab.goto(link);
      await expect(guestPage.heading).toHaveText('Phone');
    });
    await step('its row says that it is open, and ending it ends it', async () => {
      await page.reload();
      await expect(links.row('For mum and dad')).toContainText('open now');
      await links.end('For mum and dad');
      await expect(links.box).toContainText('No open links');
      await expect(guestPage.heading).toHaveText('This link can’t be used');
    });
    await guest.close();
  },
);
