// stores: SQLite, PostgreSQL in the long run
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Device, DevicePage, Message, OwnTracksFriends, Resource, Track } from '../../contract.ts';
import { createOpenApi, type Document } from '../../tests/openapi.fixture.ts';
import { outcomeOf, signUpClient, type ServiceClient } from '../../tests/service-client.fixture.ts';
import { createTestServer, type TestServer } from '../../tests/test-server.fixture.ts';

let server: TestServer;
let ann: ServiceClient;
let ben: ServiceClient;
beforeAll(async () => {
  server = await createTestServer({ rateLimit: 1 });
  [ann, ben] = [await signUpClient(server, 'ann'), await signUpClient(server, 'ben')];
});
afterAll(() => server[Symbol.asyncDispose]());

/** What version 2.5 for Android sends. */
const report = {
  _type: 'location',
  _id: '4f0e2a1b',
  BSSID: '02:00:00:00:00:00',
  SSID: 'Harbour',
  acc: 12,
  alt: 31,
  batt: 81,
  bs: 1,
  conn: 'w',
  created_at: 1764061262,
  lat: 53.5461,
  lon: 9.9662,
  m: 1,
  t: 'u',
  tid: 'an',
  tst: 1764061260,
  vac: 3,
  vel: 0,
};

async function phone(more: object = {}) {
  const device = await ann.device({ name: 'Phone', ...more });
  const { key } = await server.app.operator.createDeviceKey({ device: device.id, name: 'OwnTracks' });
  return { device, key };
}
/** A body without a length. */
async function sendChunked(user: string, key: string): Promise<Response> {
  const headers = { authorization: `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}` };
  const body = JSON.stringify(report);
  return server.fetch('/service/owntracks', {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
}
function send(user: string, key: string, body: unknown = report, path = '/service/owntracks') {
  const text = body === '' ? '' : JSON.stringify(body);
  return server.fetch(path, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`,
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(text)),
    },
    body: text,
  });
}
const friendsOf = async (answer: Response) => {
  expect(answer.status, await answer.clone().text()).toBe(200);
  return (await answer.json()) as OwnTracksFriends;
};
const shown = (friends: OwnTracksFriends) =>
  friends.flatMap((friend) => (friend._type === 'card' ? [friend.name] : [])).toSorted();

test('a report of the app sets the position of its device', async () => {
  const { device, key } = await phone();
  expect(await friendsOf(await send(device.id, key))).toEqual([]);
  const moved = await ann.get<Resource>(`/resources/${device.id}`);
  expect(moved).toEqual({
    ...device,
    position: { longitude: 9.9662, latitude: 53.5461 },
    positioned_at: '2025-11-25T09:01:00.000Z',
    accuracy: 12,
    modified_at: expect.any(String) as string,
  });
  // At rest, the app repeats its position: the record keeps its version.
  await send(device.id, key);
  expect(await ann.get(`/resources/${device.id}`)).toEqual(moved);
});

test.each([
  ['another type', { _type: 'transition', event: 'enter', lat: 1, lon: 2 }],
  ['a type that is a name of all objects', { _type: 'constructor' }],
  ['an encrypted report', { _type: 'encrypted', data: 'AAAA' }],
  ['the empty body of a deleted friend', ''],
])('%s changes nothing', async (_, body) => {
  const { device, key } = await phone();
  expect(await friendsOf(await send(device.id, key, body))).toEqual([]);
  expect(await ann.get(`/resources/${device.id}`)).toEqual(device);
});

test.each([
  ['no latitude', { lat: undefined }, ['/lat']],
  ['a latitude beyond the pole', { lat: 91 }, ['/lat']],
  ['a longitude that is a text', { lon: '9.9 E' }, ['/lon']],
  ['a longitude that is a text beyond the last one', { lon: '180.5' }, ['/lon']],
  ['none of both', { lat: null, lon: undefined }, ['/lat', '/lon']],
])('a location with %s is refused', async (_, wrong, pointers) => {
  const { device, key } = await phone();
  const answer = await send(device.id, key, { ...report, ...wrong });
  expect(answer.status).toBe(400);
  const { errors } = (await answer.json()) as { errors: { pointer: string }[] };
  expect(errors.map(({ pointer }) => pointer)).toEqual(pointers);
});

test('the response has the members whose messages the device may receive, and no others', async () => {
  const position = { longitude: 10, latitude: 54 };
  const { device, key } = await phone({ position });
  const swarm = await ann.swarm();
  await ann.add(swarm, device, 'consumer');
  await Promise.all(
    (['producer', 'consumer', 'both'] as const).map(async (role) =>
      ann.add(swarm, await ann.device({ name: role, position }), role),
    ),
  );
  await ann.add(swarm, await ann.device({ name: 'without a position' }), 'producer');
  const bens = await ben.device({ name: 'Ben’s boat', position });
  await ben.accept(await ann.invite(swarm, bens, 'producer'));
  const sends = await ann.swarm();
  await ann.add(sends, device, 'producer');
  await ann.add(sends, await ann.device({ name: 'of a swarm to which it only sends', position }), 'both');

  const answer = await send(device.id, key);
  const validate = createOpenApi((await (await server.fetch('/service/openapi.json')).json()) as Document)
    .response('reportOwnTracks', 200)!
    .validator('application/json');
  expect(validate(await answer.clone().json()), JSON.stringify(validate.errors)).toBe(true);
  const friends = await friendsOf(answer);
  expect(shown(friends)).toEqual(['Ben’s boat', 'both', 'producer']);
  const ofBen = friends.filter(({ topic }) => topic === `owntracks/ben/${bens.id}`);
  expect(ofBen).toMatchObject([{ _type: 'location', lat: 54, lon: 10, tid: bens.id.slice(-8) }, { _type: 'card' }]);

  await ann.remove(`/swarms/${swarm.id}/resources/${bens.id}`);
  expect(shown(await friendsOf(await send(device.id, key)))).toEqual(['both', 'producer']);
});

test('each friend has the time and the accuracy of its position, not of its last change', async () => {
  const { device, key } = await phone();
  const swarm = await ann.swarm();
  await ann.add(swarm, device, 'consumer');
  const now = Math.floor(server.now().getTime() / 1000);
  const position = { longitude: 10, latitude: 54 };
  const time = new Date((now - 600) * 1000).toISOString();
  const friend = await ann.device({ position, positioned_at: time, accuracy: 8 });
  await ann.add(swarm, friend, 'producer');
  await ann.change(`/resources/${friend.id}`, { name: 'Renamed' });
  expect(await friendsOf(await send(device.id, key))).toMatchObject([
    { _type: 'location', tst: now - 600, acc: 8 },
    { _type: 'card', name: 'Renamed' },
  ]);
});

test('a phone that was offline draws its way, with the times of the way', async () => {
  const { device, key } = await phone({ keep_track: true, position: { longitude: 8, latitude: 50 } });
  const start = Math.floor(server.now().getTime() / 1000) + 60;
  server.wait(1_860_000);
  const way = Array.from({ length: 30 }, (_, index) => ({
    ...report,
    lat: 50.1 + index / 100,
    lon: 8,
    tst: start + index * 60,
  }));
  for (const each of [way.at(-1), ...way.slice(0, -1)]) await friendsOf(await send(device.id, key, each));
  const { points } = await ann.get<Track>(`/resources/${device.id}/track`);
  expect(points.slice(1).map(({ at }) => Date.parse(at) / 1000)).toEqual(way.map(({ tst }) => tst));
  expect((await ann.get<Resource>(`/resources/${device.id}`)).position).toEqual({ longitude: 8, latitude: 50.39 });
});

test.each([
  ['a control character in the name of a network', { SSID: 'caf\u0000' }],
  ['half an emoji', { SSID: '\ud83d', poi: '\ude00' }],
  ['501 regions', { inregions: Array.from({ length: 501 }, (_, index) => `region ${index}`) }],
  ['a photo of 300 kB', { image: 'A'.repeat(300_000) }],
  ['an accuracy and a time that cannot be', { acc: -1, tst: '1764061260', batt: 'full', vel: -1 }],
])('what is not used is ignored: %s', async (_, more) => {
  const { device, key } = await phone();
  expect(await friendsOf(await send(device.id, key, { ...report, ...more }))).toEqual([]);
  expect((await ann.get<Resource>(`/resources/${device.id}`)).position).toEqual({
    longitude: 9.9662,
    latitude: 53.5461,
  });
});

test('a body beyond 512 KiB is refused', async () => {
  const { device, key } = await phone();
  expect((await send(device.id, key, { ...report, image: 'A'.repeat(524_288) })).status).toBe(413);
});

test('a chunked body may be as large as one whose length is announced', async () => {
  const { device, key } = await phone();
  const sendChunked = (length: number) =>
    server.fetch('/service/owntracks', {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${device.id}:${key}`).toString('base64')}`,
        'content-type': 'application/json',
      },
      body: new Blob([JSON.stringify({ ...report, image: 'A'.repeat(length) })]).stream(),
      duplex: 'half',
    });
  expect((await sendChunked(300_000)).status).toBe(200);
  expect((await sendChunked(524_288)).status).toBe(413);
});

test('its address may end with a slash', async () => {
  const { device, key } = await phone();
  const answer = await send(device.id, key, report, '/service/owntracks/');
  expect(answer.status).toBe(200);
  expect((await ann.get<Resource>(`/resources/${device.id}`)).position).toBeDefined();
});

test('the device of a receiver whose dates are 1,024 weeks too early moves', async () => {
  const { device, key } = await phone({ position: { longitude: 8, latitude: 50 } });
  const tst = Math.floor(server.now().getTime() / 1000) - 1024 * 7 * 86_400;
  for (const lat of [60, 61]) {
    await friendsOf(await send(device.id, key, { _type: 'location', lat, lon: 8, tst: tst + lat }));
    const { position, positioned_at } = await ann.get<Resource>(`/resources/${device.id}`);
    expect(position).toEqual({ longitude: 8, latitude: lat });
    expect(positioned_at! >= device.created_at).toBe(true);
  }
});

test('numbers may be sent as texts, as other trackers do', async () => {
  const owner = await signUpClient(server, 'gpslogger', 'gateway');
  const device = await owner.device();
  const { key } = await server.app.operator.createDeviceKey({ device: device.id, name: 'GPSLogger' });
  const numbers = {
    acc: '12.0',
    alt: '34.5',
    batt: '85.0',
    lat: '53.5501',
    lon: '-9.9932',
    tst: '1764061260',
    vel: '5.0',
  };
  await friendsOf(await send(device.id, key, { _type: 'location', t: 'u', bs: 'false', ...numbers }));
  expect(await owner.get<Resource>(`/resources/${device.id}`)).toMatchObject({
    position: { longitude: -9.9932, latitude: 53.5501 },
    positioned_at: '2025-11-25T09:01:00.000Z',
    accuracy: 12,
  });
  await server.app.presence.round();
  const { items } = await owner.get<DevicePage>('/devices');
  expect(items[0]!.phone).toEqual({ battery: 85, speed: 5 });
});

test('its owner sees what the phone last said, and others do not', async () => {
  const owner = await signUpClient(server, 'carl', 'gateway');
  const other = await signUpClient(server, 'dora', 'gateway');
  const device = await owner.device({ name: 'Phone' });
  const { key } = await server.app.operator.createDeviceKey({ device: device.id, name: 'OwnTracks' });
  await owner.accept(await other.invite(await other.swarm(), device));
  const shownTo = async (user: ServiceClient) => {
    await server.app.presence.round();
    const { items } = await user.get<DevicePage>('/devices?audience=visible');
    return items.find(({ id }: Device) => id === device.id)!;
  };
  expect(await shownTo(owner)).not.toHaveProperty('phone');
  await send(device.id, key, { ...report, vel: 4.6 });
  expect((await shownTo(owner)).phone).toEqual({ battery: 81, speed: 5 });
  expect(await shownTo(other)).not.toHaveProperty('phone');
  await send(device.id, key, { _type: 'encrypted', data: 'AAAA' });
  // Other types say nothing about it.
  await send(device.id, key, { _type: 'waypoints', waypoints: [] });
  expect((await shownTo(owner)).phone).toEqual({ battery: 81, speed: 5 });
  await send(device.id, key, { ...report, tst: report.tst + 1 });
  expect((await shownTo(owner)).phone).toEqual({ battery: 81, speed: 0 });
});

test('a waypoint and a transition are messages of a producer, with what is read of them', async () => {
  const { device, key } = await phone();
  const transition = {
    _type: 'transition',
    event: 'enter',
    desc: 'Ho\u0000me',
    lat: 53.5,
    lon: 9.9,
    tst: 1764061260,
    t: 'c',
    x: {},
  };
  const waypoint = { _type: 'waypoint', desc: 'Home', lat: 53.5, lon: 9.9, rad: 100, tst: 1764061260, more: 1 };
  expect(await friendsOf(await send(device.id, key, transition))).toEqual([]);
  const swarm = await ann.swarm();
  await ann.add(swarm, device, 'producer');
  for (const each of [transition, waypoint]) expect(await friendsOf(await send(device.id, key, each))).toEqual([]);
  const sent = await ann.get<Message[]>(`/resources/${device.id}/messages/sent`);
  expect(sent.map(({ payload }) => payload)).toEqual([
    { _type: 'waypoint', desc: 'Home', lat: 53.5, lon: 9.9, rad: 100, tst: 1764061260 },
    { _type: 'transition', event: 'enter', desc: 'Home', lat: 53.5, lon: 9.9, tst: 1764061260, t: 'c' },
  ]);
});

test('only the key of the device that is the user name is accepted', async () => {
  const { device, key } = await phone();
  const other = await phone();
  const ofUser = (await server.app.operator.createKey({ user: 'ann', name: 'k' })).key;
  for (const [user, password] of [
    [other.device.id, key],
    ['ann', ofUser],
    [device.id, ''],
    [device.id, 'swb_wrong'],
  ] as const)
    expect((await send(user, password)).status, user).toBe(401);
  expect((await send(device.id, key)).status).toBe(200);
});

test('Basic authentication works at the endpoint of the app only, not at addresses that contain its path', async () => {
  const { device, key } = await phone();
  const authorization = `Basic ${Buffer.from(`${device.id}:${key}`).toString('base64')}`;
  for (const path of [
    `/service/resources/${device.id}`,
    `/service/resources/${device.id}?x=/owntracks`,
    `/service/resources/${device.id}?x=/service/owntracks?`,
    '/service/swarms/owntracks',
    '/service/x/owntracks',
  ])
    expect((await server.fetch(path, { headers: { authorization } })).status, path).toBe(401);
});

test('the document says that only this operation takes Basic authentication', async () => {
  const { paths, components } = (await (await server.fetch('/service/openapi.json')).json()) as {
    paths: Record<string, Record<string, { operationId: string; security: object[] }>>;
    components: { securitySchemes: object };
  };
  expect(components.securitySchemes).toMatchObject({ basic: { type: 'http', scheme: 'basic' } });
  const withBasic = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ security }) => security.some((one) => 'basic' in one));
  expect(withBasic).toMatchObject([{ operationId: 'reportOwnTracks', security: [{ apiKey: [] }, { basic: [] }] }]);
});

test('wrong keys are limited by their address, and do not lock out a device with a valid one', async () => {
  const { device, key } = await phone();
  expect((await send(device.id, key)).status).toBe(200);
  const wrong = await Promise.all(Array.from({ length: 40 }, (_, n) => send(device.id, `swb_wrong${n}`)));
  expect(new Set(wrong.map(({ status }) => status))).toEqual(new Set([401, 429]));
  expect((await send(device.id, key)).status).toBe(200);
});

test.each([
  ['a large body', (user: string, key: string) => send(user, key, { ...report, photo: 'x'.repeat(500 * 1024) })],
  ['a body of unknown length', sendChunked],
])('%s counts as eight requests, and the next one waits for them', async (_what, ask) => {
  const { device, key } = await phone();
  const statuses: number[] = [];
  let answer = await ask(device.id, key);
  for (; answer.status === 200; answer = await ask(device.id, key)) statuses.push(answer.status);
  expect(await outcomeOf(answer)).toBe('429 rate.exceeded');
  // A burst of 100, and what is earned meanwhile.
  expect(statuses.length).toBeGreaterThan(10);
  expect(statuses.length).toBeLessThan(30);
});
