// stores: SQLite, PostgreSQL in the long run
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ExtendedSwarm, Problem, Swarm, SwarmDetails } from '../../contract.ts';
import { hourMs } from '../limits/durations.ts';
import { addAllToSwarm, addDevices } from '../../tests/many-devices.fixture.ts';
import { signUpClient, type ServiceClient } from '../../tests/service-client.fixture.ts';
import { createTestServer, type TestServer } from '../../tests/test-server.fixture.ts';

let server: TestServer;
let ann: ServiceClient;
beforeAll(async () => {
  server = await createTestServer();
  ann = await signUpClient(server, 'ann');
});
afterAll(() => server[Symbol.asyncDispose]());

test('a change of a swarm that is being destroyed fails with "not found"', async () => {
  const swarm = await ann.swarm();
  await addDevices({ db: server.db, userId: 'ann', count: 600 });
  await addAllToSwarm({ db: server.db, userId: 'ann', swarmId: swarm.id });
  const path = `/swarms/${swarm.id}`;
  const deleted = ann.request({ method: 'DELETE', path });
  const changed = await Promise.all(
    Array.from({ length: 30 }, () => ann.request({ method: 'PUT', path, body: { name: 'z' } })),
  );
  expect((await deleted).status).toBe(204);
  for (const answer of changed) {
    const { user_id } = (await answer.json()) as { user_id?: string };
    expect([answer.status, user_id]).toEqual(answer.status === 200 ? [200, 'ann'] : [404, undefined]);
  }
});

test('a list has no members of a swarm that its reader loses while they are read', async () => {
  const [eve, fred] = [await signUpClient(server, 'eve'), await signUpClient(server, 'fred')];
  const device = await fred.device();
  const swarm = await eve.swarm();
  await fred.accept(await eve.invite(swarm, device));
  await addDevices({ db: server.db, userId: 'eve', count: 60 });
  await addAllToSwarm({ db: server.db, userId: 'eve', swarmId: swarm.id });
  const get = async <T>(path: string) => (await (await fred.request({ path })).json()) as T;
  const { access, ...whole } = await get<SwarmDetails>(`/swarms/${swarm.id}`);
  expect([access, whole.resources.length]).toEqual(['full', 61]);
  expect(await get('/swarms')).toEqual([whole]);
  const { read } = server.db;
  using _ = vi.spyOn(server.db, 'read').mockImplementation(async (query) => {
    if (query.shape?.name === 'membersBySwarm') expect((await fred.leave(swarm, device)).status).toBe(204);
    return read(query);
  });
  expect(await get('/swarms')).toEqual([]);
});

describe('creating a swarm', () => {
  test('writes the members of each role with one statement, after the checks that may refuse it', async () => {
    const devices = await Promise.all(Array.from({ length: 6 }, () => ann.device()));
    const resources = devices.flatMap(({ id }, index) =>
      index < 2
        ? [{ resource_id: id, resource_type: 'producer' }]
        : [
            { resource_id: id, resource_type: 'producer' },
            { resource_id: id, resource_type: 'consumer' },
          ],
    );
    const written = vi.spyOn(server.db, 'write');
    const swarm = await ann.swarm({ resources });
    const [statements = []] =
      written.mock.calls.find(([all]) => all.some(({ sql }) => sql.includes('INTO swarms'))) ?? [];
    written.mockRestore();
    expect(swarm.resources.map(({ resource_type }) => resource_type).toSorted()).toEqual([
      ...Array<string>(4).fill('both'),
      ...Array<string>(2).fill('producer'),
    ]);
    const quota = statements.findIndex(({ orFail }) => orFail === 'too many swarms');
    const inserts = statements.flatMap(({ sql }, index) => (sql.includes('INTO memberships') ? [index] : []));
    expect(inserts).toHaveLength(2);
    expect(inserts.every((index) => index > quota)).toBe(true);
  });

  test('with a device that is destroyed meanwhile fails with an error at that device', async () => {
    for (let round = 0; round < 10; round++) {
      const [stays, doomed] = [await ann.device(), await ann.device()];
      const resources = [stays, doomed].map(({ id }) => ({ resource_id: id, resource_type: 'both' }));
      const body = { name: 'Ring', description: '', resources };
      const [, made] = await Promise.all([
        ann.destroy('resources', doomed),
        ann.request({ method: 'POST', path: '/swarms', body }),
      ]);
      if (made.status === 201) continue;
      const { errors } = (await made.json()) as Problem;
      expect(errors!.map(({ pointer }) => pointer)).toEqual(['/resources/1/resource_id']);
    }
  });

  test('during the deletion of the account leaves no swarm', async () => {
    const user = await server.signUp('goes');
    const body = { user_id: 'goes' };
    let gone = false;
    const deleted = server.request('gateway', user, { method: 'DELETE', path: '/account', body }).finally(() => {
      gone = true;
    });
    const asked: Promise<Response>[] = [];
    while (!gone) {
      const swarm = { method: 'POST', path: '/swarms', body: { name: 'Ring', description: '' } };
      asked.push(server.request('direct', user, swarm));
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect((await deleted).status).toBe(204);
    const statuses = new Set((await Promise.all(asked)).map(({ status }) => status));
    expect([...statuses].filter((status) => status !== 201 && status !== 401)).toEqual([]);
    const left = () => server.db.read({ sql: `SELECT 1 FROM swarms WHERE user_id IN ('goes', '')` });
    await vi.waitFor(async () => expect(await left()).toEqual([]));
  });
});

describe('the list of swarms', () => {
  const many = 2500;

  test('has each once, oldest first, ties by id, for many swarms', async () => {
    const wide = await signUpClient(server, 'wide');
    const device = await wide.device();
    const ids = Array.from({ length: many }, (_, n) => `019a7c51-5d0e-7c1c-8a4e-${String(n).padStart(12, '0')}`);
    // Few distinct times for many swarms, in another order than the ids.
    const times = ids.map((_, n) => new Date(1_772_000_000_000 + ((n * 7) % 13) * 1000).toISOString());
    const made = await server.db.write([
      ...ids.map((id, n) => ({
        sql: `INSERT INTO swarms (id, user_id, name, description, public, created_at, version) VALUES ($1, $2, 'Ring', '', 0, $3, 1)`,
        params: [id, 'wide', times[n]!],
      })),
      {
        sql: `INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since) SELECT id, $1, 'both', created_at FROM swarms WHERE user_id = 'wide'`,
        params: [device.id],
      },
    ]);
    expect(made.ok).toBe(true);
    const byAge = ids
      .map((id, n) => ({ id, at: times[n]! }))
      .toSorted((a, b) => a.at.localeCompare(b.at) || a.id.localeCompare(b.id));
    const expected = byAge.map(({ id }) => id);
    const listed = await wide.get<Swarm[]>('/swarms');
    expect(listed.map(({ id }) => id)).toEqual(expected);
    expect(listed.every(({ resources }) => resources[0]!.resource_id === device.id)).toBe(true);
    expect((await wide.get<Swarm[]>(`/resources/${device.id}/swarms`)).map(({ id }) => id)).toEqual(expected);
  });

  test('is oldest first, also if the database returns the rows in another order', async () => {
    const ordered = await signUpClient(server, 'ordered');
    const made: string[] = [];
    for (let n = 0; n < 5; n++) made.push((await ordered.swarm()).id);
    const { read } = server.db;
    const reading = vi.spyOn(server.db, 'read').mockImplementation(async (query) => {
      const rows = await read(query);
      return query.sql.includes('elements($2) wanted') ? rows.toReversed() : rows;
    });
    const listed = await ordered.get<Swarm[]>('/swarms').finally(() => reading.mockRestore());
    expect(listed.map(({ id }) => id)).toEqual(made);
  });

  test('does not contain a swarm that the user left while the response is read', async () => {
    const slow = await signUpClient(server, 'slow');
    const device = await slow.device();
    const shared = { resources: [{ resource_id: device.id, resource_type: 'both' }] };
    await slow.swarm();
    const filler = { description: 'x'.repeat(2000) };
    for (let from = 0; from < 400; from += 50) await Promise.all(Array.from({ length: 50 }, () => slow.swarm(filler)));
    server.wait(1000);
    const last = await slow.swarm({ ...shared, name: 'Last' });
    const answer = await slow.request({ path: '/swarms' });
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = (await reader.read()).value!;
    expect(text).not.toContain('Last');
    await slow.destroy('swarms', last);
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
    expect((JSON.parse(text) as Swarm[]).map(({ name }) => name)).toEqual(Array.from({ length: 401 }, () => 'Ring'));
  });
});

describe('updating a swarm', () => {
  test('accepts its unchanged members, and no others', async () => {
    const device = await ann.device();
    const swarm = await ann.swarm({ resources: [{ resource_id: device.id, resource_type: 'both' }] });
    expect(await ann.change(`/swarms/${swarm.id}`, { ...swarm, name: 'New' })).toEqual({
      ...swarm,
      name: 'New',
      modified_at: expect.any(String),
    });
    const others = { ...swarm.resources[0], resource_type: 'producer' };
    for (const resources of [[], [others], [swarm.resources[0], others]]) {
      const refused = await ann.request({ method: 'PUT', path: `/swarms/${swarm.id}`, body: { resources } });
      expect(((await refused.json()) as Problem).errors!.map(({ pointer }) => pointer)).toEqual(['/resources']);
    }
  });
});

describe('modified_at of a swarm', () => {
  const put = (swarm: Swarm, body: object) => ann.request({ method: 'PUT', path: `/swarms/${swarm.id}`, body });

  test('is the time of the last update, wherever an extension returns the swarm', async () => {
    const ben = await signUpClient(server, 'reads-times');
    const swarm = await ann.swarm();
    await ann.invite(swarm, await ben.device());
    expect(swarm).not.toHaveProperty('modified_at');
    expect(await ann.get(`/swarms/${swarm.id}`)).not.toHaveProperty('modified_at');
    let before = '';
    for (const body of [{ public: true }, {}]) {
      server.wait(1000);
      const updated = await ann.change<ExtendedSwarm>(`/swarms/${swarm.id}`, body);
      expect(updated).toEqual({ ...swarm, public: true, modified_at: expect.any(String) });
      expect(updated.modified_at! > before).toBe(true);
      before = updated.modified_at!;
      expect(await ann.get(`/swarms/${swarm.id}`)).toEqual({ ...updated, access: 'full' });
      expect(await ben.get(`/swarms/${swarm.id}`)).toEqual({ ...updated, access: 'summary', member_count: 0 });
      expect(await ann.get('/swarms')).toContainEqual(updated);
    }
  });

  test('stays when members join, change their role or leave', async () => {
    const [device, swarm] = [await ann.device(), await ann.swarm()];
    const { modified_at } = await ann.change<ExtendedSwarm>(`/swarms/${swarm.id}`, {});
    expect(modified_at).toEqual(expect.any(String));
    const changes: [roles: string[], change: () => Promise<unknown>][] = [
      [['both'], () => ann.add(swarm, device, 'both')],
      [['producer'], () => ann.role(swarm, device, 'producer')],
      [[], () => ann.leave(swarm, device)],
      [['both'], () => ann.add(swarm, device, 'both')],
      [[], () => ann.destroy('resources', device)],
    ];
    for (const [roles, change] of changes) {
      server.wait(1000);
      await change();
      const read = await ann.get<ExtendedSwarm>(`/swarms/${swarm.id}`);
      expect(read.resources.map(({ resource_type }) => resource_type)).toEqual(roles);
      expect(read.modified_at).toBe(modified_at);
    }
  });

  test('is never before created_at or its previous value, even when the clock is set back', async () => {
    const swarm = await ann.swarm();
    const times: (string | undefined)[] = [];
    for (const pause of [-hourMs, 2 * hourMs, -hourMs]) {
      server.wait(pause);
      times.push((await ann.change<ExtendedSwarm>(`/swarms/${swarm.id}`, {})).modified_at);
    }
    expect(times[0]).toBe(swarm.created_at);
    expect(times[1]! > swarm.created_at).toBe(true);
    expect(times[2]).toBe(times[1]);
  });

  test('of an update can only be put back while it is the stored one', async () => {
    const swarm = await ann.swarm();
    const { modified_at } = await ann.change<ExtendedSwarm>(`/swarms/${swarm.id}`, {});
    server.wait(1000);
    const writes = Array.from({ length: 10 }, (_, n) => put(swarm, { name: `Ring ${n}`, modified_at }));
    const statuses = (await Promise.all(writes)).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, ...Array.from({ length: 9 }, () => 400)]);
  });
});

describe('an unchanged list', () => {
  test.each(['/swarms', '/invitations', 'members', 'sent', 'swarms of a device', 'received by a device'])(
    'gets a 304: %s',
    async (which) => {
      const ben = await signUpClient(server, which.replaceAll(/[^a-z]/g, '-').slice(0, 20));
      const device = await ben.device();
      const swarm = await ben.swarm({ resources: [{ resource_id: device.id, resource_type: 'both' }] });
      const theirs = await ann.swarm();
      const paths: Record<string, string> = {
        members: `/swarms/${swarm.id}/resources`,
        sent: `/swarms/${swarm.id}/invitations`,
        'swarms of a device': `/resources/${device.id}/swarms`,
        'received by a device': `/resources/${device.id}/invitations`,
      };
      const path = paths[which] ?? which;
      const etag = (await ben.request({ path })).headers.get('etag')!;
      const again = () => ben.request({ path, headers: { 'if-none-match': etag } });
      expect((await again()).status).toBe(304);
      await ben.leave(swarm, device);
      await ben.invite(swarm, await ann.device());
      await ann.invite(theirs, device);
      expect((await again()).status).toBe(200);
    },
  );
});
