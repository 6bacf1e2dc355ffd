// stores: SQLite, PostgreSQL in the long run
/** What a device was refused: counted, shown to its owner and its own key, and ended by what is accepted. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CreatedApiKey, Device, DevicePage, Refusals, Resource } from '../../contract.ts';
import { dayMs } from '../../core/limits/durations.ts';
import { refusalLimits } from '../../core/limits/part-limits.ts';
import { createServiceClient, signUpClient, type ServiceClient } from '../../tests/service-client.fixture.ts';
import { createTestServer, type TestServer, type TestUser } from '../../tests/test-server.fixture.ts';

let server: TestServer;
let user: TestUser;
let ann: ServiceClient;
beforeEach(async () => {
  server = await createTestServer({ isRepeatable: true });
  user = await server.signUp('ann');
  ann = createServiceClient('ann', (asked) => server.request('direct', user, asked));
});
afterEach(() => server[Symbol.asyncDispose]());

async function deviceWithKey(more: object = {}) {
  const device = await ann.device(more);
  const body = { name: 'sensor' };
  const made = await server.request('gateway', user, { method: 'POST', path: `/devices/${device.id}/keys`, body });
  const { key } = (await made.json()) as CreatedApiKey;
  const ask = (asked: { method?: string; path?: string; body?: object }) =>
    server.request('direct', { ...user, key }, { ...asked, path: `/resources/${device.id}${asked.path ?? ''}` });
  const send = async () => (await ask({ method: 'POST', path: '/messages', body: { payload: 1 } })).status;
  return { device, key, ask, send };
}
type Keyed = Awaited<ReturnType<typeof deviceWithKey>>;

async function written(seconds = 0) {
  server.wait(seconds * 1000);
  await server.app.presence.round();
}
async function shown({ id }: Resource, viewer = user): Promise<Device> {
  return (
    await server.request('gateway', viewer, { path: `/devices/${id}?audience=visible` })
  ).json() as Promise<Device>;
}
async function refusalsOf(device: Resource): Promise<Refusals> {
  const read = await server.request('direct', user, { path: `/resources/${device.id}/refusals` });
  const found = (await read.json()) as Refusals;
  expect((await shown(device)).refusals ?? {}).toEqual(found);
  return found;
}
async function withKey({ id }: Pick<Resource, 'id'>, key: string) {
  return (await server.request('direct', { ...user, key }, { path: `/resources/${id}` })).status;
}
const wrongKey = `swb_${'x'.repeat(30)}`;

describe('refused requests of a device', () => {
  test('are counted, with the last reason, until one of the same kind is accepted', async () => {
    const swarm = await ann.swarm();
    const { device, ask, send } = await deviceWithKey();
    await ann.add(swarm, device, 'consumer');
    expect(await send()).toBe(403);
    await written();
    expect(await refusalsOf(device)).toEqual({
      refused: {
        times: 1,
        last_at: server.now().toISOString(),
        code: 'message.not_producer',
        detail: 'The resource is only a consumer',
      },
    });
    expect([await send(), await send()]).toEqual([403, 403]);
    // At most once a minute.
    await written(5);
    expect(await refusalsOf(device)).toMatchObject({ refused: { times: 1 } });
    await written(60);
    expect(await refusalsOf(device)).toMatchObject({ refused: { times: 3 } });
    for (const accepted of [{}, { path: '/heartbeat', method: 'POST' }, { path: '/messages?wait=1' }])
      expect((await ask(accepted)).ok).toBe(true);
    await written(5);
    expect(await refusalsOf(device)).toMatchObject({ refused: { times: 3 } });
    await ann.remove(`/swarms/${swarm.id}/resources/${device.id}`);
    await ann.add(swarm, device, 'producer');
    expect(await send()).toBe(201);
    await written(5);
    expect(await refusalsOf(device)).toEqual({});
  });

  test('name the field that is wrong, and are forgotten after some days without another one', async () => {
    const { device, ask } = await deviceWithKey();
    await ask({ method: 'PUT', body: { position: { longitude: 8, latitude: 91 } } });
    await written();
    const { refused } = await refusalsOf(device);
    expect(refused).toMatchObject({ code: 'body.invalid', detail: expect.stringMatching(/^\/position\/latitude /) });
    await ask({ path: '/nothing' });
    await written(60);
    expect(await refusalsOf(device)).toMatchObject({ refused: { times: 2, code: 'route.not_found' } });
    server.wait((refusalLimits.days + 1) * dayMs);
    await server.app.tidy();
    expect(await refusalsOf(device)).toEqual({});
  });

  test('of several processes add up, end in any of them, and are there after a restart', async () => {
    const { device, key, send } = await deviceWithKey();
    await send();
    await written();
    const other = await server.startAnother(server.db);
    const sendTo = async (app: Pick<typeof other, 'fetch'>) => {
      const headers = { 'x-serviceapikey': key, 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: '{"payload":1}' };
      return (await app.fetch(new Request(`http://localhost/service/resources/${device.id}/messages`, init))).status;
    };
    expect([await sendTo(other), await sendTo(other)]).toEqual([403, 403]);
    await other.presence.round();
    expect(await refusalsOf(device)).toMatchObject({ refused: { times: 3 } });
    await other.close();
    await using next = await server.restart();
    await next.presence.round();
    expect(await refusalsOf(device)).toMatchObject({ refused: { times: 3 } });
    await ann.add(await ann.swarm(), device, 'producer');
    expect(await sendTo(next)).toBe(201);
    await next.presence.round();
    expect(await refusalsOf(device)).toEqual({});
  });

  test('of an encrypted report of OwnTracks, which gets a success, end with a report that can be read', async () => {
    const { device, key } = await deviceWithKey();
    const report = (body: object) =>
      server.request('direct', { ...user, key }, { method: 'POST', path: '/owntracks', body });
    expect((await report({ _type: 'encrypted', data: 'x' })).status).toBe(200);
    await written();
    expect(await refusalsOf(device)).toMatchObject({ refused: { times: 1, code: 'report.encrypted' } });
    await report({ _type: 'location', lat: 54, lon: 8 });
    await written(5);
    expect(await refusalsOf(device)).toEqual({});
  });

  test.each([
    [
      'with OwnTracks',
      () => ({ method: 'POST', path: '/owntracks' }),
      (acc: number) => ({ _type: 'location', lat: 54, lon: 8, acc }),
    ],
    [
      'of its own',
      (id: string) => ({ method: 'PUT', path: `/resources/${id}` }),
      (accuracy: number) => ({ position: { latitude: 54, longitude: 8 }, accuracy }),
    ],
  ])('of a report %s that is too inaccurate, which gets a success, end with a better one', async (_, to, bodyOf) => {
    const { device, key } = await deviceWithKey();
    const report = async (accuracy: number) => {
      const request = { ...to(device.id), body: bodyOf(accuracy) };
      expect((await server.request('direct', { ...user, key }, request)).status).toBe(200);
    };
    await report(5000);
    await written();
    expect(await refusalsOf(device)).toEqual({});
    await report(20);
    await report(50_000);
    await written();
    expect(await refusalsOf(device)).toMatchObject({
      refused: { times: 1, code: 'report.inaccurate', detail: '50000 m' },
    });
    await report(30);
    await written(5);
    expect(await refusalsOf(device)).toEqual({});
  });

  test('are a filter of the list', async () => {
    const [refused, right] = [await deviceWithKey({ name: 'Refused' }), await deviceWithKey({ name: 'Right' })];
    await Promise.all([refused.send(), right.ask({})]);
    await written();
    const list = async (query: string, viewer = user) =>
      (await (await server.request('gateway', viewer, { path: `/devices?${query}` })).json()) as DevicePage;
    for (const audience of ['own', 'visible']) {
      const { items, total, facets } = await list(`refused=yes&audience=${audience}`);
      expect([items.map(({ name }) => name), total, facets.refused]).toEqual([['Refused'], 1, 1]);
      expect((await list(`audience=${audience}`)).facets.refused).toBe(1);
    }
    await ann.add(await ann.swarm(), refused.device, 'both');
    await refused.send();
    await written(5);
    expect(await list('refused=yes')).toMatchObject({ total: 0, facets: { all: 2 } });
  });
});

describe('wrong keys for a device', () => {
  test('are counted apart, and no success ends them', async () => {
    const { device, key, ask } = await deviceWithKey({ expected_every: 60 });
    expect([await withKey(device, wrongKey), await withKey(device, '')]).toEqual([401, 401]);
    await written();
    expect(await refusalsOf(device)).toEqual({ wrong_keys: { times: 2, last_at: server.now().toISOString() } });
    // It was never heard, and is not silent because of it, whatever its swarms expect.
    expect((await shown(device)).presence).toEqual({ state: 'never' });
    await ann.add(await ann.swarm({ expected_every: 60 }), device, 'both');
    await ann.change(`/resources/${device.id}`, { expected_every: 120 });
    for (let seconds = 0; seconds < 600; seconds += 10) await written(10);
    expect((await shown(device)).presence).toEqual({ state: 'never' });
    expect((await ask({ method: 'POST', path: '/heartbeat' })).status).toBe(204);
    await written(5);
    expect((await shown(device)).presence).toMatchObject({ state: 'online' });
    expect(await refusalsOf(device)).toMatchObject({ wrong_keys: { times: 2 } });
    expect(await withKey(device, key)).toBe(200);
  });

  test('are no requests without a key: anybody may know the id of a device', async () => {
    const { device } = await deviceWithKey();
    expect((await server.fetch(`/service/resources/${device.id}`)).status).toBe(401);
    await written();
    expect(await refusalsOf(device)).toEqual({});
  });

  test('are also those of another device, which was refused itself', async () => {
    const [one, other] = [await deviceWithKey(), await deviceWithKey()];
    expect(await withKey(one.device, other.key)).toBe(403);
    await written();
    expect(await refusalsOf(one.device)).toMatchObject({ wrong_keys: { times: 1 } });
    expect(await refusalsOf(other.device)).toMatchObject({ refused: { times: 1, code: 'key.not_allowed' } });
  });

  test('of one address are written for so many devices at most, once a minute, and for none that does not exist', async () => {
    const devices = await Promise.all(Array.from({ length: refusalLimits.ofAddress + 10 }, () => ann.device()));
    const rows = async () =>
      (await server.db.read<{ wrong_keys: number }>({ sql: 'SELECT wrong_keys FROM presence ORDER BY ref' })).map(
        ({ wrong_keys }) => wrong_keys,
      );
    await withKey({ id: '019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d10' }, wrongKey);
    for (let round = 0; round < 3; round++) for (const device of devices) await withKey(device, wrongKey);
    await written();
    const all = await rows();
    expect(all.length).toBe(refusalLimits.ofAddress - 1);
    for (const device of devices) await withKey(device, wrongKey);
    await written(30);
    expect(await rows()).toEqual(all);
    await written(31);
    expect((await rows()).reduce((sum, times) => sum + times, 0)).toBe(4 * (refusalLimits.ofAddress - 1));
  });
});

test('others do not see what a device was refused: not members, managers, watchers and the owner of its swarm', async () => {
  const bob = await server.signUp('bob');
  const others = createServiceClient('bob', (asked) => server.request('direct', bob, asked));
  const swarm = await others.swarm();
  const refused: Keyed = await deviceWithKey();
  await ann.accept(await others.invite(swarm, refused.device, 'consumer'));
  const member = await signUpClient(server, 'member');
  await member.accept(await others.invite(swarm, await member.device(), 'producer'));
  expect(await refused.send()).toBe(403);
  await withKey(refused.device, wrongKey);
  const position = await server.newestEvent();
  await written();
  expect(Object.keys(await refusalsOf(refused.device))).toEqual(['refused', 'wrong_keys']);
  expect(await (await refused.ask({ path: '/refusals' })).json()).toEqual(await refusalsOf(refused.device));
  const [ofAnn, ofBob] = await server.resume([user, bob], position);
  expect(ofAnn!.map(({ type }) => type)).toContain('refusals.changed');
  expect(ofBob!.map(({ type }) => type)).not.toContain('refusals.changed');
  expect(await shown(refused.device, bob)).not.toHaveProperty('refusals');
  const list = await server.request('gateway', bob, { path: `/swarms/${swarm.id}/members?refused=yes` });
  expect(await list.json()).toMatchObject({ total: 0 });
  const read = await server.request('direct', bob, { path: `/resources/${refused.device.id}/refusals` });
  expect(read.status).toBe(403);
});
