// stores: SQLite, PostgreSQL in the long run
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Activity, ActivityPage, Invitation, Resource } from '../../contract.ts';
import { dayMs, hourMs } from '../limits/durations.ts';
import { adoptCopy } from '../store/adopt-copy.ts';
import { createServiceClient, signUpClient, type ServiceClient } from '../../tests/service-client.fixture.ts';
import { createTestServer, password, type TestServer } from '../../tests/test-server.fixture.ts';

let server: TestServer;
let ann: ServiceClient;
let ben: ServiceClient;
let eve: ServiceClient;
beforeAll(async () => {
  server = await createTestServer();
  [ann, ben, eve] = await Promise.all([
    signUpClient(server, 'ann'),
    signUpClient(server, 'ben'),
    signUpClient(server, 'eve'),
  ]);
});
afterAll(() => server[Symbol.asyncDispose]());

const pageOf = (client: ServiceClient, query = '') => client.get<ActivityPage>(`/activity${query}`);

/** `ann member.removed Buoy Harbour producer`: the entries since `reset`, oldest first. */
async function entriesOf(client: ServiceClient): Promise<string[]> {
  const { items } = await pageOf(client, '?limit=200');
  return items
    .filter(({ id }) => id > (read.get(client) ?? 0))
    .map(lineOf)
    .toReversed();
}
const lineOf = ({ actor, kind, resource, swarm, detail }: Activity) =>
  [actor, kind, resource && (resource.name ?? '(hidden)'), swarm?.name, detail].filter(Boolean).join(' ');

/** The newest entry of each user before the test. */
const read = new Map<ServiceClient, number>();
async function reset() {
  for (const client of [ann, ben, eve]) read.set(client, (await pageOf(client, '?limit=1')).items[0]?.id ?? 0);
}
beforeEach(reset);

async function harbour() {
  const swarm = await ann.swarm({ name: 'Harbour' });
  const device = await ben.device({ name: 'Buoy' });
  return { swarm, device };
}

test('links are in the logs of who made or ended them, and of the owner of the swarm', async () => {
  const { swarm, device } = await harbour();
  await ann.nameManager(swarm, 'eve');
  await eve.agree(swarm, 'eve');
  await reset();
  const link = await eve.link(swarm, { name: 'Quay' });
  for (const client of [ann, eve]) expect(await entriesOf(client)).toEqual(['eve swarm.link_created Harbour Quay']);
  for (let times = 0; times < 2; times += 1) expect((await ann.endLink(link)).status).toBe(204);
  expect((await entriesOf(ann)).slice(1)).toEqual(['ann swarm.link_ended Harbour Quay']);
  const path = `/resources/${device.id}/share-links`;
  const expires_at = new Date(server.now().getTime() + hourMs).toISOString();
  const { id } = await ben.make<{ id: string }>(path, { name: 'Pick-up', expires_at });
  await ben.remove(`${path}/${id}`);
  expect(await entriesOf(ben)).toEqual([
    'ben resource.link_created Buoy Pick-up',
    'ben resource.link_ended Buoy Pick-up',
  ]);
});

test('who is in a database that was restored is told so, and since when changes may be undone', async () => {
  await using restored = await createTestServer();
  const [owner, member] = [await signUpClient(restored, 'ann'), await signUpClient(restored, 'ben')];
  const swarm = await owner.swarm({ name: 'Harbour' });
  await member.accept(await owner.invite(swarm, await member.device({ name: 'Buoy' }), 'producer'));
  const before = await pageOf(member);
  await member.change('/activity/read', { id: before.items[0]!.id });
  await adoptCopy({ db: restored.db });
  const after = await pageOf(member);
  expect(after.items.slice(1)).toEqual(before.items);
  expect(after.items[0]).toEqual({
    id: expect.any(Number),
    at: expect.any(String),
    kind: 'account.server_restored',
    actor: '(operator)',
    detail: before.items[0]!.at,
  });
  expect(after.unread).toBe(1);
  expect((await pageOf(owner)).items[0]).toMatchObject({ kind: 'account.server_restored' });
});

describe('both owners see', () => {
  test('an invitation that is sent and accepted; the sender sees the name from then on', async () => {
    const { swarm, device } = await harbour();
    await ben.accept(await ann.invite(swarm, device, 'producer'));
    expect(await entriesOf(ben)).toEqual([
      'ann invitation.sent Buoy Harbour producer',
      'ben invitation.accepted Buoy Harbour producer',
    ]);
    expect(await entriesOf(ann)).toEqual([
      'ann invitation.sent (hidden) Harbour producer',
      'ben invitation.accepted Buoy Harbour producer',
    ]);
    expect(await entriesOf(eve)).toEqual([]);
  });

  test('an earlier end than the one that was offered, and none that is as offered', async () => {
    const { swarm, device } = await harbour();
    const other = await ben.device({ name: 'Gauge' });
    const [offered, chosen] = [2, 1].map((hours) => new Date(server.now().getTime() + hours * hourMs).toISOString());
    const accept = async (resource: Resource, answer: object) => {
      const { id } = await ann.make<Invitation>(`/swarms/${swarm.id}/invitations`, {
        to: 'ben',
        resource_id: resource.id,
        resource_type: 'producer',
        ends_at: offered,
      });
      await ben.change(`/resources/${resource.id}/invitations/${id}`, { status: 'accept', ...answer });
    };
    await accept(device, { ends_at: chosen });
    await accept(other, {});
    expect((await entriesOf(ann)).filter((line) => !line.includes('invitation.sent'))).toEqual([
      `ben invitation.accepted Buoy Harbour producer\n${chosen}`,
      'ben invitation.accepted Gauge Harbour producer',
    ]);
    // The clock of a later test passes its end, of which the server tells ben.
    await ann.remove(`/swarms/${swarm.id}`);
  });

  test('an invitation that is rejected, and one that is withdrawn, without the name', async () => {
    const { swarm, device } = await harbour();
    await ben.reject(await ann.invite(swarm, device));
    await ann.withdraw(await ann.invite(swarm, device));
    const lines = ['sent', 'rejected', 'sent', 'withdrawn'].map(
      (kind) => `${kind === 'rejected' ? 'ben' : 'ann'} invitation.${kind}`,
    );
    expect(await entriesOf(ben)).toEqual(lines.map((line) => `${line} Buoy Harbour consumer`));
    expect(await entriesOf(ann)).toEqual(lines.map((line) => `${line} (hidden) Harbour consumer`));
  });

  test('an invitation that is sent again', async () => {
    const { swarm, device } = await harbour();
    await ann.invite(swarm, device);
    server.wait(hourMs + 1);
    await ann.invite(swarm, device);
    // Not recorded: entries that another user causes as often as they like would push out all others.
    await ann.invite(swarm, device);
    const before = (await pageOf(ben)).unread;
    expect(await entriesOf(ben)).toEqual(
      ['sent', 'resent'].map((kind) => `ann invitation.${kind} Buoy Harbour consumer`),
    );
    expect(await entriesOf(ann)).toEqual(
      ['sent', 'resent'].map((kind) => `ann invitation.${kind} (hidden) Harbour consumer`),
    );
    expect((await pageOf(ben)).unread).toBe(before);
  });

  test('a changed role and a removed member, and who did it', async () => {
    const { swarm, device } = await harbour();
    for (const role of ['producer', 'consumer'] as const) await ben.accept(await ann.invite(swarm, device, role));
    await reset();
    await ann.role(swarm, device, 'producer');
    await ann.leave(swarm, device);
    const lines = ['ann member.role_changed Buoy Harbour producer', 'ann member.removed Buoy Harbour producer'];
    expect(await entriesOf(ben)).toEqual(lines);
    expect(await entriesOf(ann)).toEqual(lines);
  });

  test('a device that leaves, and one that is deleted', async () => {
    const { swarm, device } = await harbour();
    const other = await ben.device({ name: 'Crane' });
    for (const each of [device, other]) await ben.accept(await ann.invite(swarm, each));
    await reset();
    await ben.leave(swarm, device);
    await ben.destroy('resources', other);
    expect(await entriesOf(ben)).toEqual(['ben member.removed Buoy Harbour consumer', 'ben resource.deleted Crane']);
    expect(await entriesOf(ann)).toEqual([
      'ben member.removed Buoy Harbour consumer',
      'ben resource.deleted Crane Harbour',
    ]);
  });

  test('a deleted swarm', async () => {
    const { swarm, device } = await harbour();
    await ben.accept(await ann.invite(swarm, device));
    await reset();
    await ann.destroy('swarms', swarm);
    expect(await entriesOf(ben)).toEqual(['ann swarm.deleted Harbour Buoy']);
    expect(await entriesOf(ann)).toEqual(['ann swarm.deleted Harbour']);
  });

  test('a deleted swarm, if they were invited, with the names of their devices', async () => {
    const swarm = await ann.swarm({ name: 'Harbour' });
    const names = Array.from({ length: 12 }, (_, index) => `Sensor ${index + 1}`);
    const devices = await Promise.all(names.map((name) => ben.device({ name })));
    for (const each of devices.slice(1)) await ann.invite(swarm, each);
    await ann.invite(swarm, devices[1]!, 'producer');
    await ben.accept(await ann.invite(swarm, devices[0]!));
    const rejected = await ann.invite(swarm, await eve.device({ name: 'Crane' }));
    await eve.reject(rejected);
    await ann.add(swarm, await ann.device({ name: 'Gate' }));
    await reset();
    await ann.destroy('swarms', swarm);
    expect(await ben.get('/invitations')).not.toContainEqual(expect.objectContaining({ swarm_id: swarm.id }));
    expect(await entriesOf(ben)).toEqual([`ann swarm.deleted Harbour ${names.slice(0, 10).join(', ')}, …`]);
    expect(await entriesOf(ann)).toEqual(['ann swarm.deleted Harbour']);
    // Who has rejected sees nothing of the swarm any more.
    expect(await entriesOf(eve)).toEqual([]);
  });
});

describe('an owner sees', () => {
  test('renamed records with both names, visibility, and devices changed with a key, but no other change', async () => {
    const { swarm, device } = await harbour();
    await ben.change(`/resources/${device.id}`, { name: 'Buoy', description: 'red' });
    await ben.change(`/resources/${device.id}`, { name: 'Beacon', position: { longitude: 1, latitude: 2 } });
    await ann.change(`/swarms/${swarm.id}`, { name: 'Port', public: true });
    await ann.change(`/swarms/${swarm.id}`, { public: true, description: 'all' });
    await ann.change(`/swarms/${swarm.id}`, { public: false });
    expect(await entriesOf(ben)).toEqual(['ben resource.changed Buoy test', 'ben resource.renamed Beacon Buoy']);
    expect(await entriesOf(ann)).toEqual([
      'ann swarm.renamed Port Harbour',
      'ann swarm.published Port',
      'ann swarm.unpublished Port',
    ]);
  });

  test('which key has changed a device, once an hour, and neither positions nor what a browser changes', async () => {
    const user = await server.signUp('ada');
    const [ada, browser] = (['direct', 'gateway'] as const).map((entryPoint) =>
      createServiceClient('ada', (asked) => server.request(entryPoint, user, asked)),
    ) as [ServiceClient, ServiceClient];
    const ofDevice = async () => (await pageOf(ada, '?topic=resource')).items;
    const path = `/resources/${(await ada.device({ name: 'Buoy' })).id}`;
    await ada.change(path, { description: '1', keep_values: 'sent_at' });
    const entries = await ofDevice();
    expect(entries.map(lineOf)).toEqual(['ada resource.changed Buoy test']);
    await ada.change(path, { description: '2' });
    await ada.change(path, { position: { longitude: 1, latitude: 2 } });
    await browser.change(path, { description: '3' });
    server.wait(hourMs);
    // Nothing is different.
    await ada.change(path, { description: '3' });
    expect(await ofDevice()).toEqual(entries);

    await ada.change(path, { description: '4' });
    const [later, ...before] = await ofDevice();
    expect([lineOf(later!), before]).toEqual(['ada resource.changed Buoy test', []]);
    expect(later!.at > entries[0]!.at).toBe(true);
  });

  test('own devices that are added', async () => {
    const swarm = await ann.swarm({ name: 'Harbour' });
    await ann.add(swarm, await ann.device({ name: 'Buoy' }), 'both');
    expect(await entriesOf(ann)).toEqual(['ann member.added Buoy Harbour both']);
  });

  test('keys, sign-ins and password changes', async () => {
    const json = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
    const signIn = { username: 'eve', password };
    const signedIn = await server.fetch('/auth/sign-in/username', {
      method: 'POST',
      headers: { ...json, 'user-agent': 'Netscape 4' },
      body: JSON.stringify(signIn),
    });
    const cookie = signedIn.headers.getSetCookie().map((entry) => entry.split(';')[0]);
    const headers = { ...json, cookie: cookie.join('; ') };
    const body = JSON.stringify({ name: 'tide gauge' });
    const key = (await (await server.fetch('/api/account/keys', { method: 'POST', headers, body })).json()) as {
      id: string;
    };
    await server.fetch(`/api/account/keys/${key.id}`, { method: 'DELETE', headers });
    await server.fetch('/auth/change-password', {
      method: 'POST',
      headers,
      body: JSON.stringify({ currentPassword: password, newPassword: `${password}!`, revokeOtherSessions: false }),
    });
    expect(await entriesOf(eve)).toEqual([
      'eve account.signed_in_new password\nNetscape 4',
      'eve account.key_created tide gauge',
      'eve account.key_revoked tide gauge',
      'eve account.password_changed',
    ]);
  });
});

test('commands of the operator are logged as the operator, and are unread', async () => {
  const before = (await pageOf(eve)).unread;
  await server.app.operator.createKey({ user: 'eve', name: 'tide gauge' });
  await server.app.operator.setPassword({ name: 'eve', password: `${password}?` });
  expect(await entriesOf(eve)).toEqual([
    '(operator) account.key_created tide gauge',
    '(operator) account.password_changed',
  ]);
  expect((await pageOf(eve)).unread).toBe(before + 2);
});

test('a write that fails leaves no entry', async () => {
  const { swarm, device } = await harbour();
  await ann.add(swarm, device);
  await ann.request({
    method: 'PUT',
    path: `/swarms/${swarm.id}`,
    body: { name: 'Port' },
    headers: { 'if-match': '"9"' },
  });
  expect(await entriesOf(ann)).toEqual([]);
});

test('entries of other users are unread until they are marked as read, and never become unread again', async () => {
  const { swarm, device } = await harbour();
  const before = (await pageOf(ben)).unread;
  await ben.accept(await ann.invite(swarm, device));
  expect((await pageOf(ben)).unread).toBe(before);
  await ann.leave(swarm, device);
  const { items, unread } = await pageOf(ben);
  expect(unread).toBe(before + 1);
  await ben.change('/activity/read', { id: items[0]!.id });
  await ben.change('/activity/read', { id: 1 });
  expect((await pageOf(ben)).unread).toBe(0);
});

test('what another user does to several devices counts once', async () => {
  const swarm = await ann.swarm();
  const link = await ann.link(swarm);
  const before = (await pageOf(ann)).unread;
  for (let joined = 0; joined < 3; joined += 1) await ben.join(await ben.open(link), await ben.device());
  expect((await pageOf(ann)).unread).toBe(before + 1);
  await eve.join(await eve.open(link), await eve.device());
  expect((await pageOf(ann)).unread).toBe(before + 2);
});

test('entries after those of more devices than are counted are counted', async () => {
  await ben.change('/activity/read', { id: Number.MAX_SAFE_INTEGER });
  const { read, unread } = await pageOf(ben);
  const kinds = [...Array.from({ length: 1000 }, () => 'member.added'), 'member.removed', 'swarm.deleted'];
  const sql = `INSERT INTO activity (user_id, seq, at, kind, actor, resource_id, swarm_id)
    VALUES ('ben', $1, $2, $3, 'ann', $4, 'harbour')`;
  const at = server.now().toISOString();
  await server.db.write(kinds.map((kind, index) => ({ sql, params: [read + 1 + index, at, kind, `device ${index}`] })));
  expect((await pageOf(ben)).unread).toBe(unread + 3);
});

test('a page that ends within a bulk action says how many entries of it follow, until another one or a gap', async () => {
  const { items } = await pageOf(ben, '?limit=1');
  const first = (items[0]?.id ?? 0) + 1;
  const now = server.now().getTime();
  /** Oldest first: the detail, and how many seconds ago. */
  const entries = [
    ['consumer', 400],
    ['producer', 400],
    ['producer', 300],
    ['producer', 100],
    ['producer', 10],
    ['producer', 10],
    ['producer', 9],
  ] as const;
  const sql = `INSERT INTO activity (user_id, seq, at, kind, actor, resource_id, resource_owner, swarm_id, swarm_name, detail)
    VALUES ('ben', $1, $2, 'member.added', 'ann', $3, 'ben', 'harbour', 'Harbour', $4)`;
  await server.db.write(
    entries.map(([detail, ago], index) => ({
      sql,
      params: [first + index, new Date(now - ago * 1000).toISOString(), `device ${index}`, detail],
    })),
  );
  const more = async (query: string) => (await pageOf(ben, query)).more;
  expect(await more('?limit=1&swarm_id=harbour')).toBe(3);
  expect(await more('?limit=4&swarm_id=harbour')).toBe(0);
  expect(await more('?limit=5&swarm_id=harbour')).toBe(1);
  expect(await more('?limit=7&swarm_id=harbour')).toBe(0);
  expect(await more('?limit=1&resource_id=device%206')).toBe(0);
});

test('an entry has a greater id than all that were read, also after the log was emptied', async () => {
  const { swarm, device } = await harbour();
  await ben.accept(await ann.invite(swarm, device));
  const [newest] = (await pageOf(ben)).items;
  await ben.change('/activity/read', { id: newest!.id });
  await server.db.write([{ sql: "DELETE FROM activity WHERE user_id = 'ben'" }]);
  await ann.leave(swarm, device);
  const page = await pageOf(ben);
  expect(page.items[0]!.id).toBeGreaterThan(newest!.id);
  expect(page.unread).toBe(1);
});

test('own keys and the end of an own import are not unread', async () => {
  await ben.change('/activity/read', { id: Number.MAX_SAFE_INTEGER });
  const { read } = await pageOf(ben);
  const sql = `INSERT INTO activity (user_id, seq, at, kind, actor, amount) VALUES ('ben', $1, $2, $3, $4, 2)`;
  const at = server.now().toISOString();
  const entries = [
    ['account.key_created', 'ben'],
    ['resource.imported', '(server)'],
    ['resource.silent', '(server)'],
  ];
  await server.db.write(entries.map((entry, index) => ({ sql, params: [read + 1 + index, at, ...entry] })));
  expect((await pageOf(ben)).unread).toBe(1);
});

test('only entries that exist are marked as read', async () => {
  const { swarm, device } = await harbour();
  await ben.accept(await ann.invite(swarm, device));
  await ben.change('/activity/read', { id: Number.MAX_SAFE_INTEGER });
  await ann.leave(swarm, device);
  expect((await pageOf(ben)).unread).toBe(1);
});

test('a role that does not change is not recorded', async () => {
  const { swarm, device } = await harbour();
  await ben.accept(await ann.invite(swarm, device));
  await reset();
  const etagOf = async () => (await ann.request({ path: `/swarms/${swarm.id}` })).headers.get('etag');
  const before = await etagOf();
  await ben.change(`/swarms/${swarm.id}/resources/${device.id}`, { resource_type: 'consumer' });
  expect([await entriesOf(ann), await etagOf()]).toEqual([[], before]);
});

test('filters by device, swarm and topic, and reads page by page', async () => {
  const { swarm, device } = await harbour();
  const other = await ben.device({ name: 'Crane' });
  await ben.accept(await ann.invite(swarm, device));
  await ben.accept(await ann.invite(swarm, other));
  await ben.leave(swarm, other);
  const lines = async (query: string) => (await pageOf(ben, query)).items.map(lineOf);
  expect(await lines(`?resource_id=${device.id}`)).toHaveLength(2);
  expect(await lines(`?swarm_id=${swarm.id}&topic=member`)).toEqual(['ben member.removed Crane Harbour consumer']);
  const all = (await pageOf(ben, '?limit=200')).items;
  const paged: Activity[] = [];
  for (let before: number | null = all[0]!.id + 1; before !== null;) {
    const page: ActivityPage = await pageOf(ben, `?limit=3&before=${before}`);
    paged.push(...page.items);
    before = page.next;
  }
  expect(paged).toEqual(all);
});

test('a device that loses a role and gets it again keeps its first entries, with both roles', async () => {
  const { swarm, device } = await harbour();
  for (const role of ['producer', 'consumer'] as const) await ben.accept(await ann.invite(swarm, device, role));
  const joined = await entriesOf(ben);
  await ann.role(swarm, device, 'producer');
  await ben.accept(await ann.invite(swarm, device, 'consumer'));
  expect((await entriesOf(ben)).slice(0, 4)).toEqual(joined);
});

describe('what is repeated within a day', () => {
  test('has the last ten entries about a membership, and otherwise one, apart for each kind, role, device, swarm and user', async () => {
    const at = server.now().toISOString();
    const row = {
      at,
      kind: 'invitation.withdrawn',
      actor: 'ben',
      device: 'buoy',
      swarm: 'harbour',
      detail: 'producer',
    };
    const others = [
      { kind: 'invitation.sent' },
      { detail: 'consumer' },
      { device: 'crane' },
      { swarm: 'quay' },
      { actor: 'ann' },
      { at: new Date(Date.parse(at) + dayMs).toISOString() },
    ];
    const ofKey = { ...row, kind: 'resource.changed', detail: 'key' };
    const sql = `INSERT INTO activity (user_id, seq, at, kind, actor, resource_id, swarm_id, detail)
      VALUES ('again', $1, $2, $3, $4, $5, $6, $7)`;
    const rows = [
      ...Array.from({ length: 11 }, () => row),
      ...others.map((other) => ({ ...row, ...other })),
      ofKey,
      ofKey,
    ];
    await server.db.write(rows.map((each, index) => ({ sql, params: [index + 1, ...Object.values(each)] })));
    const all = `SELECT count(*) AS count FROM activity WHERE user_id = 'again'`;
    expect(await server.db.read({ sql: all })).toEqual([{ count: 10 + others.length + 1 }]);
  });

  test('is one entry if it is a rename: it has the first and the last name, and names that come back', async () => {
    const device = await ben.device({ name: 'Buoy' });
    for (const name of ['Crane', 'Gauge']) await ben.change(`/resources/${device.id}`, { name });
    expect(await entriesOf(ben)).toEqual(['ben resource.renamed Gauge Buoy']);
    await ben.change(`/resources/${device.id}`, { name: 'Buoy' });
    expect(await entriesOf(ben)).toEqual(['ben resource.renamed Buoy Gauge']);
  });

  test('has all entries if it is a sign-in', async () => {
    for (let round = 0; round < 2; round++) await server.app.operator.setPassword({ name: 'eve', password });
    expect(await entriesOf(eve)).toHaveLength(2);
  });
});

describe('the log is bounded', () => {
  const insert = (userId: string, seq: number, at: string, { kind = 'swarm.deleted', actor = 'ben' } = {}) => ({
    sql: 'INSERT INTO activity (user_id, seq, at, kind, actor, swarm_id) VALUES ($1, $2, $3, $4, $5, $6)',
    params: [userId, seq, at, kind, actor, `swarm ${seq}`],
  });
  const countOf = async (userId: string) => {
    const query = { sql: 'SELECT count(*) AS count FROM activity WHERE user_id = $1', params: [userId] };
    return (await server.db.read<{ count: number }>(query))[0]!.count;
  };

  test('to the newest 10,000 entries of others, who push out no entry of the user', async () => {
    const at = server.now().toISOString();
    const own = { kind: 'resource.deleted', actor: 'many' };
    await server.db.write([
      insert('many', 1, at, { kind: 'account.signed_in', actor: 'many' }),
      insert('many', 2, at, own),
      ...Array.from({ length: 10_350 }, (_, index) => insert('many', index + 3, at)),
    ]);
    // The oldest are deleted for each 256th entry.
    const count = (await countOf('many')) - 2;
    expect(count).toBeGreaterThanOrEqual(10_000);
    expect(count).toBeLessThan(10_000 + 256);
    const oldest = { sql: `SELECT kind FROM activity WHERE user_id = 'many' ORDER BY seq LIMIT 2` };
    expect(await server.db.read(oldest)).toEqual([{ kind: 'account.signed_in' }, { kind: 'resource.deleted' }]);
  });

  test('to the newest 1,000 entries about the account', async () => {
    const at = server.now().toISOString();
    const signedIn = { kind: 'account.signed_in', actor: 'often' };
    await server.db.write(Array.from({ length: 1400 }, (_, index) => insert('often', index + 1, at, signedIn)));
    const count = await countOf('often');
    expect(count).toBeGreaterThanOrEqual(1000);
    expect(count).toBeLessThan(1000 + 256);
  });

  test('moves add no entries', async () => {
    const device = await ben.device({ name: 'Buoy' });
    const move = (index: number) =>
      ben.change(`/resources/${device.id}`, { position: { longitude: index / 100, latitude: 54 } });
    for (let from = 0; from < 1000; from += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, index) => move(from + index)));
    }
    const sql = 'SELECT kind FROM activity WHERE resource_id = $1';
    expect(await server.db.read({ sql, params: [device.id] })).toEqual([]);
  });

  test('to 90 days', async () => {
    const { items } = await pageOf(ann);
    expect(items).not.toEqual([]);
    server.wait(91 * dayMs);
    expect(await pageOf(ann)).toMatchObject({ items: [], next: null, unread: 0 });
    await server.app.tidy();
    expect(await countOf('ann')).toBe(0);
    expect(await countOf('many')).toBe(0);
  });
});
