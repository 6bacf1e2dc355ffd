// stores: SQLite, PostgreSQL
/** What a guest of a link that shows a swarm sees: only members whose owners allow it, while they allow it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type {
  ActivityPage,
  Audience,
  Invitation,
  ListedMember,
  NewShareLink,
  Resource,
  ShareLink,
  Swarm,
} from '../../contract.ts';
import { hourMs } from '../../core/limits/durations.ts';
import { audienceLimits } from '../../core/limits/part-limits.ts';
import { join, type TestUser } from '../../tests/events.fixture.ts';
import { codeOf, lookAt } from '../../tests/guests.fixture.ts';
import { startHttpServer, type HttpTestServer } from '../../tests/http-server.fixture.ts';
import { expectInvariants } from '../../tests/invariants.fixture.ts';
import { opening } from '../../tests/service-client.fixture.ts';
import type { JoinOffer, JoinRequest } from '../../tests/records.fixture.ts';

let server: HttpTestServer;
let ann: TestUser;
let ola: TestUser;
beforeAll(async () => {
  server = await startHttpServer();
  [ann, ola] = [await join(server.url, 'ann'), await join(server.url, 'ola')];
});
afterAll(async () => {
  await expectInvariants(server.db);
  await server[Symbol.asyncDispose]();
});

let waited = 0;
const inMs = (ms: number) => new Date(Date.now() + waited + ms).toISOString();
const allowed = { shown_by_links: true };

const swarmOf = (user: TestUser, more: object = {}) =>
  user.request<Swarm>('POST', '/swarms', { name: 'Secret race', description: 'Nobody knows', ...more });
const deviceOf = (user: TestUser, name: string) =>
  user.request<Resource>('POST', '/resources', {
    name,
    machine_type: 'smartphone',
    description: 'a secret',
    position: { longitude: 8, latitude: 54 },
  });
const share = (user: TestUser, { id }: Swarm, more: object = {}) =>
  user.request<NewShareLink>('POST', `/swarms/${id}/share-links`, {
    name: 'For the web page',
    expires_at: inMs(hourMs),
    ...more,
  });
const look = (link: NewShareLink) => lookAt(server.url, codeOf(link));
const move = (user: TestUser, { id }: Resource, latitude: number) =>
  user.request('PUT', `/resources/${id}`, { position: { longitude: 8, latitude } });
const pathOf = ({ id }: Swarm, device: Resource) => `/swarms/${id}/resources/${device.id}`;
const allow = (user: TestUser, swarm: Swarm, device: Resource, shown_by_links: boolean) =>
  user.request('PUT', pathOf(swarm, device), { resource_type: 'producer', shown_by_links });
async function invite(swarm: Swarm, device: Resource, terms: object = {}, role = 'producer') {
  const { id } = await ola.request<Invitation>('POST', `/swarms/${swarm.id}/invitations`, {
    to: device.user_id,
    resource_id: device.id,
    resource_type: role,
  });
  return ann.request('PUT', `/resources/${device.id}/invitations/${id}`, { status: 'accept', ...terms });
}
async function member(user: TestUser, swarm: Swarm, device: Resource) {
  const all = await user.request<ListedMember[]>('GET', `/swarms/${swarm.id}/resources`);
  return all.find(({ resource_id }) => resource_id === device.id);
}
/** Ola gives the swarm to this user. */
async function handOver({ id }: Swarm, user_id: string, user: TestUser) {
  await ola.request('POST', `/swarms/${id}/managers`, { user_id });
  await user.request('PUT', `/swarms/${id}/managers/${user_id}`, { status: 'agreed' });
  await ola.request('PUT', `/swarms/${id}/handover`, { user_id });
  await user.request('PUT', `/swarms/${id}/owner`, { user_id });
}
/** A swarm of Ola's with a device of Ann's that links show, and one that they do not. */
async function race() {
  const swarm = await swarmOf(ola);
  const [shown, hidden] = [await deviceOf(ann, 'Shown'), await deviceOf(ann, 'Hidden')];
  await invite(swarm, shown, allowed);
  await invite(swarm, hidden);
  return { swarm, shown, hidden };
}

// First: there is a pause after each swarm that has changed.
test('owners of shown devices are told of the first link, see how many are open, and others are not told', async () => {
  const lost = randomUUID();
  const { swarm, shown, hidden } = await race();
  const max = await join(server.url, 'max');
  const other = await deviceOf(max, 'Other');
  const { id } = await ola.request<Invitation>('POST', `/swarms/${swarm.id}/invitations`, {
    to: 'max',
    resource_id: other.id,
    resource_type: 'producer',
  });
  await max.request('PUT', `/resources/${other.id}/invitations/${id}`, { status: 'accept' });
  const gather = async (ms: number) => {
    await server.audience.round();
    waited += ms;
    server.wait(ms);
    await server.audience.round();
  };
  await gather(audienceLimits.pairMs);
  // The answer of the first one is lost.
  for (const attempt of [lost, lost, randomUUID()]) await share(ola, swarm, { attempt });
  await gather(audienceLimits.togetherMs);
  const told = async (user: TestUser) =>
    (await user.request<ActivityPage>('GET', '/activity?topic=swarm&limit=200')).items
      .filter((entry) => entry.kind === 'swarm.audience_grown' && entry.swarm?.id === swarm.id)
      .map(({ detail }) => detail);
  expect([await told(ann), await told(max)]).toEqual([['guests'], []]);
  const audience = async (user: TestUser, device: Resource) =>
    (await user.request<Audience>('GET', `/resources/${device.id}/audience`)).items[0]!;
  expect(await audience(ann, shown)).toMatchObject({ guest_links: 2, shown_by_links: true });
  expect(await audience(ann, hidden)).toMatchObject({ guest_links: 2, shown_by_links: false });
  expect(await audience(ola, shown)).not.toHaveProperty('shown_by_links');
});

test('a guest sees the members whose owners allow it, and nothing of the swarm, of others or of owners', async () => {
  const { swarm, shown, hidden } = await race();
  const link = await share(ola, swarm);
  expect(link.resources).toBe(1);
  const guest = await look(link);
  const opened = await guest.until('opened');
  expect(opened).toEqual({
    type: 'opened',
    now: expect.any(String) as string,
    shared_by: 'ola',
    expires_at: link.expires_at,
    shows: 'swarm',
    devices: [
      {
        key: expect.any(Number) as number,
        name: 'Shown',
        machine_type: 'smartphone',
        position: { longitude: 8, latitude: 54 },
        accuracy: null,
        located_at: expect.any(String) as string,
      },
    ],
  });
  await move(ann, hidden, 60);
  await move(ann, shown, 55);
  await guest.until('changed', ({ devices }) => devices[0]?.position?.latitude === 55);
  const sent = JSON.stringify(guest.events);
  for (const secret of [swarm.id, shown.id, hidden.id, link.id, 'ann', 'Secret race', 'Nobody', 'a secret', 'web page'])
    expect(sent).not.toContain(secret);
  expect((await ola.request<ShareLink[]>('GET', `/swarms/${swarm.id}/share-links`))[0]).toMatchObject({ viewers: 1 });
  const other = await look(await share(ola, swarm));
  const { devices } = await other.until('opened');
  expect(devices[0]!.key).not.toBe(opened.devices[0]!.key);
  [guest, other].forEach(({ close }) => close());
});

describe('the owner of a device allows it', () => {
  type Join = (swarm: Swarm, device: Resource, terms: object, role?: 'producer' | 'consumer') => Promise<unknown>;
  const ways: [string, Join][] = [
    ['when accepting an invitation', invite],
    [
      'when joining by a link',
      async (swarm, device, terms, role = 'producer') => {
        const { url } = await ola.request<{ url: string }>('POST', `/swarms/${swarm.id}/links`, {
          name: 'Door',
          resource_type: role,
        });
        const { id, pass } = await ann.request<JoinOffer>('GET', opening({ url }));
        await ann.request('POST', `/links/${id}/resources`, { pass, resource_id: device.id, ...terms });
      },
    ],
    [
      'when asking to join',
      async (swarm, device, terms, role = 'producer') => {
        await ola.request('PUT', `/swarms/${swarm.id}`, { public: true });
        const asked = await ann.request<JoinRequest>('POST', `/swarms/${swarm.id}/requests`, {
          resource_id: device.id,
          resource_type: role,
          ...terms,
        });
        expect(JSON.stringify(await ola.request('GET', `/swarms/${swarm.id}/requests`))).not.toContain(
          'shown_by_links',
        );
        await ola.request('PUT', `/swarms/${swarm.id}/requests/${asked.id}`, { status: 'accept' });
      },
    ],
  ];
  test.each(ways)('%s, and only then', async (_, joins) => {
    for (const terms of [allowed, {}]) {
      const swarm = await swarmOf(ola);
      const device = await deviceOf(ann, 'Boat');
      await joins(swarm, device, terms);
      const isShown = terms === allowed;
      expect((await member(ann, swarm, device))?.shown_by_links ?? false).toBe(isShown);
      expect(await member(ola, swarm, device)).not.toHaveProperty('shown_by_links');
      const guest = await look(await share(ola, swarm));
      expect((await guest.until('opened')).devices).toHaveLength(isShown ? 1 : 0);
      guest.close();
    }
  });

  const add: Join = (swarm, device, terms, role = 'producer') =>
    ola.request('POST', `/swarms/${swarm.id}/resources`, { resource_id: device.id, resource_type: role, ...terms });

  test('when adding it to an own swarm', async () => {
    const swarm = await swarmOf(ola);
    const device = await deviceOf(ola, 'Committee');
    await add(swarm, device, allowed);
    expect(await member(ola, swarm, device)).toMatchObject(allowed);
  });

  const secondRole = [
    ['is as it was', { before: true, terms: {}, after: true, noted: [] }],
    ['is as it was', { before: false, terms: {}, after: false, noted: [] }],
    ['is shown', { before: false, terms: allowed, after: true, noted: ['member.shown'] }],
    [
      'is not shown any more',
      { before: true, terms: { shown_by_links: false }, after: false, noted: ['member.hidden'] },
    ],
    ['is as it was', { before: true, terms: allowed, after: true, noted: [] }],
  ] as const;
  describe.each([...ways, ['when adding it to an own swarm', add] as [string, Join]])(
    '%s in its other role',
    (_, joins) => {
      test.each(secondRole)('it %s: %o', async (_state, { before, terms, after, noted }) => {
        const owner = joins === add ? ola : ann;
        const swarm = await swarmOf(ola);
        const device = await deviceOf(owner, 'Boat');
        await joins(swarm, device, { shown_by_links: before });
        await joins(swarm, device, terms, 'consumer');
        const joined = (await member(owner, swarm, device))!;
        expect(joined).toMatchObject({ resource_type: 'both' });
        expect(joined.shown_by_links ?? false).toBe(after);
        for (const user of [owner, ola]) {
          const { items } = await user.request<ActivityPage>('GET', '/activity?topic=member&limit=200');
          const kinds = items.filter(({ resource }) => resource?.id === device.id).map(({ kind }) => kind);
          expect(kinds.filter((kind) => /shown|hidden/.test(kind))).toEqual(noted);
        }
      });
    },
  );
});

test('on and off at any time, which open pages show at once, and Activity too', async () => {
  const { swarm, shown, hidden } = await race();
  const guest = await look(await share(ola, swarm));
  await guest.until('opened');
  await allow(ann, swarm, hidden, true);
  await guest.until('changed', ({ devices }) => devices[0]?.name === 'Hidden');
  expect(guest.shown()).toEqual(['Hidden', 'Shown']);
  await allow(ann, swarm, shown, false);
  await guest.until('changed', ({ gone }) => gone?.length === 1);
  expect(guest.shown()).toEqual(['Hidden']);
  const before = guest.events.length;
  await move(ann, shown, 70);
  await move(ann, hidden, 71);
  await guest.until('changed', ({ devices }) => devices[0]?.position?.latitude === 71);
  expect(JSON.stringify(guest.events.slice(before))).not.toContain('Shown');
  const { items } = await ann.request<ActivityPage>('GET', '/activity?topic=member&limit=200');
  const changes = items.filter(({ resource }) => [shown.id, hidden.id].includes(resource!.id)).map(({ kind }) => kind);
  expect(changes.slice(0, 2)).toEqual(['member.hidden', 'member.shown']);
  guest.close();
});

test('nobody else sets it, and a member that was sent back as it was read stays as it is', async () => {
  const { swarm, shown, hidden } = await race();
  const put = (device: Resource, body: object) =>
    fetch(`${server.url}/service${pathOf(swarm, device)}`, {
      method: 'PUT',
      headers: { 'x-serviceapikey': ola.key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const answer = await put(hidden, { resource_type: 'producer', shown_by_links: true });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain('can only be set by the owner of the resource');
  expect((await put(shown, (await member(ola, swarm, shown))!)).status).toBe(200);
  expect(await member(ann, swarm, shown)).toMatchObject(allowed);
  expect(await member(ann, swarm, hidden)).not.toHaveProperty('shown_by_links');
});

describe('a member is taken away', () => {
  const ways: Record<string, (swarm: Swarm, device: Resource) => Promise<unknown>> = {
    'when it leaves': (swarm, device) => ann.request('DELETE', pathOf(swarm, device)),
    'when it is removed': (swarm, device) => ola.request('DELETE', pathOf(swarm, device)),
    'with its device': (_swarm, device) => ann.request('DELETE', `/resources/${device.id}`),
    'at its end, which the database says': (swarm, device) =>
      server.db.write([
        {
          sql: 'UPDATE memberships SET ends_at = $1 WHERE swarm_id = $2 AND resource_id = $3',
          params: ['2020-01-01T00:00:00.000Z', swarm.id, device.id],
        },
      ]),
  };
  test.each(Object.keys(ways))('%s', async (way) => {
    const { swarm, shown } = await race();
    const guest = await look(await share(ola, swarm));
    await guest.until('opened');
    await ways[way]!(swarm, shown);
    await guest.until('changed', ({ gone }) => gone?.length === 1);
    expect(guest.shown()).toEqual([]);
    guest.close();
  });
});

describe('a link ends at once', () => {
  const ways: Record<string, (swarm: Swarm, link: NewShareLink) => Promise<unknown>> = {
    'when its owner ends it': (swarm, { id }) => ola.request('DELETE', `/swarms/${swarm.id}/share-links/${id}`),
    'with the swarm': ({ id }) => ola.request('DELETE', `/swarms/${id}`),
    'when the swarm has another owner': (swarm) => handOver(swarm, 'ann', ann),
  };
  test.each(Object.keys(ways))('%s', async (way) => {
    const { swarm, shown } = await race();
    const link = await share(ola, swarm);
    const guest = await look(link);
    await guest.until('opened');
    await ways[way]!(swarm, link);
    await guest.until('ended');
    expect((await look(link)).status).toBe(404);
    expect(await server.db.read({ sql: 'SELECT 1 FROM share_links WHERE id = $1', params: [link.id] })).toEqual([]);
    expect(shown.id).toBeDefined();
  });
});

test('what links of the swarm may show stays when it has another owner', async () => {
  const { swarm, shown } = await race();
  const next = await join(server.url, 'next');
  await handOver(swarm, 'next', next);
  const guest = await look(await share(next, swarm));
  await guest.until('opened');
  expect(guest.shown()).toHaveLength(1);
  expect(await member(ann, swarm, shown)).toHaveProperty('shown_by_links', true);
  guest.close();
});

test('a device that is handed over to the owner of the swarm is not shown any more', async () => {
  const { swarm, shown } = await race();
  const guest = await look(await share(ola, swarm));
  await guest.until('opened');
  await server.db.write([{ sql: 'UPDATE resources SET user_id = $1 WHERE id = $2', params: ['ola', shown.id] }]);
  await move(ola, shown, 55);
  await guest.until('changed', ({ gone }) => gone?.length === 1);
  expect(await member(ola, swarm, shown)).not.toHaveProperty('shown_by_links');
  guest.close();
});
