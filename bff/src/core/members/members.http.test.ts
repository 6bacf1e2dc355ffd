// stores: SQLite, PostgreSQL in the long run
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ListedMember, Problem, Resource, Swarm } from '../../contract.ts';
import { hourMs } from '../limits/durations.ts';
import { outcomeOf, signUpClient, type ServiceClient } from '../../tests/service-client.fixture.ts';
import { createTestServer, type TestServer } from '../../tests/test-server.fixture.ts';

let server: TestServer;
let ann: ServiceClient;
let ben: ServiceClient;
let swarm: Swarm;
let own: Resource;
let theirs: Resource;
beforeAll(async () => {
  server = await createTestServer();
  ann = await signUpClient(server, 'ann');
  ben = await signUpClient(server, 'ben');
  own = await ann.device();
  theirs = await ben.device();
});
afterAll(() => server[Symbol.asyncDispose]());

describe('adding a device', () => {
  test('of another user is rejected, even if it is already in the swarm', async () => {
    swarm = await ann.swarm();
    await ben.accept(await ann.invite(swarm, theirs));
    expect(await outcomeOf(await ann.add(swarm, theirs, 'consumer'))).toBe('400 body.invalid');
  });

  test('twice concurrently creates one member', async () => {
    swarm = await ann.swarm();
    const answers = await Promise.all(Array.from({ length: 20 }, () => ann.add(swarm, own)));
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    expect((await ann.request({ path: `/swarms/${swarm.id}` })).headers.get('etag')).toBe('"2"');
  });

  test('while the swarm is destroyed fails with "not found"', async () => {
    for (let round = 0; round < 10; round++) {
      swarm = await ann.swarm();
      const [, added] = await Promise.all([ann.destroy('swarms', swarm), ann.add(swarm, own)]);
      expect(['201', '404 swarm.not_found']).toContain(await outcomeOf(added));
    }
  });
});

describe('a client that reads, changes and puts back a member', () => {
  test('can send the whole member if the other fields are unchanged', async () => {
    swarm = await ann.swarm({ resources: [{ resource_id: own.id, resource_type: 'both' }] });
    const [member] = await ann.get<ListedMember[]>(`/swarms/${swarm.id}/resources`);
    const { member_since: _, ...shown } = member!;
    const path = `/swarms/${swarm.id}/resources/${own.id}`;
    expect(await ann.change(path, { ...member, resource_type: 'consumer' })).toEqual({
      ...shown,
      resource_type: 'consumer',
    });
  });

  test('changes its role, its end and whether links show it in one write', async () => {
    swarm = await ann.swarm({ resources: [{ resource_id: own.id, resource_type: 'both' }] });
    const path = `/swarms/${swarm.id}/resources/${own.id}`;
    const versionNow = async () => (await ann.request({ path: `/swarms/${swarm.id}` })).headers.get('etag');
    expect(await versionNow()).toBe('"1"');
    const ends_at = new Date(server.now().getTime() + hourMs).toISOString();
    const changed = await ann.change(path, { resource_type: 'producer', ends_at, shown_by_links: true });
    expect(changed).toMatchObject({ resource_id: own.id, resource_type: 'producer', ends_at });
    expect(await versionNow()).toBe('"2"');
    const [member] = await ann.get<ListedMember[]>(`/swarms/${swarm.id}/resources`);
    expect(member).toMatchObject({ resource_type: 'producer', ends_at, shown_by_links: true });
    // Sent again, it is no change.
    expect(await ann.change(path, { resource_type: 'producer', ends_at, shown_by_links: true })).toEqual(changed);
    expect(await versionNow()).toBe('"2"');
  });

  test('gets an error that names the changed fields', async () => {
    const body = { resource_id: theirs.id, user_id: 'ben', url: 'x', member_since: 'x', resource_type: 'producer' };
    const refused = await ann.request({ method: 'PUT', path: `/swarms/${swarm.id}/resources/${own.id}`, body });
    expect(refused.status).toBe(400);
    expect(((await refused.json()) as Problem).errors!.map(({ pointer }) => pointer)).toEqual([
      '/resource_id',
      '/user_id',
      '/url',
      '/member_since',
    ]);
  });
});

test('leaving while the swarm is destroyed fails with "not found"', async () => {
  for (let round = 0; round < 10; round++) {
    swarm = await ann.swarm({ resources: [{ resource_id: own.id, resource_type: 'both' }] });
    const [, left] = await Promise.all([ann.destroy('swarms', swarm), ann.leave(swarm, own)]);
    expect(['204', '404 swarm.not_found']).toContain(await outcomeOf(left));
  }
});

describe('taking one role', () => {
  const take = (who: ServiceClient, device: Resource, type: string) =>
    who.request({ method: 'DELETE', path: `/swarms/${swarm.id}/resources/${device.id}?type=${type}` });
  const rolesNow = async () => {
    const members = await ann.get<ListedMember[]>(`/swarms/${swarm.id}/resources`);
    return members.map(({ resource_type }) => resource_type);
  };

  test('leaves the other one, then ends the membership', async () => {
    swarm = await ann.swarm();
    for (const role of ['producer', 'consumer'] as const) await ben.accept(await ann.invite(swarm, theirs, role));
    expect(await outcomeOf(await take(ben, theirs, 'producer'))).toBe('204');
    expect(await rolesNow()).toEqual(['consumer']);
    expect(await outcomeOf(await take(ann, theirs, 'producer'))).toBe('404 membership.not_found');
    expect(await rolesNow()).toEqual(['consumer']);
    expect(await outcomeOf(await take(ann, theirs, 'consumer'))).toBe('204');
    expect(await rolesNow()).toEqual([]);
  });

  test('twice, each of both concurrently, ends the membership', async () => {
    swarm = await ann.swarm();
    await ann.add(swarm, own);
    const outcomes = await Promise.all(
      ['producer', 'consumer'].map(async (type) => outcomeOf(await take(ann, own, type))),
    );
    expect(outcomes).toEqual(['204', '204']);
    expect(await rolesNow()).toEqual([]);
  });
});
