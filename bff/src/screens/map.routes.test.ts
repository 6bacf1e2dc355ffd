import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestViews, type TestViews } from './screens.fixture.ts';

let context: TestViews;
beforeAll(async () => {
  context = await createTestViews();
});
beforeEach(() => context.clear());
afterAll(() => context[Symbol.asyncDispose]());

const bern = { longitude: 7.4474, latitude: 46.948 };

describe('the map', () => {
  test('is empty for a new user', async () => {
    const { version, ...view } = await context.map();
    expect(view).toEqual({ type: 'FeatureCollection', features: [], total: 0, unplaced: 0, bounds: null });
    expect(version).not.toBe('');
  });

  test('has the exact position of a device', async () => {
    const position = { longitude: 0.1 + 0.2, latitude: -89.12345678901234 };
    const [device] = await context.add({ name: 'ünïcödé 🛰', machine_type: 'bug', position });
    const { id, name, machine_type, changed_at } = device!;
    expect((await context.map()).features).toEqual([
      {
        type: 'Feature',
        id,
        geometry: { type: 'Point', coordinates: [position.longitude, position.latitude] },
        properties: { cluster: false, id, name, machine_type, changed_at },
      },
    ]);
  });

  test('counts all matches inside and outside the view, and those without a position', async () => {
    await context.add({ position: bern }, { position: { longitude: 100, latitude: 0 } }, {}, { machine_type: 'bug' });
    const view = await context.map('zoom=8&bbox=7,46,8,47&machine_type=pc');
    expect(view).toMatchObject({ total: 3, unplaced: 1, bounds: [7.4474, 0, 100, 46.948] });
    expect(view.features).toHaveLength(1);
  });

  test('has a new version after every change, and only then', async () => {
    const seen = [(await context.map()).version];
    const [device] = await context.add({ position: bern }, {});
    const changes: [string, (string | number | null)[]][] = [
      ['UPDATE resources SET longitude = $1 WHERE id = $2', [8, device!.id]],
      ['UPDATE resources SET changed_at = $1 WHERE id = $2', ['2027-01-01T00:00:00.000Z', device!.id]],
      ['DELETE FROM resources WHERE longitude IS NULL', []],
    ];
    seen.push((await context.map()).version);
    for (const [sql, params] of changes) {
      await context.run(sql, params);
      seen.push((await context.map()).version);
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect((await context.map('zoom=9&bbox=1,1,2,2')).version).toBe(seen.at(-1));
  });

  test('is current immediately after a write, for concurrent requests', async () => {
    for (let count = 1; count <= 20; count++) {
      await context.add({ position: bern });
      const views = await Promise.all([
        context.map(),
        context.map('zoom=3'),
        context.map('zoom=2&q=nothing'),
        context.map(),
      ]);
      expect(views.map(({ total }) => total)).toEqual([count, count, 0, count]);
    }
  });

  test('responds during continuous writes', async () => {
    const [device] = await context.add({ position: bern });
    const enough = new AbortController();
    async function keepWriting() {
      for (let step = 0; !enough.signal.aborted; step++) {
        await context.run('UPDATE resources SET latitude = $1 WHERE id = $2', [step % 80, device!.id]);
      }
    }
    const written = keepWriting();
    for (let asked = 0; asked < 20; asked++) expect((await context.map()).total).toBe(1);
    enough.abort();
    await written;
  });

  test('keeps the views of two users apart', async () => {
    await context.add({ position: bern }, { position: bern, user_id: 'bob' }, { position: bern, user_id: 'bob' });
    expect((await context.map()).total).toBe(1);
    expect((await context.map('zoom=2', 'bob')).total).toBe(2);
  });

  test('is not cached by the browser, and reports the invalid parameters', async () => {
    expect((await context.get('/map?zoom=1')).headers.get('cache-control')).toBe('no-store');
    const problem = await context.refusal('/map?zoom=x&bbox=0');
    expect(problem).toMatchObject({ status: 400, code: 'query.invalid' });
    expect(problem.errors?.map(({ pointer }) => pointer)).toEqual(['?bbox', '?zoom']);
  });
});

describe('the dots of the map', () => {
  const query = 'bbox=0,0,90,60&width=9&height=6';
  const request = (of: string, user?: string, headers?: Record<string, string>) =>
    context.get(`/map/density?${of}`, user, headers);
  const pixels = async (answer: Response) => new Uint8Array(await answer.arrayBuffer());

  test('count the devices in each pixel, up to 255, with the filters of map and list', async () => {
    const at = (longitude: number, latitude: number) => ({ position: { longitude, latitude } });
    await context.add({ ...at(5, 59.9), machine_type: 'bug' }, at(5, 59.9), at(85, 0.1), at(-5, 10), {});
    const answer = await request(query);
    expect(answer.headers.get('content-type')).toBe('application/octet-stream');
    const expected = new Uint8Array(54);
    expected[0] = 2;
    expected[53] = 1;
    expect(await pixels(answer)).toEqual(expected);
    expect((await pixels(await request(`${query}&machine_type=bug`)))[0]).toBe(1);
    expect((await pixels(await request(`${query}&placed=no`)))[0]).toBe(0);
    expect((await pixels(await request(query, 'bob')))[0]).toBe(0);
    await context.add(...Array.from({ length: 300 }, () => at(5, 59.9)));
    expect((await pixels(await request(query)))[0]).toBe(255);
  });

  test('are compressed if the client accepts it', async () => {
    await context.add({ position: { longitude: 5, latitude: 59.9 } });
    const packed = await request(query, 'ann', { 'accept-encoding': 'gzip, br' });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    const unpacked = gunzipSync(await pixels(packed));
    expect(new Uint8Array(unpacked)).toEqual(await pixels(await request(query)));
    const refused = await request(query, 'ann', { 'accept-encoding': 'gzip;q=0, identity' });
    expect(refused.headers.get('content-encoding')).toBeNull();
    const meant = await request(query, 'ann', { 'accept-encoding': 'br, gzip; q=0.5' });
    expect(meant.headers.get('content-encoding')).toBe('gzip');
  });

  test('contain only devices that the user can see', async () => {
    await context.addSwarm({ id: 'secret', user_id: 'bob' });
    await context.add({ position: { longitude: 5, latitude: 59.9 }, user_id: 'bob', swarms: ['secret'] });
    expect((await pixels(await request(`${query}&audience=swarm:secret`, 'bob')))[0]).toBe(1);
    expect(await context.refusal(`/map/density?${query}&audience=swarm:secret`)).toMatchObject({ status: 404 });
    expect((await pixels(await request(`${query}&audience=visible`)))[0]).toBe(0);
  });

  test.each([
    ['', ['?width', '?height', '?bbox']],
    ['bbox=0,0,90,60&width=2049&height=0', ['?width', '?height']],
    ['bbox=0,0,0,60&width=9&height=6', ['?bbox']],
    ['bbox=0,60,90,60&width=9&height=6', ['?bbox']],
  ])('report the invalid parameters of %s', async (of, pointers) => {
    const { status, errors } = await context.refusal(`/map/density?${of}`);
    expect([status, [...new Set(errors?.map(({ pointer }) => pointer))].toSorted()]).toEqual([
      400,
      pointers.toSorted(),
    ]);
  });
});

describe('the map, while the index thread has not processed the newest commits', () => {
  const namesOn = async (slow: TestViews, query: string, user?: string) =>
    (await slow.map(query, user)).features.map(({ properties }) => (properties.cluster ? 'cluster' : properties.name));

  test("does not show another user's device in the place of one that was deleted", async () => {
    await using slow = await createTestViews({ isSlow: true });
    const [device] = await slow.add({ name: 'mine', position: bern });
    for (const audience of ['own', 'visible'])
      expect(await namesOn(slow, `zoom=2&audience=${audience}`)).toEqual(['mine']);
    await slow.run('DELETE FROM resources WHERE id = $1', [device!.id]);
    await slow.add({ name: 'secret', user_id: 'bob', position: bern });
    for (const audience of ['own', 'visible']) expect(await namesOn(slow, `zoom=2&audience=${audience}`)).toEqual([]);
  });

  test("does not show a user's new device in the place of one that was deleted", async () => {
    await using slow = await createTestViews({ isSlow: true });
    const [device] = await slow.add({ name: 'old', position: bern });
    expect(await namesOn(slow, 'zoom=2')).toEqual(['old']);
    await slow.run('DELETE FROM resources WHERE id = $1', [device!.id]);
    await slow.add({ name: 'new', position: { longitude: 100, latitude: 0 } });
    expect(await namesOn(slow, 'zoom=2')).toEqual([]);
  });

  test('does not name a device that has left the swarm', async () => {
    await using slow = await createTestViews({ isSlow: true });
    await slow.addSwarm({ id: 's1' });
    const [device] = await slow.add({ name: 'theirs', user_id: 'bob', position: bern, swarms: ['s1'] });
    const audiences = ['visible', 'swarm:s1'];
    for (const audience of audiences) expect(await namesOn(slow, `zoom=2&audience=${audience}`)).toEqual(['theirs']);
    await slow.run('DELETE FROM memberships WHERE resource_id = $1', [device!.id]);
    for (const audience of audiences) expect(await namesOn(slow, `zoom=2&audience=${audience}`)).toEqual([]);
  });
});
