import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestViews, type TestViews } from '../screens.fixture.ts';

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
        properties: { cluster: false, id, name, machine_type, changed_at, presence: { state: 'never' } },
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

  test('is compressed if the client accepts it', async () => {
    await context.add({ position: bern });
    const encoded = async (accepted: string) => {
      const response = await context.get('/map?zoom=2', 'ann', { 'accept-encoding': accepted });
      const bytes = new Uint8Array(await response.arrayBuffer());
      const encoding = response.headers.get('content-encoding');
      return [encoding, new TextDecoder().decode(encoding === 'gzip' ? gunzipSync(bytes) : bytes)];
    };
    const [none, view] = await encoded('gzip;q=0, identity');
    expect(none).toBeNull();
    expect(await encoded('gzip, br')).toEqual(['gzip', view]);
    expect(await encoded('br, gzip; q=0.5')).toEqual(['gzip', view]);
  });

  test('is not cached by the browser, and reports the invalid parameters', async () => {
    expect((await context.get('/map?zoom=1')).headers.get('cache-control')).toBe('no-store');
    const problem = await context.refusal('/map?zoom=x&bbox=0');
    expect(problem).toMatchObject({ status: 400, code: 'query.invalid' });
    expect(problem.errors?.map(({ pointer }) => pointer)).toEqual(['?bbox', '?zoom']);
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
