import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright/test';
import { connectDevice } from '../device-client.ts';
import { expect, test } from '../fixtures.ts';

const original = {
  name: 'Greenhouse sensor 3',
  machine_type: 'bug',
  description: 'Soil moisture at bed 3',
  position: { longitude: 12.296, latitude: 52.924 },
} as const;

// saving here is faster than the event
test.beforeEach(async ({ page }) => {
  await page.route('**/api/events?*', (route) => route.abort());
});

/** Blocks the event stream, so that this page does not read a change before it has tried to save. */
async function readNothingBeforeSaving({ page, id }: { page: Page; id: string }) {
  const saving = Promise.withResolvers<void>();
  await page.route(`**/api/resources/${id}`, async (route) => {
    if (route.request().method() === 'PUT') saving.resolve();
    else await saving.promise;
    await route.continue();
  });
}

test(
  'a conflict is shown for a field that both sides changed, and the other fields are merged',
  { tag: '@once' },
  async ({ page, server, user, device, step }) => {
    const { id } = await user.add(original);
    const far = connectDevice({ origin: server.origin, key: await user.createKey('far'), id });
    await device.open(id);
    await expect(device.heading).toHaveText(original.name);
    await readNothingBeforeSaving({ page, id });
    await device.form.fill({ description: 'mine', type: 'PC' });
    await far.put({ description: 'theirs', name: 'Renamed elsewhere' });

    await step('the dialog shows mine, theirs and the original, and names the fields that were merged', async () => {
      await device.save();
      await expect(device.conflict).toHaveAccessibleName('1 field was changed in two places');
      await expect(device.conflict).toContainText('Soil moisture at bed 3');
      await expect(device.conflict).toContainText('Renamed elsewhere');
    });
    await step('going back loses nothing', async () => {
      await device.backToEditing();
      await expect(device.form.description).toHaveValue('mine');
      await device.save();
      await expect(device.conflict).toBeVisible();
    });
    await device.choose('Description', 'Saved value');
    await device.saveChoices();
    await expect(device.conflict).toBeHidden();
    await expect(device.changedFields).toBeHidden();
    await step('the focus stays on the page', async () => {
      await expect(device.saveButton).toBeFocused();
    });
    await expect
      .poll(() => far.read())
      .toMatchObject({ name: 'Renamed elsewhere', description: 'theirs', machine_type: 'pc' });
  },
);

test(
  'a field that changed elsewhere is announced without moving the page',
  { tag: ['@long', '@once', '@clock'] },
  async ({ page, server, user, device, layout }) => {
    const { id } = await user.add(original);
    const far = connectDevice({ origin: server.origin, key: await user.createKey('far'), id });
    await device.open(id);
    await device.form.fill({ description: 'mine' });
    await expect(device.changedFields).toBeVisible();
    await layout.ready();
    const before = await device.placeOfSwarms();
    await far.put({ description: 'theirs' });
    await page.clock.runFor(30_000);
    await expect(device.alsoElsewhere).toBeVisible();
    await expect.poll(() => device.placeOfSwarms()).toEqual(before);
  },
);

test(
  'an edit is saved behind a proxy that changes tags when it compresses',
  { tag: ['@long', '@once'] },
  async ({ page, user, device }) => {
    const { id } = await user.add(original);
    await device.open(id);
    const changes: [string, (tag: string) => string][] = [
      ['as nginx and HAProxy do', (tag) => tag.replace(/^(?:W\/)?/, 'W/')],
      ['as Apache does', (tag) => tag.replace(/^W\/|"$/g, (found) => (found === '"' ? '-gzip"' : ''))],
    ];
    const statuses: number[] = [];
    for (const [description, changed] of changes) {
      await page.route(`**/api/resources/${id}`, async (route) => {
        const response = await route.fetch();
        if (route.request().method() === 'PUT') statuses.push(response.status());
        const { etag = '', ...headers } = response.headers();
        await route.fulfill({ response, headers: { ...headers, etag: changed(etag) } });
      });
      await page.reload();
      await expect(device.heading).toHaveText(original.name);
      // The second save has the tag of the response to the first one.
      for (const text of [description, `${description}, again`]) {
        await device.form.fill({ description: text });
        await device.save();
        await expect(device.changedFields).toBeHidden();
        await expect.poll(async () => (await user.devices())[0]?.description).toBe(text);
      }
      await page.unroute(`**/api/resources/${id}`);
    }
    expect(statuses).toEqual([200, 200, 200, 200]);
  },
);

test('my value can be chosen', { tag: '@once' }, async ({ page, server, user, device }) => {
  const { id } = await user.add(original);
  const far = connectDevice({ origin: server.origin, key: await user.createKey('far'), id });
  await device.open(id);
  await expect(device.heading).toHaveText(original.name);
  await readNothingBeforeSaving({ page, id });
  await device.form.fill({ name: 'Mine' });
  await far.put({ name: 'Theirs' });
  await device.save();
  await device.choose('Name', 'My value');
  await device.saveChoices();
  await expect(device.heading).toHaveText('Mine');
  await expect.poll(() => far.read()).toMatchObject({ name: 'Mine', description: original.description });
});

test(
  'changes of different fields are merged without a dialog',
  { tag: '@once' },
  async ({ page, server, user, device }) => {
    const { id } = await user.add(original);
    const far = connectDevice({ origin: server.origin, key: await user.createKey('far'), id });
    await device.open(id);
    await expect(device.heading).toHaveText(original.name);
    await readNothingBeforeSaving({ page, id });
    await device.form.fill({ name: 'Mine' });
    await far.put({ description: 'theirs', position: { longitude: 1, latitude: 2 } });
    await device.save();
    await expect(device.heading).toHaveText('Mine');
    await expect(device.conflict).toBeHidden();
    await expect
      .poll(() => far.read())
      .toMatchObject({
        name: 'Mine',
        description: 'theirs',
        position: { longitude: 1, latitude: 2 },
      });
  },
);

test(
  'renaming a device that moves ten times a second shows no conflict and saves both',
  { tag: ['@long', '@once'] },
  async ({ server, user, device }) => {
    const { id } = await user.add(original);
    const far = connectDevice({ origin: server.origin, key: await user.createKey('far'), id });
    let moves = 0;
    const ended = new AbortController();
    const move = async () => {
      for (; !ended.signal.aborted; await wait(100)) {
        moves += 1;
        await far.put({ position: { longitude: 12 + moves / 1000, latitude: 53 } });
      }
    };
    const moved = move();
    await device.open(id);
    for (const name of ['First name', 'Second name', 'Third name']) {
      await device.form.fill({ name });
      await device.save();
      await expect(device.heading).toHaveText(name);
      await expect(device.changedFields).toBeHidden();
      await expect(device.conflict).toHaveCount(0);
    }
    await expect.poll(() => moves).toBeGreaterThan(5);
    ended.abort();
    await moved;
    await expect
      .poll(() => far.read())
      .toMatchObject({
        name: 'Third name',
        position: { longitude: 12 + moves / 1000, latitude: 53 },
        description: original.description,
      });
  },
);
