// stores: SQLite, PostgreSQL
/** What a guest of a link sees, over real connections, and what ends it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ActivityPage, NewShareLink, Resource, SharedDevice, ShareLink, Swarm } from '../../contract.ts';
import { hourMs } from '../../core/limits/durations.ts';
import { guestLimits } from './limits.ts';
import { join, type TestUser } from '../../tests/events.fixture.ts';
import { codeOf, lookAt } from '../../tests/guests.fixture.ts';
import { startHttpServer, type HttpTestServer } from '../../tests/http-server.fixture.ts';
import { addAllToSwarm, addDevices } from '../../tests/many-devices.fixture.ts';

let server: HttpTestServer;
let ann: TestUser;
beforeAll(async () => {
  server = await startHttpServer();
  ann = await join(server.url, 'ann');
});
afterAll(() => server[Symbol.asyncDispose]());

/** Of the server's clock, which tests advance. */
let waited = 0;
function wait(ms: number) {
  waited += ms;
  server.wait(ms);
}
const inMs = (ms: number) => new Date(Date.now() + waited + ms).toISOString();
const deviceOf = (user: TestUser, more: object = {}) =>
  user.request<Resource>('POST', '/resources', {
    name: 'Ferry',
    machine_type: 'smartphone',
    position: { longitude: 8, latitude: 54 },
    ...more,
  });
const share = (user: TestUser, device: Resource, more: object = {}) =>
  user.request<NewShareLink>('POST', `/resources/${device.id}/share-links`, {
    name: 'For Ben',
    expires_at: inMs(hourMs),
    ...more,
  });
const move = (user: TestUser, { id }: Resource, latitude: number) =>
  user.request('PUT', `/resources/${id}`, { position: { longitude: 8, latitude } });
const end = (user: TestUser, { resource_id, id }: ShareLink) =>
  user.request('DELETE', `/resources/${resource_id}/share-links/${id}`);

const look = (code: string) => lookAt(server.url, code);
const at = (latitude: number) => (event: { devices: SharedDevice[] }) =>
  event.devices[0]?.position?.latitude === latitude;

test.each([
  ['seconds', (at: string) => at.replace(/\.\d+Z/, 'Z')],
  ['microseconds', (at: string) => at.replace(/\.\d+Z/, '.000000Z')],
  ['another zone', (at: string) => new Date(Date.parse(at) + hourMs).toISOString().replace(/\.\d+Z/, '+01:00')],
  ['small letters', (at: string) => at.replace(/\.\d+Z/, 'z').replace('T', 't')],
])('the end of a link may be a time with %s', async (_, write) => {
  const end = inMs(2 * hourMs).replace(/\.\d+Z/, '.000Z');
  const device = await deviceOf(ann);
  const link = await share(ann, device, { expires_at: write(end) });
  expect(link.expires_at).toBe(end);
  const later = end.replace('.000Z', '.500Z');
  const changed = await ann.request<ShareLink>('PUT', `/resources/${device.id}/share-links/${link.id}`, {
    expires_at: later.replace('Z', '+00:00'),
  });
  expect(changed.expires_at).toBe(later);
});

test('a guest sees the device move, with no more than its name, its position and who shares it', async () => {
  const device = await deviceOf(ann, { description: 'a secret', tags: undefined });
  const link = await share(ann, device);
  const guest = await look(codeOf(link));
  const opened = await guest.until('opened');
  expect(opened).toEqual({
    type: 'opened',
    now: expect.any(String) as string,
    shared_by: 'ann',
    expires_at: link.expires_at,
    shows: 'device',
    devices: [
      {
        key: expect.any(Number) as number,
        name: 'Ferry',
        machine_type: 'smartphone',
        position: { longitude: 8, latitude: 54 },
        accuracy: null,
        located_at: expect.any(String) as string,
      },
    ],
  });
  await move(ann, device, 55);
  await guest.until('changed', at(55));
  await ann.request('PUT', `/resources/${device.id}`, { name: 'Night ferry', position: null });
  const { devices } = await guest.until('changed', ({ devices: [first] }) => first?.position === null);
  expect(devices[0]!.name).toBe('Night ferry');
  const sent = JSON.stringify(guest.events);
  for (const hidden of [device.id, link.id, 'For Ben', 'a secret']) expect(sent).not.toContain(hidden);
  expect((await ann.request<ShareLink[]>('GET', `/resources/${device.id}/share-links`))[0]!.viewers).toBe(1);
  guest.close();
});

test('a device that moves all the time is sent once a second, with its last position', async () => {
  const device = await deviceOf(ann);
  const guest = await look(codeOf(await share(ann, device)));
  await guest.until('opened');
  const from = performance.now();
  for (let step = 1; step <= 30; step += 1) await move(ann, device, step);
  await guest.until('changed', at(30));
  const seconds = (performance.now() - from) / 1000;
  expect(guest.events.filter(({ type }) => type === 'changed').length).toBeLessThanOrEqual(seconds + 2);
  guest.close();
});

test('guests who come at once all see the device', async () => {
  const device = await deviceOf(ann, { keep_track: true });
  const link = await share(ann, device, { shows_track: true });
  const guests = await Promise.all(Array.from({ length: 30 }, () => look(codeOf(link))));
  const opened = await Promise.all(guests.map((guest) => guest.until('opened')));
  expect(new Set(opened.map(({ devices: [first] }) => first!.name))).toEqual(new Set(['Ferry']));
  guests.forEach((guest) => guest.close());
});

test('a link that was ended elsewhere shows nothing more, before the feed brings its end', async () => {
  const device = await deviceOf(ann);
  const [link, open] = [await share(ann, device), await share(ann, device)];
  const [guest, other] = [await look(codeOf(link)), await look(codeOf(open))];
  await Promise.all([guest.until('opened'), other.until('opened')]);
  // One transaction, of which the feed brings the move first.
  await server.db.write([
    { sql: 'DELETE FROM share_links WHERE id = $1', params: [link.id] },
    { sql: 'UPDATE resources SET latitude = 80 WHERE id = $1', params: [device.id] },
  ]);
  await move(ann, device, 81);
  await other.until('changed', at(81));
  await guest.ended;
  expect(guest.events.some(({ type }) => type === 'changed')).toBe(false);
  other.close();
});

test('many members are read once for all links and guests, in parts of 1,000, and nothing of them on the main thread', async () => {
  const { db } = server;
  const max = await join(server.url, 'many');
  const count = 2500;
  await addDevices({ db, userId: max.name, count });
  const swarm = await max.request<Swarm>('POST', '/swarms', { name: 'Race', description: 'Nobody knows' });
  await addAllToSwarm({ db, userId: max.name, swarmId: swarm.id });
  await db.write([{ sql: 'UPDATE memberships SET shown_by_links = 1 WHERE swarm_id = $1', params: [swarm.id] }]);
  const body = { name: 'For the web page', expires_at: inMs(hourMs) };
  const shareSwarm = () => max.request<NewShareLink>('POST', `/swarms/${swarm.id}/share-links`, body);
  const codes = [codeOf(await shareSwarm()), codeOf(await shareSwarm())];
  const reads = vi.spyOn(db, 'read');
  const guests = await Promise.all([...codes, ...codes].map(look));
  for (const guest of guests) await expect.poll(() => guest.shown().length).toBe(count);
  const last = await look(codes[0]!);
  await expect.poll(() => last.shown().length).toBe(count);
  const calls = reads.mock.calls.map(([query]) => query);
  const results = (await Promise.all(reads.mock.results.map(({ value }) => value))) as { devices?: object[] }[][];
  reads.mockRestore();
  const devicesIn = ([first]: { devices?: object[] }[]) => first?.devices?.length ?? 0;
  // A change that the feed brings late is read by itself.
  expect(results.map(devicesIn).filter((devices) => devices > 1)).toEqual([1000, 1000, 500]);
  expect(Math.max(...results.map(devicesIn))).toBe(guestLimits.devicesAtOnce);
  const onMain = results.filter((_, index) => !calls[index]!.shape).map((rows) => rows.length);
  expect(Math.max(...onMain)).toBeLessThan(10);
  const keysOf = ({ events }: (typeof guests)[number]) =>
    events.flatMap((event) => ('devices' in event ? event.devices.map(({ key }) => key) : []));
  const [one, other] = guests.map((guest) => new Set(keysOf(guest)));
  expect(one!.size).toBe(count);
  expect([...one!].filter((key) => other!.has(key))).toEqual([]);
  expect(new Set(keysOf(last))).toEqual(one);
  [...guests, last].forEach(({ close }) => close());
});

test('what a try without an answer has created ends with the next try, also with other fields', async () => {
  const [user, other] = [await join(server.url, 'lost-answer'), await join(server.url, 'same-attempt')];
  const [device, neighbour] = [await deviceOf(user), await deviceOf(user)];
  const attempt = randomUUID();
  const stays = [
    await share(user, device, { name: 'Before', attempt: randomUUID() }),
    await share(user, neighbour, { attempt }),
    await share(other, await deviceOf(other), { attempt }),
  ];
  const lost = await share(user, device, { attempt });
  const guest = await look(codeOf(lost));
  await guest.until('opened');
  const link = await share(user, device, { name: 'For Eva', attempt });
  await guest.until('ended');
  expect((await look(codeOf(lost))).status).toBe(404);
  const listed = await user.request<ShareLink[]>('GET', `/resources/${device.id}/share-links`);
  expect(listed.map(({ id }) => id)).toEqual([stays[0]!.id, link.id]);
  expect(JSON.stringify(listed)).not.toContain(attempt);
  for (const open of [...stays, link]) {
    const { status, close } = await look(codeOf(open));
    expect(status).toBe(200);
    close();
  }
  const { items } = await user.request<ActivityPage>('GET', `/activity?resource_id=${device.id}&limit=3`);
  expect(items.map(({ kind, detail }) => `${kind} ${detail}`)).toEqual([
    'resource.link_created For Eva',
    'resource.link_replaced For Ben',
    'resource.link_created For Ben',
  ]);
});

test('a link that is sent twice at once is open once', async () => {
  const device = await deviceOf(ann);
  const attempt = randomUUID();
  await Promise.all(Array.from({ length: 4 }, () => share(ann, device, { attempt })));
  expect(await ann.request('GET', `/resources/${device.id}/share-links`)).toHaveLength(1);
});

test('a try that answers late does not end the link of the next try', async () => {
  const device = await deviceOf(ann);
  const attempt = randomUUID();
  const [read, written] = [server.db.read, Promise.withResolvers<void>()];
  const reads = vi.spyOn(server.db, 'read').mockImplementation(async (query) => {
    if (query.sql.includes('FROM share_links l WHERE l.id')) await written.promise;
    return (await read(query)) as never;
  });
  const open = async () =>
    (await ann.request<ShareLink[]>('GET', `/resources/${device.id}/share-links`)).map(({ id }) => id);
  const late = share(ann, device, { attempt });
  await expect.poll(open).toHaveLength(1);
  const [first] = await open();
  const next = share(ann, device, { attempt });
  await expect.poll(open).not.toContain(first);
  written.resolve();
  const [, { id }] = await Promise.all([late, next]);
  expect(await open()).toEqual([id]);
  reads.mockRestore();
});

test('its owner sees when a link was opened last, to the minute', async () => {
  const device = await deviceOf(ann);
  const link = await share(ann, device, { expires_at: inMs(2 * hourMs) });
  expect(link).not.toHaveProperty('opened_at');
  const openedAt = async () =>
    (await ann.request<ShareLink[]>('GET', `/resources/${device.id}/share-links`))[0]!.opened_at;
  const guest = await look(codeOf(link));
  await guest.until('opened');
  await expect.poll(openedAt).toBeDefined();
  const first = (await openedAt())!;
  expect(Math.abs(Date.parse(first) - Date.parse(inMs(0)))).toBeLessThan(30_000);
  wait(30_000);
  (await look(codeOf(link))).close();
  wait(31_000);
  await expect.poll(openedAt).toBe(first);
  (await look(codeOf(link))).close();
  await expect.poll(openedAt).not.toBe(first);
  expect(Date.parse((await openedAt())!) - Date.parse(first)).toBeGreaterThan(60_000);
  expect(guest.events.some(({ type }) => type === 'end_changed')).toBe(false);
  guest.close();
});

test('the track is shown only if the link says so, and only since the link was created', async () => {
  const device = await deviceOf(ann, { keep_track: true });
  await move(ann, device, 54.5);
  wait(2000);
  const [plain, tracked] = [await share(ann, device), await share(ann, device, { shows_track: true })];
  wait(2000);
  await move(ann, device, 55);
  const guests = [await look(codeOf(plain)), await look(codeOf(tracked))];
  const [without, withTrack] = await Promise.all(guests.map((guest) => guest.until('opened')));
  expect(without).not.toHaveProperty('track');
  expect(withTrack!.track!.map(({ latitude }) => latitude)).toEqual([55]);
  guests.forEach((guest) => guest.close());
});

describe('a link ends at once', () => {
  const ends: Record<string, (user: TestUser, device: Resource, link: NewShareLink) => Promise<unknown> | void> = {
    'when its owner ends it': (user, _device, link) => end(user, link),
    'with its device': (user, device) => user.request('DELETE', `/resources/${device.id}`),
    'with its account': (user) => user.browser.send('DELETE', '/api/account', { user_id: user.name }),
    'while its owner is disabled': (user) =>
      server.db.write([
        { sql: 'UPDATE "user" SET disabled_at = $1 WHERE username = $2', params: [inMs(0), user.name] },
      ]),
    'at its time, also if the clock steps': () => wait(hourMs),
  };
  let users = 0;
  test.each(Object.keys(ends))('%s', async (way) => {
    const user = await join(server.url, `user-${++users}`);
    const device = await deviceOf(user);
    const link = await share(user, device);
    const guest = await look(codeOf(link));
    await guest.until('opened');
    await ends[way]!(user, device, link);
    await guest.until('ended');
    await guest.ended;
    const again = await look(codeOf(link));
    expect(again.status).toBe(404);
  });

  test('and nothing that happened after that is sent', async () => {
    const device = await deviceOf(ann);
    const link = await share(ann, device);
    const guest = await look(codeOf(link));
    await guest.until('opened');
    await Promise.all(Array.from({ length: 20 }, (_, index) => move(ann, device, index)));
    await end(ann, link);
    await move(ann, device, 80);
    await guest.ended;
    expect(guest.events.some((event) => event.type === 'changed' && at(80)(event))).toBe(false);
    expect(guest.events.at(-1)!.type).toBe('ended');
  });

  test('another end is told, and kept', async () => {
    const device = await deviceOf(ann);
    const link = await share(ann, device);
    const guest = await look(codeOf(link));
    await guest.until('opened');
    const [later, sooner] = [inMs(2 * hourMs), inMs(1.5 * hourMs)];
    const setEnd = (expires_at: string) =>
      ann.request('PUT', `/resources/${device.id}/share-links/${link.id}`, { expires_at });
    const isEnd = (end: string) => (event: { expires_at: string }) => event.expires_at === end;
    await setEnd(later);
    expect((await guest.until('end_changed', isEnd(later))).expires_at).toBe(later);
    await setEnd(sooner);
    await guest.until('end_changed', isEnd(sooner));
    wait(hourMs);
    // It was to end then.
    await move(ann, device, 80);
    await guest.until('changed', at(80));
    wait(hourMs / 2);
    await guest.until('ended');
  });
});

test('of many links that end while their devices move, none shows a position of its end or later', async () => {
  const devices = await Promise.all(Array.from({ length: 4 }, () => deviceOf(ann)));
  const firstEnd = Date.parse(inMs(hourMs));
  const links = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      share(ann, devices[n % 4]!, { expires_at: new Date(firstEnd + n * 50).toISOString() }),
    ),
  );
  const guests = await Promise.all(links.map((link) => look(codeOf(link))));
  await Promise.all(guests.map((guest) => guest.until('opened')));
  let isOver = false;
  const moving = devices.map(async (device) => {
    for (let step = 0; !isOver; step += 1) await move(ann, device, step % 80);
  });
  await Promise.all(guests.map((guest) => guest.until('changed')));
  // However long it took until all were open, they end now, one after the other.
  wait(firstEnd - Date.parse(inMs(0)));
  await Promise.all(guests.map((guest) => guest.until('ended')));
  isOver = true;
  await Promise.all(moving);
  for (const [n, { events, close }] of guests.entries()) {
    const times = events.flatMap((event) =>
      'devices' in event ? event.devices.map(({ located_at }) => located_at!) : [],
    );
    expect(times.filter((at) => at >= links[n]!.expires_at)).toEqual([]);
    expect(events.at(-1)).toEqual({ type: 'ended' });
    close();
  }
});

test('unknown, malformed, missing and ended codes get the same answer, and a guest has no other endpoint', async () => {
  const device = await deviceOf(ann);
  const link = await share(ann, device);
  await end(ann, link);
  const codes = [codeOf(link), 'A'.repeat(32), 'x', '', 'ä'.repeat(2000).replaceAll('ä', 'a'), "' OR 1=1"];
  const answers = await Promise.all(
    codes.map(async (code) => {
      const answer = await fetch(`${server.url}/guest/events`, { headers: { 'x-share-code': code } });
      const headers = [...answer.headers].filter(([name]) => name !== 'date');
      return `${answer.status} ${JSON.stringify(headers)} ${(await answer.text()).replace(/"request_id":"[^"]*"/, '')}`;
    }),
  );
  expect(new Set(answers).size).toBe(1);
  expect(answers[0]).toContain('share_link.not_found');
  expect((await fetch(`${server.url}/guest/events`)).status).toBe(404);
  expect((await fetch(`${server.url}/guest/events?code=${codeOf(link)}`)).status).toBe(404);
  for (const [method, path, status] of [
    ['POST', '/guest/events', 405],
    ['GET', '/guest', 404],
    ['GET', '/guest/other', 404],
  ] as const)
    expect((await fetch(`${server.url}${path}`, { method })).status, path).toBe(status);
});

test('the answer is for no index, no referrer and no other page', async () => {
  const { status, headers, close } = await look(codeOf(await share(ann, await deviceOf(ann))));
  expect(status).toBe(200);
  expect(headers.get('x-robots-tag')).toBe('noindex');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('access-control-allow-origin')).toBeNull();
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  close();
});

test('of a code, only the hash is stored, and no log has it', async () => {
  const code = codeOf(await share(ann, await deviceOf(ann)));
  const guest = await look(code);
  await guest.until('opened');
  guest.close();
  const rows = await server.db.read({ sql: 'SELECT * FROM share_links' });
  expect(JSON.stringify(rows)).not.toContain(code);
  expect(server.logged.join('')).not.toContain(code);
});

test('a link has so many viewers, and the owner who has most gives a place of a full process to another one', async () => {
  const owners = await Promise.all(Array.from({ length: 5 }, (_, index) => join(server.url, `full-${index}`)));
  const codes = await Promise.all(owners.map(async (user) => codeOf(await share(user, await deviceOf(user)))));
  const lookAll = (code: string, count: number) => Promise.all(Array.from({ length: count }, () => look(code)));
  const { viewers, viewersOfProcess } = guestLimits;
  const guests = [];
  for (const code of codes.slice(0, viewersOfProcess / viewers)) guests.push(...(await lookAll(code, viewers)));
  expect(guests.filter(({ status }) => status !== 200)).toEqual([]);
  const beyond = await look(codes[0]!);
  expect(beyond.status).toBe(429);
  expect(beyond.headers.get('retry-after')).toBe('30');
  const latecomer = await look(codes.at(-1)!);
  await latecomer.until('opened');
  await Promise.race(guests.map(({ ended }) => ended));
  for (const guest of [...guests, latecomer]) guest.close();
});

test.each(['a guest has seen', 'its owner has seen', 'ends while a guest looks at it'])(
  'a link whose end %s stays ended if the clock is set back, and one that is made then does not',
  async (seen) => {
    const device = await deviceOf(ann);
    const link = await share(ann, device);
    const list = () => ann.request<{ items: ShareLink[] }>('GET', `/resources/${device.id}/share-links`);
    const guest = seen.includes('looks') ? await look(codeOf(link)) : undefined;
    await guest?.until('opened');
    wait(hourMs);
    await guest?.ended;
    if (seen.startsWith('a guest')) expect((await look(codeOf(link))).status).toBe(404);
    if (seen.startsWith('its owner')) expect(JSON.stringify(await list())).not.toContain(link.id);
    wait(-hourMs);
    const later = await share(ann, device);
    await expect.poll(async () => JSON.stringify(await list())).not.toContain(link.id);
    const answers = [await look(codeOf(link)), await look(codeOf(later))];
    expect(answers.map(({ status }) => status)).toEqual([404, 200]);
    await end(ann, later);
  },
);

test('links that have ended are deleted, and leave room for others', async () => {
  const device = await deviceOf(ann);
  await share(ann, device);
  wait(hourMs);
  await server.tidy();
  expect(await server.db.read({ sql: 'SELECT id FROM share_links' })).toEqual([]);
});

test('an address that guesses codes, or opens a link again and again, has to wait, also with a right code', async () => {
  await using limited = await startHttpServer({ rateLimit: 1 });
  const user = await join(limited.url, 'ann');
  const link = await share(user, await deviceOf(user));
  const open = async (code: string) => {
    const { status, headers, close } = await lookAt(limited.url, code);
    close();
    return `${status} ${headers.get('retry-after')}`;
  };
  // More than what is refilled meanwhile, however long that takes.
  const guesses = await Promise.all(Array.from({ length: 100 }, (_, n) => open(`${n}`.padStart(32, 'A'))));
  expect(new Set(guesses)).toEqual(new Set(['404 null', '429 1']));
  const openings = await Promise.all(Array.from({ length: 20 }, () => open(codeOf(link))));
  expect(openings).toContain('429 1');
  limited.wait(60_000);
  expect(await open(codeOf(link))).toBe('200 null');
});
