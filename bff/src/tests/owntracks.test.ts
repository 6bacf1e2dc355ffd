import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OwnTracksFriends, Resource } from '../contract.ts';
import { createOpenApi, type Document } from './openapi.fixture.ts';
import { signUpClient, type ServiceClient } from './service-client.fixture.ts';
import { createTestServer, type TestServer } from './test-server.fixture.ts';

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
const send = (user: string, key: string, body: unknown = report) =>
  server.fetch('/service/owntracks', {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`,
      'content-type': 'application/json; charset=utf-8',
      ...(body === '' && { 'content-length': '0' }),
    },
    body: body === '' ? '' : JSON.stringify(body),
  });
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
    modified_at: expect.any(String) as string,
  });
  // At rest, the app repeats its position: the record keeps its version.
  await send(device.id, key);
  expect(await ann.get(`/resources/${device.id}`)).toEqual(moved);
});

test.each([
  ['another type', { _type: 'transition', event: 'enter', lat: 1, lon: 2 }],
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
  ['a longitude that is a text', { lon: '9.9' }, ['/lon']],
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
