// stores: SQLite, PostgreSQL in the long run
/** A position is reported with its time and its accuracy: which one is that of the device, and which is a point of its track. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Position, Resource, Track } from '../../contract.ts';
import { dayMs, hourMs, minuteMs } from '../limits/durations.ts';
import { actionsOf } from '../../tests/actions.fixture.ts';
import { createRandom } from '../../tests/durability.fixture.ts';
import { isOnPostgres } from '../store/store.fixture.ts';
import { long, seed } from '../../tests/process.fixture.ts';
import { signUpClient, type ServiceClient } from '../../tests/service-client.fixture.ts';
import { createTestServer, type TestServer } from '../../tests/test-server.fixture.ts';

let server: TestServer;
let ann: ServiceClient;
beforeEach(async () => {
  server = await createTestServer({ isRepeatable: true });
  ann = await signUpClient(server, 'ann', 'gateway');
});
afterEach(() => server[Symbol.asyncDispose]());

/** A time before now. */
const before = (ms: number) => new Date(server.now().getTime() - ms).toISOString();
const at = (latitude: number): Position => ({ longitude: 8, latitude });
const report = (device: Resource, latitude: number, more: object = {}) =>
  ann.change<Resource>(`/resources/${device.id}`, { position: at(latitude), ...more });
const read = ({ id }: Resource) => ann.get<Resource>(`/resources/${id}`);
const pointsOf = async ({ id }: Resource, user = ann) => (await user.get<Track>(`/resources/${id}/track`)).points;
const latitudes = async (device: Resource, user = ann) =>
  (await pointsOf(device, user)).map(({ latitude }) => latitude);
const statusOf = async (device: Resource, body: object) =>
  (await ann.request({ method: 'PUT', path: `/resources/${device.id}`, body })).status;

test('an older report does not replace the position, and changes nothing of the record; an equal one replaces it', async () => {
  const device = await ann.device();
  const time = before(minuteMs);
  const first = await report(device, 1, { positioned_at: time });
  expect(first).toMatchObject({ position: at(1), positioned_at: time });
  server.wait(1000);
  expect(await report(device, 2, { positioned_at: before(2 * minuteMs) })).toEqual(first);
  expect(await read(device)).toEqual(first);
  const { headers } = await ann.request({ path: `/resources/${device.id}` });
  const answer = await ann.request({
    method: 'PUT',
    path: `/resources/${device.id}`,
    body: { position: at(2), positioned_at: before(hourMs) },
  });
  expect([answer.status, answer.headers.get('etag')]).toEqual([200, headers.get('etag')]);
  const renamed = await report(device, 2, { positioned_at: before(hourMs), name: 'Renamed' });
  expect(renamed).toMatchObject({ ...first, name: 'Renamed', modified_at: server.now().toISOString() });
  expect(await report(device, 3, { positioned_at: time })).toMatchObject({ position: at(3), positioned_at: time });
});

test('with If-Match, an older report is an edit: it replaces the position, with its time and accuracy', async () => {
  const device = await ann.device();
  const old = await report(device, 1, { positioned_at: before(hourMs), accuracy: 2000 });
  server.wait(1000);
  await report(device, 2);
  const { position, positioned_at, accuracy } = old;
  const putBack = async (headers: Record<string, string>) => {
    const body = { position, positioned_at, accuracy };
    const answer = await ann.request({ method: 'PUT', path: `/resources/${device.id}`, body, headers });
    return (await answer.json()) as Resource;
  };
  expect(await putBack({})).toMatchObject({ position: at(2) });
  expect(await putBack({ 'if-match': '*' })).toMatchObject({ position: at(1), positioned_at, accuracy });
  // What it replaced is newer than this report.
  expect(await report(device, 3, { positioned_at: before(minuteMs) })).toMatchObject({ position: at(1) });
});

test('a time in the future is now, and one with another zone is stored in UTC', async () => {
  const device = await ann.device();
  expect(await report(device, 1, { positioned_at: before(-hourMs) })).toMatchObject({ positioned_at: before(0) });
  server.wait(1000);
  const time = new Date(server.now().getTime() + 2 * hourMs).toISOString().replace('Z', '+02:00');
  expect(await report(device, 2, { positioned_at: time })).toMatchObject({ position: at(2), positioned_at: before(0) });
  for (const [wrong, status] of [
    ['yesterday', 400],
    ['2026-01-02T03:04:05', 400],
    [1764061260, 400],
  ] as const)
    expect(await statusOf(device, { position: at(3), positioned_at: wrong }), String(wrong)).toBe(status);
  expect((await read(device)).position).toEqual(at(2));
  const created = await ann.device({ position: at(1), positioned_at: before(-hourMs), accuracy: 4 });
  expect(created).toMatchObject({ positioned_at: before(0), accuracy: 4 });
  expect(await read(created)).toEqual(created);
});

test('a time of more than ten years ago cannot be that of a report, and is now', async () => {
  const device = await ann.device({ position: at(0), keep_track: true });
  server.wait(1000);
  // What a receiver says after the number of its week has begun again, and one without a clock.
  for (const [latitude, time] of [
    [1, before(1024 * 7 * dayMs)],
    [2, '1950-01-01T00:00:00Z'],
    [3, '1980-01-06T00:00:00Z'],
  ] as const) {
    server.wait(minuteMs);
    const moved = await report(device, latitude, { positioned_at: time });
    expect(moved).toMatchObject({ position: at(latitude), positioned_at: before(0) });
  }
  expect(await latitudes(device)).toEqual([0, 1, 2, 3]);
  // A file that is imported and a new device say it themselves.
  const old = await ann.device({ position: at(1), positioned_at: '2001-01-01T00:00:00Z' });
  expect(old).toMatchObject({ positioned_at: '2001-01-01T00:00:00.000Z' });
  const actions = actionsOf(ann);
  const { id } = await actions.start({
    ...({ kind: 'import', about: { file: 'a.csv', hash: '' }, wait: 0 } as const),
    items: [{ line: 2, name: 'a', id: device.id, update: { position: at(9), positioned_at: '2001-01-01T00:00:00Z' } }],
  });
  await actions.ended(id);
  expect((await read(device)).position).toEqual(at(3));
});

test('time and accuracy are beside the position, and only with one', async () => {
  const device = await ann.device();
  for (const more of [{ positioned_at: before(0) }, { accuracy: 5 }, { position: null, accuracy: 5 }])
    expect(await statusOf(device, more)).toBe(400);
  expect(await statusOf(device, { position: { ...at(1), accuracy: 5 } })).toBe(400);
  expect(await statusOf(device, { position: at(1), accuracy: -1 })).toBe(400);
  const reported = await report(device, 1, { positioned_at: before(1000), accuracy: 12.5 });
  expect(reported).toMatchObject({ position: at(1), positioned_at: before(1000), accuracy: 12.5 });
  // The record can be put back as it was read.
  expect(await ann.change(`/resources/${device.id}`, reported)).toMatchObject({ accuracy: 12.5 });
  const edited = await report(device, 2);
  expect(edited).not.toHaveProperty('accuracy');
  expect(edited).not.toHaveProperty('positioned_at');
  await report(device, 3, { accuracy: 7 });
  expect(await ann.change(`/resources/${device.id}`, { position: null })).not.toHaveProperty('accuracy');
});

test('an edit wins over all reports from before it, and so does an undo', async () => {
  const device = await ann.device();
  await report(device, 1, { positioned_at: before(0), accuracy: 3 });
  server.wait(minuteMs);
  await report(device, 2);
  await report(device, 3, { positioned_at: before(1) });
  expect((await read(device)).position).toEqual(at(2));

  const actions = actionsOf(ann);
  server.wait(minuteMs);
  const before1 = await report(device, 4, { positioned_at: before(10), accuracy: 3 });
  const imported = await actions.start({
    ...({ kind: 'import', about: { file: 'a.csv', hash: '' }, wait: 0 } as const),
    items: [{ line: 2, name: 'a', id: device.id, update: { position: at(5), positioned_at: before(0) } }],
  });
  await actions.ended(imported.id);
  expect(await read(device)).toMatchObject({ position: at(5), positioned_at: before(0) });
  server.wait(minuteMs);
  await actions.ended((await actions.act(imported.id, 'undo')).id);
  const { position, positioned_at, accuracy } = before1;
  const undone = await read(device);
  expect(undone).toMatchObject({ position, positioned_at, accuracy });
  expect(await report(device, 6, { positioned_at: before(1) })).toEqual(undone);
  expect((await report(device, 6, { positioned_at: before(0) })).position).toEqual(at(6));
});

test('an older position in a file does not replace that of the device', async () => {
  const device = await ann.device({ position: at(1), keep_track: true });
  const since = before(0);
  server.wait(hourMs);
  await report(device, 2);
  const actions = actionsOf(ann);
  const { id } = await actions.start({
    ...({ kind: 'import', about: { file: 'a.csv', hash: '' }, wait: 0 } as const),
    items: [{ line: 2, name: 'a', id: device.id, update: { position: at(3), positioned_at: before(minuteMs) } }],
  });
  expect(await actions.ended(id)).toMatchObject({ failed: 0 });
  expect((await read(device)).position).toEqual(at(2));
  expect(await pointsOf(device)).toMatchObject([
    { latitude: 1, at: since },
    { latitude: 3, at: before(minuteMs) },
    { latitude: 2, at: before(0) },
  ]);
});

test('a position that is worse than 1 km does not replace a better one of the last hour', async () => {
  const device = await ann.device({ keep_track: true });
  await report(device, 1, { accuracy: 5000 });
  expect((await report(device, 2, { accuracy: 4000 })).position).toEqual(at(2));
  expect((await report(device, 3, { accuracy: 4001 })).position).toEqual(at(2));
  // One without accuracy is good.
  await report(device, 4);
  server.wait(hourMs - 1000);
  const good = await read(device);
  expect(await report(device, 5, { accuracy: 1001 })).toEqual(good);
  expect(await report(device, 6, { accuracy: 1001, positioned_at: before(minuteMs) })).toEqual(good);
  expect(await latitudes(device)).not.toContain(6);
  server.wait(1000);
  expect((await report(device, 7, { accuracy: 1001 })).position).toEqual(at(7));
  expect((await report(device, 8, { accuracy: 1000 })).position).toEqual(at(8));
});

test('a phone that was offline for an hour draws its way, with the times of the way', async () => {
  const device = await ann.device({ keep_track: true, position: at(50) });
  server.wait(hourMs);
  const way = Array.from({ length: 30 }, (_, index) => [before((30 - index) * minuteMs), 50.1 + index / 1000] as const);
  // Its newest position comes first, then the rest, from its end and from its beginning.
  const [newest, ...rest] = way.toReversed();
  const order = [newest!, ...rest.slice(0, 10), ...rest.slice(10).toReversed()];
  for (const [time, latitude] of order) {
    server.wait(100);
    await report(device, Number(latitude.toFixed(5)), { positioned_at: time });
  }
  const points = await pointsOf(device);
  expect(points.slice(1).map((point) => [point.at, point.latitude])).toEqual(
    way.map(([time, latitude]) => [time, Number(latitude.toFixed(5))]),
  );
  expect((await read(device)).positioned_at).toBe(newest![0]);
});

test('no point is from before the track was last switched on; it begins with the position that is there', async () => {
  const device = await ann.device({ position: at(1), positioned_at: before(10 * minuteMs) });
  await ann.change(`/resources/${device.id}`, { keep_track: true });
  const since = before(0);
  expect(await pointsOf(device)).toEqual([{ at: since, ...at(1) }]);
  server.wait(minuteMs);
  // Newer than the position, but from before the switch.
  await report(device, 2, { positioned_at: before(2 * minuteMs) });
  expect((await read(device)).position).toEqual(at(2));
  await report(device, 3, { positioned_at: before(minuteMs - 10_000) });
  await report(device, 4, { positioned_at: before(minuteMs + 1000) });
  expect(await latitudes(device)).toEqual([1, 3]);
  await ann.change(`/resources/${device.id}`, { keep_track: false });
  server.wait(minuteMs);
  await ann.change(`/resources/${device.id}`, { keep_track: true, position: at(5) });
  await report(device, 6, { positioned_at: before(minuteMs) });
  // Switched on again while it is on.
  server.wait(minuteMs);
  await ann.change(`/resources/${device.id}`, { keep_track: true });
  await report(device, 7, { positioned_at: before(1000) });
  expect(await latitudes(device)).toEqual([5, 7]);
  const created = await ann.device({ position: at(1), positioned_at: before(hourMs), keep_track: true });
  expect(await pointsOf(created)).toEqual([{ at: before(0), ...at(1) }]);
});

test('others see points by their time, and only those since they see the device', async () => {
  const ben = await signUpClient(server, 'ben');
  const device = await ann.device({ keep_track: true, position: at(1) });
  server.wait(hourMs);
  await ann.accept(await ben.invite(await ben.swarm(), device));
  server.wait(hourMs);
  await report(device, 4);
  await report(device, 3, { positioned_at: before(hourMs - minuteMs) });
  await report(device, 2, { positioned_at: before(hourMs + minuteMs) });
  expect(await latitudes(device)).toEqual([1, 2, 3, 4]);
  expect(await latitudes(device, ben)).toEqual([3, 4]);
});

test('a full track takes no older point, and is bounded', async () => {
  const device = await ann.device({ keep_track: true, position: at(0) });
  server.wait(2 * dayMs);
  await report(device, 89);
  const full = { sql: 'SELECT sum(length(points)) / 18 AS points, max(length(points)) / 18 AS longest FROM tracks' };
  const [row] = await server.db.read<{ ref: number; points: string }>({ sql: 'SELECT ref, points FROM tracks' });
  const middle = server.now().getTime() - 40 * hourMs;
  const { writePoint } = await import('../../capabilities/tracks/track-points.ts');
  const many = Array.from({ length: 997 }, (_, index) => writePoint(middle + index * minuteMs, at(1 + index / 100)));
  const points = row!.points.slice(0, 18) + many.join('') + row!.points.slice(18);
  await server.db.write([{ sql: 'UPDATE tracks SET points = $1', params: [points] }]);
  const shown = () => latitudes(device).then((all) => [all.length, all[0], all[1], all.at(-1)]);
  expect(await shown()).toEqual([999, 0, 1, 89]);
  const insert = (latitude: number, hours: number) =>
    report(device, latitude, { positioned_at: before(hours * hourMs) });
  await insert(50, 10);
  expect(await shown()).toEqual([1000, 0, 1, 89]);
  await insert(51, 9);
  expect(await shown()).toEqual([1000, 1, 1.01, 89]);
  await insert(52, 47);
  expect(await shown()).toEqual([1000, 1, 1.01, 89]);
  for (let step = 0; step < 5; step++) {
    server.wait(minuteMs);
    await report(device, 80 + step);
    await report(device, 70 + step, { positioned_at: before(30_000) });
    await insert(60 + step, 8 - step / 10);
  }
  expect((await shown())[0]).toBe(1000);
  expect((await server.db.read<{ points: number; longest: number }>(full))[0]!.points).toBeLessThan(1500);
});

test('what is older than 30 days is no point', async () => {
  const ben = await signUpClient(server, 'ben');
  const device = await ben.device({ keep_track: true, position: at(1) });
  server.wait(40 * dayMs);
  for (const [latitude, days] of [
    [4, 0],
    [2, 31],
    [3, 29],
  ] as const)
    await ben.change(`/resources/${device.id}`, { position: at(latitude), positioned_at: before(days * dayMs) });
  expect(await latitudes(device, ben)).toEqual([3, 4]);
});

test('of many reports at once, the newest one is the position', async () => {
  const device = await ann.device({ keep_track: true, position: at(1) });
  server.wait(hourMs);
  const other = await server.startAnother(server.db);
  const { key } = await other.operator.createKey({ user: 'ann', name: 'other' });
  const put = (index: number) =>
    other.fetch(
      new Request(`http://localhost/service/resources/${device.id}`, {
        method: 'PUT',
        headers: { 'x-serviceapikey': key, 'content-type': 'application/json' },
        body: JSON.stringify({ position: at(index), positioned_at: before(index * minuteMs) }),
      }),
    );
  const all = Array.from({ length: 20 }, (_, index) => index + 1);
  const answers = await Promise.all(
    all.map((index) =>
      index % 2 ? report(device, index, { positioned_at: before(index * minuteMs) }) : Promise.resolve(put(index)),
    ),
  );
  expect(answers).toHaveLength(20);
  expect(await read(device)).toMatchObject({ position: at(1), positioned_at: before(minuteMs) });
  const points = await pointsOf(device);
  expect(points.map(({ at: time }) => time)).toEqual(points.map(({ at: time }) => time).toSorted());
  await other.close();
});

interface Model {
  position: Position | undefined;
  positionedAt: string | undefined;
  accuracy: number | undefined;
  locatedAt: number;
  since: number | undefined;
  points: { at: number; longitude: number; latitude: number }[];
}

test(`position and track are those of the model, in whatever order reports come (seed ${seed})`, async () => {
  const random = createRandom(seed);
  const upTo = (most: number) => Math.floor(random() * most);
  const device = await ann.device();
  const model: Model = {
    position: undefined,
    positionedAt: undefined,
    accuracy: undefined,
    locatedAt: 0,
    since: undefined,
    points: [],
  };
  const isApart = (one: Model['points'][number], other: Model['points'][number]) => {
    const north = (other.latitude - one.latitude) * 111_195;
    const east = (other.longitude - one.longitude) * 111_195 * Math.cos((other.latitude * Math.PI) / 180);
    const isOther = north !== 0 || east !== 0;
    return other.at >= one.at + 1000 && (Math.hypot(north, east) >= 10 || (isOther && other.at >= one.at + 30_000));
  };
  function addPoint(time: number, position: Position) {
    if (model.since === undefined || time < model.since) return;
    const point = { at: time, ...position };
    const index = model.points.findLastIndex((other) => other.at <= time) + 1;
    const [previous, next] = [model.points[index - 1], model.points[index]];
    if (previous && !isApart(previous, point)) return;
    if (next && time > next.at - 1000) return;
    model.points.splice(index, 0, point);
  }
  const somewhere = (): Position => ({
    longitude: Number((8 + upTo(4) * 0.00005).toFixed(5)),
    latitude: Number((50 + upTo(6) * 0.00005).toFixed(5)),
  });

  for (let step = 0; step < (long ? 5000 : isOnPostgres ? 150 : 400); step++) {
    server.wait(upTo(4000));
    const now = server.now().getTime();
    const stored = await read(device);
    const kind = random();
    let isUnchanged = false;
    if (kind < 0.85) {
      const position = somewhere();
      const time = now - (random() < 0.1 ? -5000 : upTo(200) * 500);
      const accuracy = random() < 0.2 ? upTo(4) * 600 : undefined;
      await ann.change(`/resources/${device.id}`, {
        position,
        positioned_at: new Date(time).toISOString(),
        ...(accuracy !== undefined && { accuracy }),
      });
      const when = Math.min(time, now);
      const isOlder = when < model.locatedAt;
      const isCoarse = (accuracy ?? 0) > 1000;
      const isGood = model.locatedAt > when - hourMs && (model.accuracy ?? 0) < (accuracy ?? 0);
      const isReplaced = !isOlder && !(model.position && isCoarse && isGood);
      if (isReplaced)
        Object.assign(model, { position, accuracy, locatedAt: when, positionedAt: new Date(when).toISOString() });
      if (isReplaced || (isOlder && !isCoarse)) addPoint(when, position);
      isUnchanged = !isReplaced;
    } else if (kind < 0.93) {
      const position = random() < 0.2 ? null : somewhere();
      await ann.change(`/resources/${device.id}`, { position });
      Object.assign(model, { position: position ?? undefined, accuracy: undefined, positionedAt: undefined });
      model.locatedAt = now;
      if (position) addPoint(now, position);
    } else {
      const keep_track = random() < 0.7;
      await ann.change(`/resources/${device.id}`, { keep_track });
      if (!keep_track) Object.assign(model, { since: undefined, points: [] });
      else if (model.since === undefined) {
        model.since = now;
        if (model.position) model.points.push({ at: now, ...model.position });
      }
    }
    const record = await read(device);
    if (isUnchanged) expect(record, `step ${step}`).toEqual(stored);
    expect([record.position, record.positioned_at, record.accuracy], `step ${step}`).toEqual([
      model.position,
      model.positionedAt,
      model.accuracy,
    ]);
    const points = (await pointsOf(device)).map((point) => ({ ...point, at: Date.parse(point.at) }));
    expect(points, `step ${step}`).toEqual(model.points);
  }
});
