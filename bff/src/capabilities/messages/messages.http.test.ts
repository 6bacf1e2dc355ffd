// stores: SQLite, PostgreSQL in the long run
/** Messages over real connections: sending, receiving, and what ends with a right. */
import { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type {
  CreatedApiKey,
  Device,
  Message,
  MessagePage,
  MessagesEvent,
  Problem,
  Resource,
  Swarm,
} from '../../contract.ts';
import { hourMs } from '../../core/limits/durations.ts';
import { testOnSqlite } from '../../tests/on-sqlite.fixture.ts';
import { isOnPostgres } from '../../core/store/store.fixture.ts';
import { join, type TestUser } from '../../tests/events.fixture.ts';
import { startHttpServer, type HttpTestServer } from '../../tests/http-server.fixture.ts';
import { messageLimits } from '../../core/limits/field-rules.ts';
import { expectInvariants } from '../../tests/invariants.fixture.ts';
import { deviceClient, receive, type DeviceClient, type Receiver } from '../../tests/messages.fixture.ts';

let server: HttpTestServer;
let ann: TestUser;
let ben: TestUser;
beforeAll(async () => {
  server = await startHttpServer();
  [ann, ben] = [await join(server.url, 'ann'), await join(server.url, 'ben')];
});
afterAll(() => server[Symbol.asyncDispose]());

let names = 0;
async function newDevice(user: TestUser): Promise<DeviceClient> {
  const { id } = await user.request<Resource>('POST', '/resources', { name: `Device ${names++}`, machine_type: 'bug' });
  const made = await user.browser.send('POST', `/api/devices/${id}/keys`, { name: 'k' });
  return deviceClient(server.url, { key: ((await made.json()) as CreatedApiKey).key, device: id });
}
const newSwarm = (user = ann) => user.request<Swarm>('POST', '/swarms', { name: 'River levels', description: '' });

/** A device of the user joins ann's swarm. */
async function joinSwarm(swarm: Swarm, user: TestUser, device: DeviceClient, role: 'producer' | 'consumer' | 'both') {
  if (user === ann) {
    await ann.request('POST', `/swarms/${swarm.id}/resources`, { resource_id: device.device, resource_type: role });
    return;
  }
  for (const each of role === 'both' ? ['producer', 'consumer'] : [role]) {
    const body = { to: user.name, resource_id: device.device, resource_type: each };
    const { id } = await ann.request<{ id: string }>('POST', `/swarms/${swarm.id}/invitations`, body);
    await user.request('PUT', `/resources/${device.device}/invitations/${id}`, { status: 'accept' });
  }
}
/** Ben's sender and ann's receiver in a swarm of ann's. */
async function pair() {
  const swarm = await newSwarm();
  const [sender, consumer] = [await newDevice(ben), await newDevice(ann)];
  await joinSwarm(swarm, ben, sender, 'producer');
  await joinSwarm(swarm, ann, consumer, 'consumer');
  return { swarm, sender, consumer };
}
const leave = (user: TestUser, swarm: Swarm, { device }: DeviceClient, query = '') =>
  user.request('DELETE', `/swarms/${swarm.id}/resources/${device}${query}`);
/** JSON as a program has written it. */
const raw = (json: string) => ({ json, isRaw: true });
const textOf = (payload: unknown) =>
  typeof payload === 'object' && payload !== null && 'isRaw' in payload
    ? (payload as ReturnType<typeof raw>).json
    : JSON.stringify(payload);
async function sendRaw(sender: DeviceClient, payload: unknown) {
  const answer = await sender.ask('', { method: 'POST', body: `{"payload":${textOf(payload)}}` });
  expect(answer.status).toBe(201);
}
/** Messages of a device that is no member any more. */
const storeMany = (swarm: Swarm, count: number, text = 'hay') =>
  server.db.write([
    {
      sql: `INSERT INTO messages (id, swarm_id, sender_id, sent_at, payload, is_named)
        SELECT value, $2, 'gone', $3, $4, 0 FROM elements($1)`,
      params: [
        JSON.stringify(Array.from({ length: count }, (_, index) => String(index))),
        swarm.id,
        new Date().toISOString(),
        JSON.stringify(text),
      ],
    },
  ]);
const payloads = (messages: readonly Message[]) => messages.map(({ payload }) => payload);
async function problemOf(answer: Response): Promise<Problem> {
  return (await answer.json()) as Problem;
}

describe('a message', () => {
  test('reaches the consumers of the swarms of its sender, as an event, a line and in an array', async () => {
    const { swarm, sender, consumer } = await pair();
    await using events = closing(await consumer.receive());
    await using lines = closing(await consumer.receive({ lines: true }));
    const payload = { temperature: 21.5, texts: ['ü', null, true] };
    const sent = await sender.send(payload);
    expect(sent.swarms).toEqual([swarm.id]);
    const expected = {
      id: expect.any(String),
      message_id: sent.message_id,
      swarm_id: swarm.id,
      from: sender.device,
      sent_at: sent.sent_at,
      payload,
    };
    await Promise.all([events, lines].map((receiver) => receiver.until(({ length }) => length === 1)));
    expect([events.messages, lines.messages]).toEqual([[expected], [expected]]);
    const read = await consumer.read();
    expect(read.messages).toEqual([expected]);
    expect(read.next).toBe(events.lastId());
    expect((await consumer.read(`?since=${read.next}`)).messages).toEqual([]);
  });

  test('to two swarms that both devices share arrives once, also after the connection was lost', async () => {
    const { swarm, sender, consumer } = await pair();
    const other = await newSwarm();
    await joinSwarm(other, ben, sender, 'both');
    await joinSwarm(other, ann, consumer, 'both');
    const before = await consumer.read();
    await using live = closing(await consumer.receive());
    for (let n = 0; n < 5; n++)
      expect((await sender.send(n)).swarms.toSorted()).toEqual([swarm.id, other.id].toSorted());
    await live.until(({ length }) => length === 5);
    await using again = closing(await consumer.receive({ after: live.messages[2]!.id }));
    await again.until(({ length }) => length === 2);
    await using byQuery = closing(
      await consumer.receive({ query: `?lastEventId=${live.messages[3]!.id}&since=${before.next}` }),
    );
    await byQuery.until(({ length }) => length === 1);
    expect(payloads(byQuery.messages)).toEqual([4]);
    expect(payloads((await consumer.read(`?since=${before.next}`)).messages)).toEqual([0, 1, 2, 3, 4]);
    await sender.send('last');
    await Promise.all([live, again].map((each) => each.until((messages) => messages.at(-1)?.payload === 'last')));
    expect(payloads(live.messages)).toEqual([0, 1, 2, 3, 4, 'last']);
    expect(payloads(again.messages)).toEqual([3, 4, 'last']);
  });

  test('to one device reaches only this one, and not its sender', async () => {
    const { swarm, sender, consumer } = await pair();
    const other = await newDevice(ann);
    await joinSwarm(swarm, ann, other, 'both');
    await sender.send('to one', { to: other.device });
    await sender.send('to all');
    expect(payloads((await other.read()).messages)).toEqual(['to one', 'to all']);
    expect(payloads((await consumer.read()).messages)).toEqual(['to all']);
    await other.send('own');
    expect(payloads((await other.read()).messages)).toEqual(['to one', 'to all']);
    // The list of the swarm hides it from a member whose devices it does not concern.
    const cleo = await join(server.url, `cleo-${names++}`);
    await joinSwarm(swarm, cleo, await newDevice(cleo), 'consumer');
    const list = async (user: TestUser) =>
      payloads((await user.request<MessagePage>('GET', `/swarms/${swarm.id}/messages`)).items);
    expect(await list(ann)).toEqual(['own', 'to all', 'to one']);
    expect(await list(cleo)).toEqual(['own', 'to all']);
  });

  test('with an id of the client is sent once, also by requests at the same time', async () => {
    const { sender, consumer } = await pair();
    const sent = await Promise.all(['a', 'b', 'c'].map((payload) => sender.send(payload, { message_id: 'reading-7' })));
    expect(new Set(sent.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(await sender.send('later', { message_id: 'reading-7' })).toEqual(sent[0]);
    const { messages } = await consumer.read();
    expect(messages.map(({ message_id }) => message_id)).toEqual(['reading-7']);
  });

  test('of thousands that are sent at the same time arrive all, once, in one order for everybody', async () => {
    const { swarm, consumer, sender } = await pair();
    const senders = [sender, ...(await Promise.all(Array.from({ length: 7 }, () => newDevice(ann))))];
    for (const each of senders.slice(1)) await joinSwarm(swarm, ann, each, 'producer');
    await using first = closing(await consumer.receive());
    await using second = closing(await consumer.receive({ lines: true }));
    const amount = isOnPostgres ? 40 : 100;
    await Promise.all(
      senders.map(async (each, index) => {
        for (let n = 0; n < amount; n++) await each.send(`${index} ${n}`);
      }),
    );
    const all = senders.length * amount;
    await Promise.all([first, second].map((each) => each.until(({ length }) => length >= all)));
    expect(payloads(second.messages)).toEqual(payloads(first.messages));
    expect(new Set(payloads(first.messages)).size).toBe(all);
    senders.forEach((_, index) => {
      const own = payloads(first.messages).filter((text) => String(text).startsWith(`${index} `));
      expect(own).toEqual(Array.from({ length: amount }, (_, n) => `${index} ${n}`));
    });
    // The same from the database, in pages.
    const read: unknown[] = [];
    for (let since = ''; ;) {
      const page = await consumer.read(since === '' ? '' : `?since=${since}`);
      if (page.messages.length === 0) break;
      read.push(...payloads(page.messages));
      since = page.next;
    }
    expect(read).toEqual(payloads(first.messages));
  });
});

describe('a message is refused', () => {
  test.each([
    ['a device in no swarm', undefined, {}, 'The resource is in no swarm'],
    ['a consumer', 'consumer', {}, 'The resource is only a consumer'],
    [
      'a swarm that it is not in',
      'producer',
      { swarm_id: crypto.randomUUID() },
      'The resource is not a member of this swarm',
    ],
  ] as const)('of %s, with the reason', async (_, role, more, detail) => {
    const device = await newDevice(ben);
    if (role) await joinSwarm(await newSwarm(), ben, device, role);
    expect(await problemOf(await device.post({ payload: 1, ...more }))).toMatchObject({
      status: 403,
      code: 'message.not_producer',
      detail,
    });
  });

  test('to a device that does not receive there, alike for one that does not exist', async () => {
    const { swarm, sender } = await pair();
    const producer = await newDevice(ann);
    await joinSwarm(swarm, ann, producer, 'producer');
    for (const to of [producer.device, sender.device, crypto.randomUUID(), 'x'])
      expect(await problemOf(await sender.post({ payload: 1, to }))).toMatchObject({
        status: 400,
        errors: [{ pointer: '/to', code: 'message.no_recipient' }],
      });
  });

  testOnSqlite('whose payload is too large or too deep, with a pointer or a sentence', async () => {
    const { sender } = await pair();
    const large = await problemOf(await sender.post({ payload: 'a'.repeat(16_384) }));
    expect(large).toMatchObject({ status: 400, errors: [{ pointer: '/payload' }] });
    expect((await sender.post({ payload: 'a'.repeat(16_382) })).status).toBe(201);
    expect((await sender.post({ payload: 'a'.repeat(70_000) })).status).toBe(413);
    const deep = await problemOf(await sender.post({ payload: [[[[[[[[1]]]]]]]] }));
    expect(deep).toMatchObject({ status: 400, code: 'body.unreadable' });
    expect(await problemOf(await sender.post({}))).toMatchObject({
      status: 400,
      errors: [{ pointer: '/payload', code: 'field.required' }],
    });
  });
});

describe('nothing is sent or delivered after', () => {
  type Pair = Awaited<ReturnType<typeof pair>>;
  const ends: Record<string, { act: (data: Pair) => Promise<unknown>; status: number }> = {
    'the sender was removed': { act: ({ swarm, sender }) => leave(ann, swarm, sender), status: 403 },
    'the sender has left': { act: ({ swarm, sender }) => leave(ben, swarm, sender), status: 403 },
    'the swarm was destroyed': { act: ({ swarm }) => ann.request('DELETE', `/swarms/${swarm.id}`), status: 403 },
    'the sender was destroyed': {
      act: ({ sender }) => ben.request('DELETE', `/resources/${sender.device}`),
      status: 401,
    },
  };
  test.each(Object.entries(ends))('%s', async (_, { act, status }) => {
    const data = await pair();
    await using receiver = closing(await data.consumer.receive());
    await data.sender.send('before');
    await receiver.until(({ length }) => length === 1);
    await act(data);
    expect((await data.sender.post({ payload: 'after' })).status).toBe(status);
    expect(payloads(receiver.messages)).toEqual(['before']);
  });

  test('the receiver was removed, or is only a producer any more', async () => {
    const { swarm, sender, consumer } = await pair();
    const both = await newDevice(ann);
    await joinSwarm(swarm, ann, both, 'both');
    const witness = await newDevice(ann);
    await joinSwarm(swarm, ann, witness, 'consumer');
    await using removed = closing(await consumer.receive());
    await using narrowed = closing(await both.receive());
    await using last = closing(await witness.receive());
    await sender.send('before');
    await Promise.all([removed, narrowed].map((each) => each.until(({ length }) => length === 1)));
    await leave(ann, swarm, consumer);
    await leave(ann, swarm, both, '?type=consumer');
    await sender.send('after');
    await last.until((messages) => messages.at(-1)?.payload === 'after');
    // Both still read: a message of another swarm arrives after it.
    const other = await newSwarm();
    for (const each of [consumer, both]) await joinSwarm(other, ann, each, 'consumer');
    await joinSwarm(other, ben, sender, 'producer');
    await sender.send('elsewhere');
    await Promise.all([removed, narrowed].map((each) => each.until((messages) => messages.length > 1)));
    for (const each of [removed, narrowed]) expect(payloads(each.messages)).toEqual(['before', 'elsewhere']);
    expect(payloads((await consumer.read()).messages)).toEqual(['elsewhere']);
  });

  test('the key was revoked: the stream ends', async () => {
    const { sender, consumer } = await pair();
    const made = await ann.browser.send('POST', `/api/devices/${consumer.device}/keys`, { name: 'stolen' });
    const { id, key } = (await made.json()) as CreatedApiKey;
    await using receiver = closing(await receive(server.url, { key, device: consumer.device }));
    await sender.send('before');
    await receiver.until(({ length }) => length === 1);
    expect((await ann.browser.send('DELETE', `/api/devices/${consumer.device}/keys/${id}`)).status).toBe(204);
    await sender.send('after');
    await receiver.ended;
    expect(payloads(receiver.messages)).toEqual(['before']);
    expect((await receive(server.url, { key, device: consumer.device })).status).toBe(401);
  });

  test('the key has expired while a request waits', async () => {
    const { sender, consumer } = await pair();
    const body = { name: 'short', expires_at: new Date(Date.now() + 60_000).toISOString() };
    const made = await ann.browser.send('POST', `/api/devices/${consumer.device}/keys`, body);
    const { key } = (await made.json()) as CreatedApiKey;
    const client = deviceClient(server.url, { ...consumer, key });
    const waiting = client.ask(`?since=${(await client.read()).next}&wait=60`);
    await wait(50);
    server.wait(60_000);
    await sender.send('after');
    expect((await waiting).status).toBe(401);
  });

  test('the key was revoked: a request that waits is answered at once', async () => {
    const { consumer } = await pair();
    const made = await ann.browser.send('POST', `/api/devices/${consumer.device}/keys`, { name: 'stolen' });
    const { id, key } = (await made.json()) as CreatedApiKey;
    const client = deviceClient(server.url, { ...consumer, key });
    const waiting = client.ask(`?since=${(await client.read()).next}&wait=60`);
    await wait(50);
    expect((await ann.browser.send('DELETE', `/api/devices/${consumer.device}/keys/${id}`)).status).toBe(204);
    expect((await waiting).status).toBe(401);
  });

  test('the session of a browser has ended', async () => {
    const { sender, consumer } = await pair();
    const path = `/api/resources/${consumer.device}/messages`;
    await using receiver = closing(
      await receive(server.url, { key: ann.browser.cookie, device: consumer.device, path }),
    );
    await sender.send('before');
    await receiver.until(({ length }) => length === 1);
    const out = await ann.browser.send('POST', '/auth/sign-out', {});
    expect(out.status).toBeLessThan(300);
    await receiver.ended;
    const again = { username: 'ann', password: 'a good password' };
    expect((await ann.browser.send('POST', '/auth/sign-in/username', again)).status).toBe(200);
  });

  test('the account of the sender has ended', async () => {
    const dora = await join(server.url, `dora-${names++}`);
    const { swarm, consumer } = await pair();
    const device = await newDevice(dora);
    await joinSwarm(swarm, dora, device, 'producer');
    await using receiver = closing(await consumer.receive());
    await device.send('before');
    await receiver.until(({ length }) => length === 1);
    expect((await dora.browser.send('DELETE', '/api/account', { user_id: dora.name })).status).toBe(204);
    expect((await device.post({ payload: 'after' })).status).toBe(401);
    const sent = 'SELECT 1 FROM messages WHERE sender_id = $1';
    await expect.poll(() => server.db.read({ sql: sent, params: [device.device] })).toEqual([]);
  });
});

describe('a receiver', () => {
  test('that does not read is not cut, and gets everything when it reads again', async () => {
    const { sender, consumer } = await pair();
    await using receiver = closing(await consumer.receive());
    await sender.send('first');
    await receiver.until(({ length }) => length === 1);
    receiver.pause();
    const large = 'x'.repeat(16_000);
    for (let n = 0; n < 300; n += 30)
      await Promise.all(Array.from({ length: 30 }, (_, more) => sender.send(`${n + more} ${large}`)));
    receiver.resume();
    await receiver.until(({ length }) => length === 301);
    const numbers = payloads(receiver.messages)
      .slice(1)
      .map((text) => Number.parseInt(String(text)));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, n) => n));
  });

  test('shares the bytes of a message with all others, and is sent nothing more while it does not read', async () => {
    const { sender, consumer } = await pair();
    const payload = 'x'.repeat(16_000);
    const originalWrite = ServerResponse.prototype.write;
    const written = new Map<Uint8Array, Set<unknown>>();
    const write = vi.spyOn(ServerResponse.prototype, 'write');
    let most = 0;
    write.mockImplementation(function (this: ServerResponse, ...args: Parameters<ServerResponse['write']>) {
      const [part] = args;
      if (part instanceof Uint8Array && part.length > payload.length)
        written.set(part, (written.get(part) ?? new Set()).add(this));
      const result = originalWrite.apply(this, args);
      most = Math.max(most, this.writableLength);
      return result;
    });
    const receivers = await Promise.all([{}, {}, { lines: true }].map((how) => consumer.receive(how)));
    // Who still catches up reads messages of its own.
    await sender.send('first');
    await Promise.all(receivers.map((each) => each.until(({ length }) => length === 1)));
    await sender.send(payload);
    await Promise.all(receivers.map((each) => each.until(({ length }) => length === 2)));
    // A line is a part of the event.
    expect([...written.values()].map(({ size }) => size).toSorted((a, b) => a - b)).toEqual([1, 2]);
    expect(new Set([...written.keys()].map(({ buffer }) => buffer)).size).toBe(1);
    receivers.forEach((each) => each.pause());
    for (let n = 0; n < 900; n += 30) await Promise.all(Array.from({ length: 30 }, () => sender.send(payload)));
    expect(most).toBeLessThan(6 * 16_384);
    receivers.forEach((each) => each.close());
  });

  test('that joins a swarm gets its messages from then on', async () => {
    const { swarm, sender } = await pair();
    const late = await newDevice(ann);
    await using receiver = closing(await late.receive());
    await sender.send('before');
    await joinSwarm(swarm, ann, late, 'consumer');
    await sender.send('after');
    await receiver.until((messages) => messages.at(-1)?.payload === 'after');
    expect(receiver.hasEnded()).toBe(false);
  });

  testOnSqlite('waits for the first message, and at most as long as it says', async () => {
    const { sender, consumer } = await pair();
    const { next } = await consumer.read();
    const waiting = consumer.read(`?since=${next}&wait=60`);
    await wait(50);
    await sender.send('now');
    expect(payloads((await waiting).messages)).toEqual(['now']);
    const nothing = await consumer.read(`?since=${(await waiting).next}&wait=1`);
    expect(nothing).toEqual({ messages: [], next: (await waiting).next });
  });

  test('with a position of another database gets everything that is kept', async () => {
    const { sender, consumer } = await pair();
    await sender.send('kept');
    const { next } = await consumer.read();
    // Also one that no message has, as after a restore.
    for (const since of ['m-0123456789ab-7', 'nonsense', next.replace(/\d+$/, '999999999')])
      expect(payloads((await consumer.read(`?since=${since}`)).messages)).toEqual(['kept']);
  });

  testOnSqlite(
    'has four streams and waiting requests, which are not of its user: a new one ends the oldest',
    async () => {
      const { consumer, sender } = await pair();
      const { next } = await consumer.read();
      const oldest = consumer.ask(`?since=${next}&wait=60`);
      const open: Awaited<ReturnType<typeof consumer.receive>>[] = [];
      for (let count = 0; count < 4; count++) open.push(await consumer.receive());
      expect(await (await oldest).json()).toEqual([]);
      open.push(await consumer.receive());
      await open[0]!.ended;
      await sender.send('to the four');
      for (const each of open.slice(1)) await each.until((events) => events.length === 1);
      expect((await consumer.ask('')).status).toBe(200);
      const account = (await (await ann.browser.send('GET', '/api/account')).json()) as {
        quotas: { streams: { used: number } };
      };
      expect(account.quotas.streams.used).toBe(0);
      open.forEach((each) => each.close());
    },
  );

  testOnSqlite('that starts ten times, and never closes a connection, receives each time', async () => {
    const { consumer, sender } = await pair();
    const left: Receiver[] = [];
    for (let start = 0; start < 10; start++) {
      const stream = await consumer.receive();
      await sender.send(start);
      await stream.until((messages) => messages.length > 0);
      expect(payloads(stream.messages)).toEqual([start]);
      stream.leave();
      left.push(stream);
    }
    for (const stream of left) stream.close();
  });
});

testOnSqlite('a device that takes its own connections over again and again is slowed', async () => {
  await using own = await startHttpServer({ rateLimit: 1 });
  const cleo = await join(own.url, 'cleo');
  const { id } = await cleo.request<Resource>('POST', '/resources', { name: 'Board', machine_type: 'bug' });
  const headers = { accept: 'text/event-stream', 'x-serviceapikey': cleo.key };
  const answer = () => fetch(`${own.url}/service/resources/${id}/messages`, { headers });
  const open = [];
  for (let n = 0; n < messageLimits.streamsOfDevice + 20; n++) open.push(await answer());
  expect(open.map(({ status }) => status)).toEqual(open.map(() => 200));
  const refused = await answer();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await problemOf(refused)).code).toBe('rate.exceeded');
  // Those that were open stay.
  const [last] = open.slice(-1);
  expect((await last!.body!.getReader().read()).done).toBe(false);
  for (const each of open) await each.body?.cancel().catch(() => {});
});

test('at the limit of all users, who has most gets 507 and loses the oldest messages, and others send', async () => {
  await using own = await startHttpServer({ messageBytes: 40_000 });
  const [cleo, dan] = [await join(own.url, 'cleo'), await join(own.url, 'dan')];
  async function producer(user: TestUser) {
    const { id } = await user.request<Resource>('POST', '/resources', { name: 'Board', machine_type: 'bug' });
    const resources = [{ resource_id: id, resource_type: 'producer' }];
    await user.request('POST', '/swarms', { name: 'Ring', description: '', resources });
    return deviceClient(own.url, { key: user.key, device: id });
  }
  const [most, little] = [await producer(cleo), await producer(dan)];
  const send = async (device: DeviceClient) =>
    device.ask('', { method: 'POST', body: JSON.stringify({ payload: 'x'.repeat(1000) }) });
  expect((await send(little)).status).toBe(201);
  const answers = await Promise.all(Array.from({ length: 26 }, () => send(most)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
  // Nothing is deleted before both have sent.
  const { read } = own.db;
  const haveSent = Promise.withResolvers<void>();
  using _held = vi.spyOn(own.db, 'read').mockImplementation(async (query) => {
    if (query.sql.includes("kind = 'message_bytes' AND amount > $1")) await haveSent.promise;
    return read(query);
  });
  const refused = await send(most);
  expect([refused.status, (await problemOf(refused)).code]).toEqual([507, 'message.no_space']);
  expect((await send(little)).status).toBe(201);
  haveSent.resolve();
  await expect.poll(async () => (await send(most)).status).toBe(201);
  await expect.poll(async () => (await own.measure()).messageBytes).toBeLessThanOrEqual(37_500);
  const sent = await dan.request<Message[]>('GET', `/resources/${little.device}/messages/sent`);
  expect(sent).toHaveLength(2);
  await expectInvariants(own.db);
});

test('a device whose client hangs is silent though its stream is open, and a heartbeat is a sign of life', async () => {
  const { consumer } = await pair();
  const path = `/resources/${consumer.device}`;
  await ann.request('PUT', path, { expected_every: 60 });
  const presence = async () => {
    const read = await ann.browser.send('GET', `/api/devices/${consumer.device}?audience=own`);
    return ((await read.json()) as Device).presence;
  };
  async function pass(seconds: number) {
    for (let passed = 0; passed < seconds; passed += 10) {
      server.wait(10_000);
      await server.presence.round();
    }
  }
  const stream = await consumer.receive();
  stream.leave();
  await pass(10);
  expect(await presence()).toMatchObject({ state: 'online', connected: true });
  await pass(120);
  expect(await presence()).toMatchObject({ state: 'silent', connected: true });
  const beat = () =>
    fetch(`${server.url}/service${path}/heartbeat`, { method: 'POST', headers: { 'x-serviceapikey': consumer.key } });
  expect((await beat()).status).toBe(204);
  await pass(10);
  expect(await presence()).toMatchObject({ state: 'online', connected: true });
  stream.close();
  await expect
    .poll(async () => {
      await server.presence.round();
      return (await presence()).connected;
    })
    .toBe(undefined);
});

describe('the messages of a swarm', () => {
  test('are listed in pages, newest first, also of one sender and after a message', async () => {
    const { swarm, sender } = await pair();
    const other = await newDevice(ann);
    await joinSwarm(swarm, ann, other, 'producer');
    for (let n = 0; n < 5; n++) await (n === 2 ? other : sender).send(n);
    const list = (query: string) => ann.request<MessagePage>('GET', `/swarms/${swarm.id}/messages${query}`);
    const first = await list('?limit=2');
    expect(payloads(first.items)).toEqual([4, 3]);
    const second = await list(`?limit=2&before=${first.next}`);
    expect(payloads(second.items)).toEqual([2, 1]);
    expect(payloads((await list(`?before=${second.next}`)).items)).toEqual([0]);
    expect(payloads((await list(`?resource_id=${other.device}`)).items)).toEqual([2]);
    expect(payloads((await list(`?since=${second.items[0]!.id}`)).items)).toEqual([4, 3]);
    const sent = await ben.request<Message[]>('GET', `/resources/${sender.device}/messages/sent?limit=2`);
    expect(payloads(sent)).toEqual([4, 3]);
  });

  test('are for members with a consumer, not for those with a producer', async () => {
    const { swarm } = await pair();
    const answer = await fetch(`${server.url}/service/swarms/${swarm.id}/messages`, {
      headers: { 'x-serviceapikey': ben.key },
    });
    expect(await problemOf(answer)).toMatchObject({ status: 403, detail: 'You have no consumer in this swarm' });
  });

  test('of one device are also for its owner', async () => {
    const { swarm, sender } = await pair();
    const other = await newDevice(ann);
    await joinSwarm(swarm, ann, other, 'producer');
    await sender.send('own');
    await other.send('of ann');
    const path = `/swarms/${swarm.id}/messages?resource_id=`;
    expect(payloads((await ben.request<MessagePage>('GET', `${path}${sender.device}`)).items)).toEqual(['own']);
    const headers = { 'x-serviceapikey': ben.key };
    expect((await fetch(`${server.url}/service${path}${other.device}`, { headers })).status).toBe(403);
  });

  test.each([
    ['a word in any case', { level: 'Überlauf' }, 'überlauf'],
    ['a word that a program has sent as ASCII', raw('{"level":"K\\u00f6ln"}'), 'KÖLN'],
    ['several words in any order', { temperature: 21.5, unit: 'C' }, '21.5 temperature'],
    ['a text with quotation marks', { said: 'say "hi"' }, '"hi"'],
    ['a name with its value', { level: 3 }, '"level":3'],
    ['characters that a pattern would take for others', '100 %_', '%_'],
  ])('are found by %s', async (_case, payload, q) => {
    const { swarm, sender } = await pair();
    await sender.send({ level: 'other' });
    await sendRaw(sender, payload);
    const path = `/swarms/${swarm.id}/messages?q=${encodeURIComponent(q)}`;
    const { items, next } = await ann.request<MessagePage>('GET', path);
    expect([payloads(items), next]).toEqual([[JSON.parse(textOf(payload))], null]);
  });

  test('are found by their time', async () => {
    const { swarm, sender } = await pair();
    const times: string[] = [];
    for (let n = 0; n < 3; n++) times.push((await sender.send(n)).sent_at);
    await server.db.write(
      times.map((_, n) => ({
        sql: 'UPDATE messages SET sent_at = $1 WHERE swarm_id = $2 AND payload = $3',
        params: [`2026-01-02T03:04:0${n}.000Z`, swarm.id, String(n)],
      })),
    );
    const query = 'sent_after=2026-01-02T04:04:01%2B01:00&sent_before=2026-01-02T03:04:02Z';
    const { items } = await ann.request<MessagePage>('GET', `/swarms/${swarm.id}/messages?${query}`);
    expect(payloads(items)).toEqual([1]);
  });

  test('are searched in many reads, which others may go between, and page by page', async () => {
    const { swarm, sender } = await pair();
    await sender.send('needle');
    await storeMany(swarm, messageLimits.searched + messageLimits.window);
    const read = vi.spyOn(server.db, 'read');
    const list = (more = '') => ann.request<MessagePage>('GET', `/swarms/${swarm.id}/messages?q=needle${more}`);
    const first = await list();
    const results = (await Promise.all(read.mock.results.map(({ value }) => value))) as { rows?: number }[][];
    read.mockRestore();
    expect(first.items).toEqual([]);
    const windows = results.flat().flatMap(({ rows }) => rows ?? []);
    expect(windows).toEqual(
      Array.from({ length: messageLimits.searched / messageLimits.window }, () => messageLimits.window),
    );
    expect(Math.max(...results.map(({ length }) => length))).toBeLessThan(messageLimits.window);
    const second = await list(`&before=${first.next}`);
    expect([payloads(second.items), second.next]).toEqual([['needle'], null]);
  });

  test('are exported, oldest first, with the names of members', async () => {
    const swarm = await newSwarm();
    const [sender, consumer] = [await newDevice(ben), await newDevice(ann)];
    await joinSwarm(swarm, ben, sender, 'producer');
    await joinSwarm(swarm, ann, consumer, 'consumer');
    await ann.request('PUT', `/resources/${consumer.device}`, { name: '=HYPERLINK("x")' });
    const many = 2 * messageLimits.fileWindow + 1;
    await storeMany(swarm, many);
    await sender.send({ text: ';=1+1' }, { swarm_id: swarm.id, to: consumer.device });
    await sender.send('later');
    const file = async (query: string) => {
      const path = `${server.url}/service/swarms/${swarm.id}/messages/export?${query}`;
      const answer = await fetch(path, { headers: { 'x-serviceapikey': ann.key } });
      expect(answer.status).toBe(200);
      return answer.text();
    };
    const lines = (await file('format=ndjson')).trimEnd().split('\n');
    const messages = lines.map((line) => JSON.parse(line) as Message);
    expect(messages).toHaveLength(many + 2);
    expect(payloads(messages.slice(-2))).toEqual([{ text: ';=1+1' }, 'later']);
    const { items } = await ann.request<MessagePage>('GET', `/swarms/${swarm.id}/messages?limit=2`);
    expect(messages.slice(-2).toReversed()).toEqual(items);
    const [head, first, ...others] = (await file(`resource_id=${sender.device}`)).split('\r\n');
    expect(head!.replace('\uFEFF', '')).toBe(
      'sent_at,from_name,from,to_name,to,payload,message_id,encoding,properties',
    );
    expect(first).toContain(`,${sender.device},"'=HYPERLINK(""x"")",${consumer.device},"{""text"":"";\\u003d1+1""}",`);
    expect(others).toHaveLength(2);
    expect((await file('q=none')).split('\r\n')).toHaveLength(2);
  });

  test('are exported until the right ends', async () => {
    const { swarm } = await pair();
    const watcher = await newDevice(ben);
    await joinSwarm(swarm, ben, watcher, 'consumer');
    await storeMany(swarm, 4 * messageLimits.fileWindow, 'x'.repeat(messageLimits.payloadBytes - 2));
    const { read } = server.db;
    let windows = 0;
    using _held = vi.spyOn(server.db, 'read').mockImplementation(async (query) => {
      const results = await read(query);
      if (query.shape?.name === 'messageFileChunk' && ++windows === 2) await leave(ben, swarm, watcher);
      return results;
    });
    const path = `${server.url}/service/swarms/${swarm.id}/messages/export?format=ndjson`;
    const answer = await fetch(path, { headers: { 'x-serviceapikey': ben.key } });
    const text = answer.text().then(
      () => 'complete',
      () => 'cut',
    );
    expect(await text).toBe('cut');
    expect(windows).toBe(2);
  });

  test('are exported without those to devices of others from when their user no longer manages the swarm', async () => {
    const { swarm, consumer } = await pair();
    const [producer, own] = [await newDevice(ann), await newDevice(ben)];
    await joinSwarm(swarm, ann, producer, 'producer');
    await joinSwarm(swarm, ben, own, 'consumer');
    const ofManager = `/swarms/${swarm.id}/managers`;
    await ann.request('POST', ofManager, { user_id: ben.name });
    await ben.request('PUT', `${ofManager}/${ben.name}`, { status: 'agreed' });
    const sendToAnn = (payload: string) => producer.send(payload, { swarm_id: swarm.id, to: consumer.device });
    await sendToAnn('before');
    await storeMany(swarm, messageLimits.fileWindow);
    await sendToAnn('after');
    await producer.send('to all');
    const { read } = server.db;
    let windows = 0;
    using _held = vi.spyOn(server.db, 'read').mockImplementation(async (query) => {
      const results = await read(query);
      if (query.shape?.name === 'messageFileChunk' && ++windows === 1)
        await ann.request('DELETE', `${ofManager}/${ben.name}`);
      return results;
    });
    const path = `${server.url}/service/swarms/${swarm.id}/messages/export?format=ndjson`;
    const lines = await (await fetch(path, { headers: { 'x-serviceapikey': ben.key } })).text();
    const sent = payloads(
      lines
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Message),
    );
    expect(sent.filter((payload) => payload !== 'hay')).toEqual(['before', 'to all']);
  });

  test('come to a browser that watches the swarm, until its user may not read them', async () => {
    const { swarm, sender } = await pair();
    const watcher = await newDevice(ben);
    await joinSwarm(swarm, ben, watcher, 'consumer');
    const stream = await ben.listen('gateway', { query: `?watch=messages:${swarm.id}` });
    await expect.poll(() => stream.lines).toContain('event: mark');
    const news = () => (stream.events as unknown as MessagesEvent[]).filter(({ type }) => type === 'message.sent');
    // The list that it has read may be older.
    expect(news().map(({ data }) => data)).toEqual([{ swarm_id: swarm.id, items: [], skipped: 0 }]);
    await sender.send('hello');
    await expect.poll(() => news().flatMap(({ data }) => payloads(data.items))).toEqual(['hello']);
    expect(news()[0]!.data).toMatchObject({ swarm_id: swarm.id, skipped: 0 });
    await Promise.all(Array.from({ length: 60 }, (_, n) => sender.send(n)));
    await sender.send('last');
    await expect.poll(() => payloads(news().at(-1)!.data.items).at(-1)).toBe('last');
    const shown = news().reduce((sum, { data }) => sum + data.items.length + data.skipped, 0);
    expect(shown).toBe(62);
    await leave(ben, swarm, watcher);
    await sender.send('secret');
    const witness = await ann.listen('gateway', { query: `?watch=messages:${swarm.id}` });
    await expect.poll(() => witness.lines).toContain('event: mark');
    await sender.send('later');
    await witness.until((event) => JSON.stringify(event).includes('later'));
    expect(JSON.stringify(news())).not.toMatch(/secret|later/);
    stream.close();
    witness.close();
  });

  test('come to a browser also after its user has confirmed that it is them', async () => {
    const { swarm, sender } = await pair();
    const stream = await ann.listen('gateway', { query: `?watch=messages:${swarm.id}` });
    await expect.poll(() => stream.lines).toContain('event: mark');
    const old = ann.browser.cookie;
    expect((await ann.browser.send('POST', '/auth/confirm', { password: 'a good password' })).status).toBe(204);
    expect(ann.browser.cookie).not.toBe(old);
    await sender.send('after the confirmation');
    await stream.until((event) => JSON.stringify(event).includes('after the confirmation'));
    stream.close();
  });
});

describe('of what was sent', () => {
  test('the last message of each sender is kept longer than a day, and nothing of what was destroyed', async () => {
    const { sender, consumer, swarm } = await pair();
    await sender.send('old');
    await sender.send('last');
    server.wait(25 * hourMs);
    await server.tidy();
    expect(payloads((await consumer.read()).messages)).toEqual(['last']);
    await ben.request('DELETE', `/resources/${sender.device}`);
    await expect.poll(async () => (await consumer.read()).messages).toEqual([]);
    // What a crash has left.
    await server.db.write([
      {
        sql: `INSERT INTO messages (id, swarm_id, sender_id, sent_at, payload, is_named) VALUES ('x', $1, 'gone', $2, '1', 0)`,
        params: [swarm.id, new Date().toISOString()],
      },
    ]);
    await server.tidy();
    expect(await server.db.read({ sql: 'SELECT 1 FROM messages WHERE swarm_id = $1', params: [swarm.id] })).toEqual([]);
  });

  test('a receiver that has missed something is told, on every door, and nobody else', async () => {
    const { swarm, sender, consumer } = await pair();
    const both = await newDevice(ann);
    await joinSwarm(swarm, ann, both, 'both');
    await sender.send('first');
    const { next: afterFirst } = await consumer.read();
    await sender.send('second');
    const { next: afterSecond } = await consumer.read();
    await both.send('own');
    await both.send('own, and the last one');
    await sender.send('last');
    server.wait(25 * hourMs);
    await server.tidy();
    // What is in memory for other receivers is not missing yet.
    await expect.poll(async () => (await server.measure()).streams.open.key).toBe(0);
    const missing = `{"after":"${afterFirst}"}`;
    {
      await using events = closing(await consumer.receive({ after: afterFirst }));
      await events.until(({ length }) => length === 2);
      await events.caughtUp;
      expect(payloads(events.messages)).toEqual(['own, and the last one', 'last']);
      expect(events.others.filter((line) => line === 'event: missing')).toHaveLength(1);
      expect(events.data).toEqual([missing]);
      await using lines = closing(await consumer.receive({ after: afterFirst, lines: true }));
      await lines.until(({ length }) => length === 2);
      expect(lines.data).toEqual([`{"missing":${missing}}`]);
    }
    const told = async (device: DeviceClient, query: string) => (await device.ask(query)).headers.get('missing-after');
    expect(await told(consumer, `?since=${afterFirst}`)).toBe(afterFirst);
    // Its own message is missing, and nothing else.
    expect(await told(both, `?since=${afterSecond}`)).toBeNull();
    expect(await told(consumer, `?since=${afterSecond}`)).toBe(afterSecond);
    const { next: newest } = await consumer.read();
    expect(await told(consumer, `?since=${newest}`)).toBeNull();
    // Who begins with the oldest message.
    expect(await told(consumer, '')).toBeNull();
    await using live = closing(await consumer.receive());
    await sender.send('new');
    await live.until(({ length }) => length === 1);
    expect(live.data).toEqual([]);
  });

  test.each(['destroyed', 'handed over'])('those of a device that is %s are told as missing', async (ended) => {
    const { sender, consumer } = await pair();
    await sender.send('first');
    const { next } = await consumer.read();
    await sender.send('second');
    if (ended === 'destroyed') await ben.request('DELETE', `/resources/${sender.device}`);
    else {
      await ben.request('PUT', `/resources/${sender.device}/handover`, { user_id: 'ann' });
      await ann.request('PUT', `/resources/${sender.device}/owner`, { user_id: 'ann' });
    }
    await expect.poll(async () => (await consumer.ask(`?since=${next}`)).headers.get('missing-after')).toBe(next);
    // They are told before all of them are deleted.
    await expect.poll(async () => (await consumer.read()).messages).toEqual([]);
  });

  test('ten thousand of a swarm are kept, and who has sent most loses the others', async () => {
    const { swarm, sender, consumer } = await pair();
    const other = await newDevice(ann);
    await joinSwarm(swarm, ann, other, 'both');
    for (const payload of ['the oldest', 'the second']) await other.send(payload);
    const rows = 'SELECT count(*) AS amount FROM messages WHERE swarm_id = $1';
    const amount = async () => (await server.db.read<{ amount: number }>({ sql: rows, params: [swarm.id] }))[0]!.amount;
    const sent_at = new Date().toISOString();
    for (let part = 0; part < 3; part++) {
      const list = JSON.stringify(Array.from({ length: 5000 }, (_, n) => `${part} ${n}`));
      await server.db.write([
        {
          sql: `INSERT INTO messages (id, swarm_id, sender_id, sent_at, payload, is_named)
                SELECT value, $1, $2, $3, '1', 0 FROM elements($4)`,
          params: [swarm.id, sender.device, sent_at, list],
        },
      ]);
    }
    for (let n = 0; n < 100; n++) await sender.send(n);
    // and what was sent since the others were deleted
    await expect.poll(amount).toBeLessThan(10_100);
    expect(await amount()).toBeGreaterThanOrEqual(10_000);
    expect((await consumer.read()).messages.slice(0, 2).map(({ payload }) => payload)).toEqual([
      'the oldest',
      'the second',
    ]);
  });
});

function closing<T extends { close: () => void }>(value: T): T & AsyncDisposable {
  return Object.assign(value, { [Symbol.asyncDispose]: async () => value.close() });
}
