// stores: SQLite, PostgreSQL in the long run
/** Responses that are read slowly. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Resource, Swarm } from '../../contract.ts';
import { describeOnSqlite, testOnSqlite } from '../../tests/on-sqlite.fixture.ts';
import { addAllToSwarm, addDevices, writeForDevices } from '../../tests/many-devices.fixture.ts';
import { createServiceClient, signUpClient, type ServiceClient } from '../../tests/service-client.fixture.ts';
import {
  createTestServer,
  entryPoints,
  origin,
  password,
  type TestServer,
  type TestUser,
} from '../../tests/test-server.fixture.ts';

describe('a long response', () => {
  let server: TestServer;
  let ann: ServiceClient;
  let swarm: Swarm;
  beforeAll(async () => {
    server = await createTestServer();
    ann = await signUpClient(server, 'ann');
    swarm = await ann.swarm();
    await addDevices({ db: server.db, userId: 'ann', count: 8000 });
    await addAllToSwarm({ db: server.db, userId: 'ann', swarmId: swarm.id });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  let names = 0;
  /** A user with a device in the swarm. */
  async function newMember() {
    const user = await server.signUp(`member-${names++}`);
    const member = createServiceClient(user.name, (asked) => server.request('direct', user, asked));
    const device = await member.device();
    expect((await member.accept(await ann.invite(swarm, device))).status).toBe(200);
    return { user, device };
  }

  /** Reads the beginning of a response, and the rest after `meanwhile`. Rejects if the response is cut. */
  async function readSlowly(answer: Response, meanwhile: () => Promise<unknown>): Promise<string> {
    expect(answer.status).toBe(200);
    const reader = answer.body!.getReader();
    const parts = [(await reader.read()).value!];
    await meanwhile();
    for (let part = await reader.read(); !part.done; part = await reader.read()) parts.push(part.value);
    return Buffer.concat(parts).toString();
  }

  const ofSwarm: Record<string, (member: { device: Resource }) => string> = {
    'the members of the swarm': () => `/swarms/${swarm.id}/resources`,
    'the swarm': () => `/swarms/${swarm.id}`,
    'the swarms of the user': () => '/swarms',
    'the swarms of the device': ({ device }) => `/resources/${device.id}/swarms`,
  };
  describeOnSqlite.each(Object.entries(ofSwarm))('with %s', (_, pathOf) => {
    test('is complete for a member', async () => {
      const member = await newMember();
      const answer = await server.request('direct', member.user, { path: pathOf(member) });
      const body = await readSlowly(answer, async () => {});
      expect(JSON.stringify(JSON.parse(body))).toContain(member.device.id);
    });

    test('is cut when the member is removed, and has no member that joined afterwards', async () => {
      const member = await newMember();
      const answer = await server.request('direct', member.user, { path: pathOf(member) });
      let read = '';
      const reading = readSlowly(answer, async () => {
        expect((await ann.leave(swarm, member.device)).status).toBe(204);
        await ann.add(swarm, await ann.device());
      }).then((body) => (read = body));
      await expect(reading).rejects.toThrow('you do not have access');
      expect(read).toBe('');
    });
  });

  test('the members of a swarm are cut when the watcher is removed, by another process too', async () => {
    const user = await server.signUp(`watcher-${names++}`);
    await ann.nameManager(swarm, user.name, 'watcher');
    const watcher = createServiceClient(user.name, (asked) => server.request('direct', user, asked));
    expect((await watcher.agree(swarm, user.name)).status).toBe(200);
    const path = `/swarms/${swarm.id}/resources`;
    const another = await server.startAnother(server.db);
    const headers = { 'x-serviceapikey': user.key };
    const ofAnother = await another.fetch(new Request(`${origin}/service${path}`, { headers }));
    const answer = await server.request('direct', user, { path });
    const remove = async () => expect((await ann.removeManager(swarm, user.name)).status).toBe(204);
    await expect(readSlowly(answer, remove)).rejects.toThrow('you do not have access');
    await expect(readSlowly(ofAnother, async () => {})).rejects.toThrow('you do not have access');
    await another.close();
  });

  testOnSqlite.each(['invitations', 'requests'] as const)(
    '%s of a swarm are cut when the manager is removed',
    async (list) => {
      const user = await server.signUp(`manager-${names++}`);
      const manager = createServiceClient(user.name, (asked) => server.request('direct', user, asked));
      const managed = await ann.swarm();
      await ann.nameManager(managed, user.name);
      expect((await manager.agree(managed, user.name)).status).toBe(200);
      const at = `'2026-01-02T03:04:05.678Z'`;
      const into = {
        requests: `join_requests (id, swarm_id, status, asked_at, resource_type, resource_id, swarm_name, user_id,
          resource_name, resource_folded, machine_type)
        SELECT value, $2, 'new', ${at}, 'both', value, 's', 'x', 'n', 'n', 'pc'`,
        // Answered ones, which are inserted faster.
        invitations: `invitations (id, swarm_id, status, sent_at, rejected_at, created_at, resource_type, resource_id,
          "from", "to")
        SELECT value, $2, 'rejected', ${at}, ${at}, ${at}, 'producer', value, 'ann', 'x'`,
      };
      const sql = `INSERT INTO ${into[list]} FROM elements($1)`;
      await writeForDevices({ db: server.db, userId: 'ann', sql, params: [managed.id] });
      const read = () => server.request('direct', user, { path: `/swarms/${managed.id}/${list}` });
      const whole = JSON.parse(await readSlowly(await read(), async () => {})) as object[];
      expect(whole.length).toBeGreaterThanOrEqual(8000);
      const remove = async () => expect((await ann.removeManager(managed, user.name)).status).toBe(204);
      await expect(readSlowly(await read(), remove)).rejects.toThrow('you do not have access');
    },
  );

  testOnSqlite('the lists of a device have nothing of its new owner when it is handed over', async () => {
    const { user, device } = await newMember();
    const member = createServiceClient(user.name, (asked) => server.request('direct', user, asked));
    // The device is in a large swarm, which its former owner still watches, and in one of its new owner.
    await ann.nameManager(swarm, user.name, 'watcher');
    expect((await member.agree(swarm, user.name)).status).toBe(200);
    const name = `owner-${names++}`;
    const owner = await signUpClient(server, name);
    const theirs = await owner.swarm({ name: 'Of the new owner' });
    expect((await member.accept(await owner.invite(theirs, device))).status).toBe(200);
    const sql = `INSERT INTO invitations (id, swarm_id, status, sent_at, rejected_at, created_at, resource_type, resource_id,
      "from", "to") SELECT 'to a device ' || value, $2, 'rejected', $3, $3, $3, 'producer', $4, 'ann', $5 FROM elements($1)`;
    const at = '2026-01-02T03:04:05.678Z';
    await writeForDevices({ db: server.db, userId: 'ann', sql, params: [swarm.id, at, device.id, user.name] });
    const read = (list: string) => server.request('direct', user, { path: `/resources/${device.id}/${list}` });
    const [swarms, invitations] = [await read('swarms'), await read('invitations')];
    const isHandedOver = Promise.withResolvers<void>();
    const handOver = async () => {
      expect((await member.offerDevice(device, name)).status).toBe(200);
      expect((await owner.takeOverDevice(device, name)).status).toBe(204);
      await ann.invite(await ann.swarm(), { ...device, user_id: name });
      isHandedOver.resolve();
    };
    const [ofSwarms, ofInvitations] = await Promise.all([
      readSlowly(swarms, handOver),
      readSlowly(invitations, () => isHandedOver.promise),
    ]);
    expect(ofSwarms).not.toContain('Of the new owner');
    expect(ofInvitations).not.toContain(`"to":"${name}"`);
  });

  /** The user who has the devices, with a new key and a new session. */
  async function newAccess(): Promise<TestUser> {
    const { key } = await server.app.operator.createKey({ user: 'ann', name: 'reader' });
    const signedIn = await server.fetch('/auth/sign-in/username', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ username: 'ann', password }),
    });
    const cookies = signedIn.headers.getSetCookie().map((entry) => entry.split(';')[0]);
    return { name: 'ann', key, cookie: cookies.join('; ') };
  }

  const paths = ['/resources', '/export?format=csv', '/export?format=geojson&q=sensor'];
  describeOnSqlite.each(entryPoints)('%s', (entryPoint) => {
    test.each(paths)('%s is cut when the key is revoked or the session is ended', async (path) => {
      const user = await newAccess();
      const read = () => server.request(entryPoint, user, { path });
      expect(await readSlowly(await read(), async () => {})).toContain('Sensor');
      const message = entryPoint === 'direct' ? 'invalid API key' : 'not signed in';
      await expect(readSlowly(await read(), () => endAccess(user))).rejects.toThrow(message);
    });

    const endAccess = (user: TestUser) =>
      entryPoint === 'direct'
        ? server.db.write([{ sql: 'DELETE FROM api_keys WHERE user_id = $1', params: [user.name] }])
        : server.db.write([
            {
              sql: 'DELETE FROM session WHERE "userId" = (SELECT id FROM "user" WHERE username = $1)',
              params: [user.name],
            },
          ]);
  });
});
