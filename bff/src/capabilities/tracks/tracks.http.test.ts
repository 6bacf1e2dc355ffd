// stores: SQLite, PostgreSQL in the long run
/** Tracks over HTTP: which positions become points, who sees which, and what ends with them. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Resource, Swarm, Track, TrackFeature } from '../../contract.ts';
import { dayMs } from '../../core/limits/durations.ts';
import { writePoint } from './track-points.ts';
import { actionsOf } from '../../tests/actions.fixture.ts';
import { signUpClient, type ServiceClient } from '../../tests/service-client.fixture.ts';
import { createTestServer, type TestServer } from '../../tests/test-server.fixture.ts';

let server: TestServer;
let ann: ServiceClient;
beforeEach(async () => {
  server = await createTestServer({ quotas: 0.05, isRepeatable: true });
  ann = await signUpClient(server, 'ann', 'gateway');
});
afterEach(() => server[Symbol.asyncDispose]());

const tracked = (more: object = {}) => ann.device({ keep_track: true, ...more });
const move = (device: Resource, latitude: number, longitude = 8) =>
  ann.change(`/resources/${device.id}`, { position: { longitude, latitude } });
const pointsOf = async (device: Resource, user = ann) =>
  (await user.get<Track>(`/resources/${device.id}/track`)).points;
const latitudes = async (device: Resource, user = ann) =>
  (await pointsOf(device, user)).map(({ latitude }) => latitude);
async function moves(device: Resource, steps: readonly (readonly [seconds: number, latitude: number])[]) {
  for (const [seconds, latitude] of steps) {
    server.wait(seconds * 1000);
    await move(device, latitude);
  }
}
const featureOf = async (device: Resource) =>
  (await (await ann.request({ path: `/resources/${device.id}/track?format=geojson` })).json()) as TrackFeature;
const stored = () => server.db.read<{ points: string }>({ sql: 'SELECT points FROM tracks ORDER BY ref, part' });
/** 11 m to the north. */
const ten = 0.0001;

test('a position is a point if it is a second later and 10 m away, or 30 s later and another one', async () => {
  const device = await tracked({ position: { longitude: 8, latitude: 53 } });
  await moves(device, [
    [1, 54],
    [0.5, 54.5],
    [0.5, 54 + ten],
    [1, 54 + 1.8 * ten],
    [28.9, 54 + 1.8 * ten],
    [0.1, 54 + ten],
    [1, 54 + 1.8 * ten],
    [1, 54 + 3 * ten],
  ]);
  expect(await latitudes(device)).toEqual([53, 54, 54.0001, 54.00018, 54.0003]);
  server.wait(1000);
  // At 60 degrees north, 0.0001 degrees to the east are less than 6 m.
  for (const longitude of [8, 8.0001, 8.0002]) {
    await move(device, 60, longitude);
    server.wait(1000);
  }
  expect((await pointsOf(device)).slice(-2)).toMatchObject([{ longitude: 8 }, { longitude: 8.0002 }]);
});

test('coordinates are those that were sent, to five decimals, with the time', async () => {
  const device = await tracked();
  const sent = [
    { longitude: -180, latitude: -90 },
    { longitude: 180, latitude: 90 },
    { longitude: -0.000004, latitude: 0.000006 },
    { longitude: 8.12345, latitude: 54.98765 },
  ];
  const times: string[] = [];
  for (const position of sent) {
    server.wait(1000);
    times.push(server.now().toISOString());
    await ann.change(`/resources/${device.id}`, { position });
  }
  const expected = [...sent.slice(0, 2), { longitude: 0, latitude: 0.00001 }, sent[3]];
  expect(await pointsOf(device)).toEqual(times.map((at, index) => ({ at, ...expected[index] })));
  // Cut at the antimeridian: the first two are at both sides of it.
  const { geometry, properties } = await featureOf(device);
  const coordinates = expected.map((position) => [position!.longitude, position!.latitude]);
  const crossing = coordinates[0]!;
  expect(geometry).toEqual({
    type: 'MultiLineString',
    coordinates: [
      [crossing, crossing],
      [[180, -90], ...coordinates.slice(1)],
    ],
  });
  expect(properties).toEqual({
    name: device.name,
    coordinateProperties: {
      times: [
        [times[0], times[0]],
        [times[0], ...times.slice(1)],
      ],
    },
  });
});

test('its GeoJSON is cut where it crosses the antimeridian', async () => {
  const device = await tracked();
  for (const longitude of [170, 179, -178, 178]) {
    server.wait(3000);
    await move(device, longitude < 0 ? 13 : 10, longitude);
  }
  const times = (await pointsOf(device)).map(({ at }) => Date.parse(at));
  const { geometry, properties } = await featureOf(device);
  expect(geometry!.coordinates).toEqual([
    [
      [170, 10],
      [179, 10],
      [180, 11],
    ],
    [
      [-180, 11],
      [-178, 13],
      [-180, 11.5],
    ],
    [
      [180, 11.5],
      [178, 10],
    ],
  ]);
  const [, second] = properties.coordinateProperties.times as string[][];
  expect(second!.map((at) => Date.parse(at) - times[1]!)).toEqual([1000, 3000, 4500]);
});

test('it keeps the last 1,000 points, in short rows, and most of ten moves a second write nothing', async () => {
  const device = await tracked();
  await moves(device, [[1, 1]]);
  // As a device in fast motion leaves it: many full rows, of which the newest one is full too.
  const full = { sql: 'UPDATE tracks SET points = $1', params: [(await stored())[0]!.points.repeat(64)] };
  const others = {
    sql: 'INSERT INTO tracks SELECT ref, part + CAST(value AS integer), at, longitude, latitude, points FROM tracks, elements($1)',
    params: [JSON.stringify(Array.from({ length: 16 }, (_, index) => index + 1))],
  };
  await server.db.write([full, others]);
  await moves(
    device,
    Array.from({ length: 30 }, (_, index) => [0.1, 2 + index] as const),
  );
  expect(await latitudes(device)).toEqual([...Array<number>(997).fill(1), 11, 21, 31]);
  expect((await stored()).map(({ points }) => points.length / 18)).toEqual([...Array<number>(16).fill(64), 3]);
});

test('points of more than 30 days are not shown, and are deleted', async () => {
  const [silent, moving] = [await tracked(), await tracked()];
  await moves(silent, [[0, 1]]);
  await moves(moving, [[0, 2]]);
  server.wait(29 * dayMs);
  await moves(moving, [[0, 3]]);
  server.wait(dayMs + 60_000);
  expect(await latitudes(silent)).toEqual([]);
  expect(await latitudes(moving)).toEqual([3]);
  await server.app.tidy();
  expect((await stored()).map(({ points }) => points.length)).toEqual([18]);
  await moves(moving, [[1, 4]]);
  expect(await latitudes(moving)).toEqual([3, 4]);
});

test('old points are looked for in parts: no statement reads all tracks', async () => {
  const device = await tracked();
  await moves(device, [[0, 1]]);
  const more = `INSERT INTO tracks SELECT ref, part + CAST(value AS integer), at, longitude, latitude, $2 FROM tracks, elements($1)`;
  const young = writePoint(server.now().getTime() + 30 * dayMs, { latitude: 2, longitude: 8 });
  const places = Array.from({ length: 350 }, (_, index) => index + 1);
  await server.db.write([{ sql: more, params: [JSON.stringify(places), young] }]);
  const old = writePoint(server.now().getTime(), { latitude: 3, longitude: 8 });
  await server.db.write([{ sql: 'UPDATE tracks SET points = $1 WHERE part = 350', params: [old + young] }]);
  server.wait(31 * dayMs);
  const read = vi.spyOn(server.db, 'read');
  const write = vi.spyOn(server.db, 'write');
  await server.app.tidy();
  const ofTracks = ({ sql }: { sql: string }) => sql.includes('FROM tracks');
  expect(read.mock.calls.filter(([query]) => ofTracks(query)).length).toBeGreaterThan(3);
  expect(write.mock.calls.filter(([statements]) => statements.some(({ sql }) => sql.includes(' tracks '))).length).toBe(
    2,
  );
  expect((await stored()).map(({ points }) => points)).toEqual(Array(350).fill(young));
});

test('it ends with the switch and with the device; then it begins with the position that is there, also after an undo', async () => {
  const [first, second] = [await tracked(), await tracked()];
  for (const device of [first, second]) await moves(device, [[1, 1]]);
  await ann.change(`/resources/${first.id}`, { keep_track: false });
  expect(await stored()).toHaveLength(1);
  await moves(first, [[1, 2]]);
  expect(await latitudes(first)).toEqual([]);
  await ann.change(`/resources/${first.id}`, { keep_track: true });
  await moves(first, [[1, 3]]);
  expect(await latitudes(first)).toEqual([2, 3]);

  const actions = actionsOf(ann);
  const deletion = await actions.start({
    ...({ kind: 'delete', about: {}, wait: 0 } as const),
    items: [{ id: second.id, name: second.name }],
  });
  await actions.ended(deletion.id);
  expect(await stored()).toHaveLength(1);
  await actions.ended((await actions.act(deletion.id, 'undo')).id);
  expect(await ann.get<Resource>(`/resources/${second.id}`)).toMatchObject({ keep_track: true });
  expect(await latitudes(second)).toEqual([1]);
});

test('a device without the switch has no track, also if it was switched off while a position was on its way', async () => {
  const device = await ann.device();
  await moves(device, [[1, 1]]);
  expect(await stored()).toEqual([]);
  const kept = await tracked();
  await moves(kept, [[1, 1]]);
  await Promise.all([
    ann.change(`/resources/${kept.id}`, { keep_track: false }),
    ...Array.from({ length: 5 }, (_, index) => move(kept, 2 + index)),
  ]);
  expect(await stored()).toEqual([]);
});

test('an account has up to so many tracks', async () => {
  const devices = await Promise.all(Array.from({ length: 50 }, () => tracked()));
  const refused = { status: 409, body: { code: 'track.too_many' } };
  const outcome = async (request: Parameters<ServiceClient['request']>[0]) => {
    const response = await ann.request(request);
    return { status: response.status, body: (await response.json()) as object };
  };
  const body = { name: 'a', machine_type: 'pc', keep_track: true };
  expect(await outcome({ method: 'POST', path: '/resources', body })).toMatchObject(refused);
  const plain = await ann.device();
  const path = `/resources/${plain.id}`;
  expect(await outcome({ method: 'PUT', path, body: { keep_track: true } })).toMatchObject(refused);
  await ann.change(`/resources/${devices[0]!.id}`, { keep_track: true });
  await ann.change(`/resources/${devices[0]!.id}`, { keep_track: null });
  // Of two at once, one is kept.
  const another = await ann.device();
  const both = [path, `/resources/${another.id}`];
  const results = await Promise.all(both.map((of) => outcome({ method: 'PUT', path: of, body: { keep_track: true } })));
  expect(results.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
});

test('another user sees it since both are in the swarm', async () => {
  const [ben, cleo, dan] = await Promise.all(['ben', 'cleo', 'dan'].map((name) => signUpClient(server, name)));
  const device = await tracked();
  const swarm = await ben!.swarm();
  const step = (latitude: number) => moves(device, [[10, latitude]]);
  const see = async (user: ServiceClient) => {
    server.wait(1000);
    return latitudes(device, user);
  };
  const join = async (to: Swarm) => ann.accept(await ben!.invite(to, device));
  await step(1);
  server.wait(10_000);
  await join(swarm);
  await step(2);
  server.wait(10_000);
  const ofCleo = await cleo!.device();
  await cleo!.accept(await ben!.invite(swarm, ofCleo));
  await ben!.nameManager(swarm, 'dan', 'watcher');
  await step(3);
  server.wait(10_000);
  await dan!.agree(swarm, 'dan');
  await step(4);
  expect(await see(ann)).toEqual([1, 2, 3, 4]);
  expect(await see(ben!)).toEqual([2, 3, 4]);
  expect(await see(cleo!)).toEqual([3, 4]);
  expect(await see(dan!)).toEqual([4]);

  // A second swarm shows what it has; the first one still shows the rest.
  const another = await ben!.swarm();
  await cleo!.accept(await ben!.invite(another, ofCleo));
  await join(another);
  expect(await see(cleo!)).toEqual([3, 4]);
  await ann.leave(swarm, device);
  server.wait(10_000);
  await step(5);
  expect(await see(cleo!)).toEqual([5]);
  expect((await dan!.request({ path: `/resources/${device.id}/track` })).status).toBe(404);
  await ann.leave(another, device);
  expect((await cleo!.request({ path: `/resources/${device.id}/track` })).status).toBe(404);
  await join(another);
  expect(await see(ben!)).toEqual([]);
});

test('an owner who took the swarm over sees it since agreeing to manage, and the former owner as before', async () => {
  const [ben, cleo] = await Promise.all(['ben', 'cleo'].map((name) => signUpClient(server, name)));
  const device = await tracked();
  const swarm = await ben!.swarm();
  const step = async (latitude: number) => {
    await moves(device, [[10, latitude]]);
    server.wait(10_000);
  };
  await ann.accept(await ben!.invite(swarm, device));
  await step(1);
  await ben!.nameManager(swarm, 'cleo');
  await cleo!.agree(swarm, 'cleo');
  await step(2);
  await ben!.offerSwarm(swarm, 'cleo');
  expect((await cleo!.takeOver(swarm, 'cleo')).status).toBe(204);
  await step(3);
  expect(await latitudes(device, cleo)).toEqual([2, 3]);
  expect(await latitudes(device, ben)).toEqual([1, 2, 3]);
});

test('a late report ends if its device is handed over with its track meanwhile', async () => {
  const ben = await signUpClient(server, 'ben');
  const device = await tracked();
  await moves(device, [
    [60, 54],
    [60, 55],
  ]);
  await ann.offerDevice(device, 'ben', true);
  const { read } = server.db;
  const reading = vi.spyOn(server.db, 'read').mockImplementation(async (query) => {
    if (!query.sql.includes('AS first_part')) return read(query);
    reading.mockRestore();
    expect((await ben.takeOverDevice(device, 'ben')).status).toBe(204);
    return read(query);
  });
  const late = new Date(server.now().getTime() - 30_000).toISOString();
  const body = { position: { longitude: 8, latitude: 54.5 }, positioned_at: late };
  expect((await ann.request({ method: 'PUT', path: `/resources/${device.id}`, body })).status).toBe(200);
  expect(await latitudes(device, ben)).toEqual([54, 55]);
});
