// stores: SQLite, PostgreSQL
/**
 * The start, continuation and end of streams, over real connections: with a key, and through the gateway with a
 * session.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { GatewayEvent, Resource, Session, Swarm } from '../../contract.ts';
import { dayMs } from '../limits/durations.ts';
import { expectEnd, join, listen, type Listener, type TestUser } from '../../tests/events.fixture.ts';
import { startServer, temporaryDataDir } from '../../tests/process.fixture.ts';
import { describeOnSqlite, testOnSqlite } from '../../tests/on-sqlite.fixture.ts';
import { startHttpServer, type HttpTestServer } from '../../tests/http-server.fixture.ts';
import { entryPoints } from '../../tests/test-server.fixture.ts';

let server: HttpTestServer;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server[Symbol.asyncDispose]());

let users = 0;
const newUser = () => join(server.url, `ann-${++users}`);
const deviceOf = (who: TestUser, name = 'Lamp') =>
  who.request<Resource>('POST', '/resources', { name, machine_type: 'pc', position: { longitude: 1, latitude: 2 } });
const moveTo = (who: TestUser, { id }: Resource, longitude: number) =>
  who.request('PUT', `/resources/${id}`, { position: { longitude, latitude: 2 } });
const named = (name: string) => (event: GatewayEvent) => (event.data as { name?: string }).name === name;
const mapOf =
  (audience: string) =>
  ({ type, data }: GatewayEvent) =>
    type === 'map.changed' && data['audience'] === audience;
const recordsOf = ({ events }: Listener) =>
  events.filter(({ type }) => type !== 'map.changed' && type !== 'action.changed');

describe.each(entryPoints)('%s: a stream', (entryPoint) => {
  it('continues after its last event, without gaps or duplicates', async () => {
    const ann = await newUser();
    const first = await ann.listen(entryPoint);
    await deviceOf(ann, 'seen');
    await first.until(named('seen'));
    const after = first.lastId();
    first.close();
    await deviceOf(ann, 'missed');
    const again = await ann.listen(entryPoint, { after });
    await again.until(named('missed'));
    await deviceOf(ann, 'second');
    await again.until(named('second'));
    expect(recordsOf(again).map(({ data }) => (data as { name?: string }).name)).toEqual(['missed', 'second']);
    again.close();
  });

  it('sends a reset for an event id of another database', async () => {
    const ann = await newUser();
    const listener = await ann.listen(entryPoint, { after: '0123456789ab-7' });
    const { data } = await listener.until(({ type }) => type === 'reset');
    expect(data).toEqual({});
    await deviceOf(ann, 'second');
    await listener.until(named('second'));
    listener.close();
  });

  it('is limited to fifty over all credentials of the user', async () => {
    const ann = await newUser();
    const other = entryPoint === 'direct' ? 'gateway' : 'direct';
    const all = await Promise.all(Array.from({ length: 50 }, (_, index) => ann.listen(index % 2 ? entryPoint : other)));
    const refused = await ann.listen(entryPoint);
    expect([refused.status, refused.headers.get('content-type')]).toEqual([409, 'application/problem+json']);
    expect((await (await newUser()).listen(entryPoint)).status).toBe(200);
    all.forEach((listener) => listener.close());
    await vi.waitFor(async () => expect((await ann.listen(entryPoint)).status).toBe(200));
  });

  it('ends with the account', async () => {
    const ann = await newUser();
    const listener = await ann.listen(entryPoint);
    expect((await ann.browser.send('DELETE', '/api/account', { user_id: ann.name })).status).toBe(204);
    await expectEnd(listener);
    expect((await ann.listen(entryPoint)).status).toBe(401);
  });
});

describe('a stream with a key', () => {
  it('ends when its key is revoked; a stream with another key continues', async () => {
    const ann = await newUser();
    const other = await newUser();
    const [listener, others] = [await ann.listen('direct'), await other.listen('direct')];
    const { items } = (await (await ann.browser.send('GET', '/api/account/keys')).json()) as {
      items: { id: string }[];
    };
    expect((await ann.browser.send('DELETE', `/api/account/keys/${items[0]!.id}`)).status).toBe(204);
    await expectEnd(listener);
    await deviceOf(other, 'later');
    await others.until(named('later'));
    others.close();
  });

  it('ends when another process revokes its key', async () => {
    const ann = await newUser();
    const listener = await ann.listen('direct');
    await server.db.write([{ sql: 'DELETE FROM api_keys WHERE user_id = $1', params: [ann.name] }]);
    await expectEnd(listener);
  });

  it('ends when its key expires', async () => {
    const ann = await newUser();
    const listener = await ann.listen('direct');
    const sql = 'UPDATE api_keys SET expires_at = $1 WHERE user_id = $2';
    await server.db.write([{ sql, params: [new Date(Date.now() - 1000).toISOString(), ann.name] }]);
    await expectEnd(listener);
  });
});

describe('a stream with a session', () => {
  it('ends with its session, not with other sessions', async () => {
    const ann = await newUser();
    const here = await ann.listen('gateway');
    const signedIn = { username: ann.name, password: 'a good password' };
    const first = ann.browser.cookie;
    ann.browser.cookie = '';
    expect((await ann.browser.send('POST', '/auth/sign-in/username', signedIn)).status).toBe(200);
    const there = await ann.listen('gateway');
    const sessions = async () =>
      ((await (await ann.browser.send('GET', '/api/account/sessions')).json()) as { items: Session[] }).items;
    const ended = (await sessions()).find(({ current }) => !current)!;
    expect((await ann.browser.send('DELETE', `/api/account/sessions/${ended.id}`)).status).toBe(204);
    await expectEnd(here);
    await deviceOf(ann, 'later');
    await there.until(named('later'));
    ann.browser.cookie = first;
    expect((await ann.listen('gateway')).status).toBe(401);
    there.close();
  });

  it('ends on sign-out', async () => {
    const ann = await newUser();
    const listener = await ann.listen('gateway');
    expect((await ann.browser.send('POST', '/auth/sign-out', {})).status).toBeLessThan(300);
    await expectEnd(listener);
  });

  it('renews the session cookie once a day', async () => {
    await using slow = await startHttpServer();
    const ann = await join(slow.url, 'ann');
    const cookies = async () => {
      const listener = await ann.listen('gateway');
      listener.close();
      return listener.headers.getSetCookie();
    };
    expect(await cookies()).toEqual([]);
    slow.wait(2 * dayMs);
    expect(await cookies()).toEqual([expect.stringContaining('Max-Age=2592000')]);
    expect(await cookies()).toEqual([]);
  });

  it('ends when its session expires', async () => {
    await using slow = await startHttpServer();
    const ann = await join(slow.url, 'ann');
    const listener = await ann.listen('gateway');
    slow.wait(31 * dayMs);
    await expectEnd(listener);
  });
});

describeOnSqlite('a browser', () => {
  it('receives map.changed instead of moves, and the moves of the device that is open', async () => {
    const ann = await newUser();
    const [lamp, other] = [await deviceOf(ann), await deviceOf(ann)];
    const listener = await ann.listen('gateway', { query: `?resource=${lamp.id}` });
    await deviceOf(ann, 'begin');
    await listener.until(named('begin'));
    const since = listener.events.length;
    await moveTo(ann, other, 10);
    await listener.until(mapOf('own'));
    await moveTo(ann, lamp, 20);
    const { data } = await listener.until(({ type }) => type === 'resource.updated');
    expect(data).toMatchObject({ id: lamp.id, position: { longitude: 20, latitude: 2 } });
    await deviceOf(ann, 'end');
    await listener.until(named('end'));
    const received = listener.events.slice(since).filter(({ type }) => type === 'resource.updated');
    expect(received.map((event) => (event.data as { id?: string }).id)).toEqual([lamp.id]);
    listener.close();
  });

  it('receives map.changed only for watched maps that its user can see', async () => {
    const [ann, bob] = [await newUser(), await newUser()];
    const device = await deviceOf(bob);
    const [shared, hidden] = await Promise.all(
      ['shared', 'hidden'].map((name) =>
        bob.request<Swarm>('POST', '/swarms', {
          name,
          description: '',
          resources: [{ resource_id: device.id, resource_type: 'producer' }],
        }),
      ),
    );
    const own = await deviceOf(ann);
    const sent = await bob.request<{ id: string }>('POST', `/swarms/${shared!.id}/invitations`, {
      to: ann.name,
      resource_id: own.id,
      resource_type: 'consumer',
    });
    await ann.request('PUT', `/resources/${own.id}/invitations/${sent.id}`, { status: 'accept' });

    const watch = ['own', 'visible', `swarm:${shared!.id}`, `swarm:${hidden!.id}`];
    const query = `?watch=${watch.join(',')}`;
    const before = await ann.listen('gateway', { query });
    await deviceOf(ann, 'begin');
    await before.until(named('begin'));
    await before.until(mapOf('own'));
    before.close();
    // All earlier events have been sent, so this stream receives only later ones.
    const listener = await ann.listen('gateway', { query });
    await moveTo(bob, device, 30);
    await listener.until(mapOf(`swarm:${shared!.id}`));
    await deviceOf(ann, 'end');
    await listener.until(named('end'));
    const upToEnd = listener.events.slice(0, listener.events.findIndex(named('end')));
    const audiences = upToEnd.flatMap((event) => (event.type === 'map.changed' ? [event.data.audience] : []));
    expect(new Set(audiences)).toEqual(new Set(['visible', `swarm:${shared!.id}`]));
    expect(listener.events.some(mapOf(`swarm:${hidden!.id}`))).toBe(false);
    listener.close();
  });

  it('receives map.changed when it reconnects', async () => {
    const ann = await newUser();
    const first = await ann.listen('gateway');
    await deviceOf(ann, 'seen');
    await first.until(named('seen'));
    const after = first.lastId();
    first.close();
    const again = await ann.listen('gateway', { after, query: '?watch=own,visible' });
    const received = await Promise.all([again.until(mapOf('own')), again.until(mapOf('visible'))]);
    expect(received[0].data).toMatchObject({ version: expect.stringMatching(/./) as string });
    again.close();
  });

  it('can watch only valid audiences', async () => {
    const ann = await newUser();
    const swarm = `swarm:${(await ann.request<Swarm>('POST', '/swarms', { name: 's', description: '' })).id}`;
    for (const [watch, status] of [
      ['own,visible', 200],
      [`${swarm},${swarm}`, 200],
      ['', 200],
      ['everything', 400],
      ['swarm:1', 400],
      ['own,swarm:', 400],
      [Array.from({ length: 21 }, (_, index) => swarm.slice(0, -2) + (10 + index)).join(','), 400],
    ] as const) {
      const listener = await ann.listen('gateway', { query: `?watch=${watch}` });
      expect([watch, listener.status]).toEqual([watch, status]);
      listener.close();
    }
  });
});

// Its processes have SQLite.
testOnSqlite('a stopping server ends its streams, and clients get the missed events from the next one', async () => {
  using folder = temporaryDataDir();
  const first = await startServer(folder);
  const ann = await join(first.origin, 'ann');
  const listeners = await Promise.all([ann.listen('direct'), ann.listen('gateway')]);
  await deviceOf(ann, 'seen');
  await Promise.all(listeners.map((listener) => listener.until(named('seen'))));
  const ended = first.end('SIGTERM');
  await Promise.all(listeners.map(expectEnd));
  expect((await ended).code).toBe(0);

  await using second = await startServer(folder);
  const proof = { 'x-serviceapikey': ann.key };
  const missed = await fetch(`${second.origin}/service/resources`, {
    method: 'POST',
    headers: { ...proof, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'missed', machine_type: 'pc' }),
  });
  expect(missed.status).toBe(201);
  const again = await listen(`${second.origin}/service/events`, { ...proof, 'last-event-id': listeners[0].lastId() });
  await again.until(named('missed'));
  expect(again.events.map(({ type }) => type)).toEqual(['resource.created']);
  again.close();
});
