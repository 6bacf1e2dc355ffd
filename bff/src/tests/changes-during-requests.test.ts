// stores: SQLite, PostgreSQL
/**
 * Changes between the check and the write of a request: the response reflects the current state, and is never a 500.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ActivityPage, Invitation, ListedMember, Resource, Swarm } from '../contract.ts';
import { endAccount } from '../core/gateway/account.store.ts';
import { hourMs } from '../core/limits/durations.ts';
import { outcomeOf, signUpClient, type ServiceClient } from './service-client.fixture.ts';
import { createTestServer, type RequestOptions, type TestServer } from './test-server.fixture.ts';

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

/** Sends a request whose body arrives after all earlier checks and after `meanwhile`. */
async function slowly(who: ServiceClient, asked: RequestOptions, meanwhile: () => Promise<unknown>) {
  const isRead = Promise.withResolvers<void>();
  const comes = Promise.withResolvers<void>();
  const source = {
    async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
      isRead.resolve();
      await comes.promise;
      controller.enqueue(new TextEncoder().encode(JSON.stringify(asked.body)));
      controller.close();
    },
  };
  const body = new ReadableStream(source, { highWaterMark: 0 });
  const answered = who.request({ ...asked, body });
  await isRead.promise;
  await meanwhile();
  comes.resolve();
  return outcomeOf(await answered);
}

const sending = (): RequestOptions => ({
  method: 'POST',
  path: `/swarms/${swarm.id}/invitations`,
  body: { to: 'ben', resource_id: theirs.id, resource_type: 'consumer' },
});
const answering = ({ id, resource_id }: Invitation): RequestOptions => ({
  method: 'PUT',
  path: `/resources/${resource_id}/invitations/${id}`,
  body: { status: 'accept' },
});

describe('a change between the check and the write of a request', () => {
  test('an invitation fails with "not found" if the swarm is deleted', async () => {
    swarm = await ann.swarm();
    expect(await slowly(ann, sending(), () => ann.destroy('swarms', swarm))).toBe('404 swarm.not_found');
    expect(await ben.get(`/resources/${theirs.id}/invitations`)).toEqual([]);
  });

  test('an invitation fails if its device is deleted', async () => {
    swarm = await ann.swarm();
    const lent = await ben.device();
    const asked = { ...sending(), body: { to: 'ben', resource_id: lent.id, resource_type: 'consumer' } };
    expect(await slowly(ann, asked, () => ben.destroy('resources', lent))).toBe('400 body.invalid');
  });

  test('an invitation fails with a conflict if the device has got the role', async () => {
    swarm = await ann.swarm();
    const sent = await ann.invite(swarm, theirs);
    expect(await slowly(ann, sending(), () => ben.accept(sent))).toBe('409 membership.exists');
  });

  test('adding a member fails with "not found" if the swarm is deleted', async () => {
    swarm = await ann.swarm();
    const body = { resource_id: own.id, resource_type: 'both' };
    const adding = { method: 'POST', path: `/swarms/${swarm.id}/resources`, body };
    expect(await slowly(ann, adding, () => ann.destroy('swarms', swarm))).toBe('404 swarm.not_found');
  });

  test('a change of a swarm fails if another user takes it over, although the caller still manages it', async () => {
    swarm = await ann.swarm();
    await ann.nameManager(swarm, 'ben');
    await ben.agree(swarm, 'ben');
    await ann.offerSwarm(swarm, 'ben');
    const changing = { method: 'PUT', path: `/swarms/${swarm.id}`, body: { name: 'Changed' } };
    expect(await slowly(ann, changing, () => ben.takeOver(swarm, 'ben'))).toBe('403 swarm.forbidden');
    expect(await ben.get(`/swarms/${swarm.id}`)).toMatchObject({ name: swarm.name });
  });

  test.each([
    ['it is withdrawn', (sent: Invitation) => ann.withdraw(sent), '404 invitation.not_found'],
    ['it is rejected', (sent: Invitation) => ben.reject(sent), '409 invitation.already_answered'],
    [
      'the device is deleted',
      (_: Invitation, device: Resource) => ben.destroy('resources', device),
      '404 resource.not_found',
    ],
    ['the swarm is deleted', () => ann.destroy('swarms', swarm), '404 invitation.not_found'],
  ])('an answer fails if %s', async (_, meanwhile, outcome) => {
    swarm = await ann.swarm();
    const device = await ben.device();
    const sent = await ann.invite(swarm, device);
    expect(await slowly(ben, answering(sent), () => meanwhile(sent, device))).toBe(outcome);
  });
});

describe('a change between the check of If-Match and the deletion', () => {
  test.each(['resources', 'swarms'] as const)('fails the deletion from %s', async (noun) => {
    const { id } = noun === 'resources' ? await ann.device() : await ann.swarm();
    const path = `/${noun}/${id}`;
    const { write } = server.db;
    let isChanged = false;
    vi.spyOn(server.db, 'write').mockImplementation(async (statements) => {
      if (!isChanged && statements.some(({ sql }) => sql.includes(`DELETE FROM ${noun}`))) {
        isChanged = true;
        await ann.change(path, { name: 'Changed' });
      }
      return write(statements);
    });
    const deleted = await ann.request({ method: 'DELETE', path, headers: { 'if-match': '"1"' } });
    expect(isChanged).toBe(true);
    expect(await outcomeOf(deleted)).toBe(`412 ${noun.slice(0, -1)}.changed`);
    expect(await ann.get(path)).toMatchObject({ name: 'Changed' });
  });
});

/** Sends a request before whose write `meanwhile` happens. */
async function interrupted(who: ServiceClient, asked: RequestOptions, meanwhile: () => Promise<unknown>) {
  const { write } = server.db;
  let isInterrupted = false;
  vi.spyOn(server.db, 'write').mockImplementation(async (statements) => {
    // Background work takes its leases at any time.
    if (!isInterrupted && !statements.some(({ sql }) => sql.includes('leases'))) {
      isInterrupted = true;
      await meanwhile();
    }
    return write(statements);
  });
  return outcomeOf(await who.request(asked));
}

describe('an end that changes between the check and the write', () => {
  const inHours = (hours: number) => new Date(server.now().getTime() + hours * hourMs).toISOString();
  const endOf = async (device: Resource) =>
    (await ann.get<ListedMember[]>(`/swarms/${swarm.id}/resources`)).find(
      ({ resource_id }) => resource_id === device.id,
    )?.ends_at;

  test('of an invitation that is sent again without one, is still that which was offered', async () => {
    swarm = await ann.swarm();
    const device = await ben.device();
    const ends_at = inHours(2);
    const sent = await ann.invite(swarm, device, 'consumer', { ends_at });
    expect(await interrupted(ben, answering(sent), () => ann.invite(swarm, device))).toBe('200');
    expect(await endOf(device)).toBe(ends_at);
  });

  test('of an invitation that is sent again with an earlier one, is asked again', async () => {
    swarm = await ann.swarm();
    const device = await ben.device();
    const sent = await ann.invite(swarm, device, 'consumer', { ends_at: inHours(3) });
    const asked = { ...answering(sent), body: { status: 'accept', ends_at: inHours(2) } };
    const resend = () => ann.invite(swarm, device, 'consumer', { ends_at: inHours(1) });
    expect(await interrupted(ben, asked, resend)).toBe('400 body.invalid');
    expect(await endOf(device)).toBeUndefined();
  });

  test('of a member whose device is handed over, is not set by its former owner', async () => {
    swarm = await ann.swarm();
    const [device, other] = [await ben.device(), await ben.device()];
    for (const each of [device, other]) await ben.accept(await ann.invite(swarm, each));
    await ben.offerDevice(device, 'ann');
    const asked = {
      method: 'PUT',
      path: `/swarms/${swarm.id}/resources/${device.id}`,
      body: { resource_type: 'consumer', ends_at: inHours(1) },
    };
    expect(await interrupted(ben, asked, () => ann.takeOverDevice(device, 'ann'))).toBe('403 swarm.forbidden');
    expect(await ann.get(`/resources/${device.id}`)).toMatchObject({ user_id: 'ann' });
    expect(await endOf(device)).toBeUndefined();
  });
});

describe('an account that ends between the check and the write, and has its records until they are deleted', () => {
  const expires_at = () => new Date(server.now().getTime() + hourMs).toISOString();
  const requests: Record<string, (device: Resource, ring: Swarm) => RequestOptions> = {
    'show a device by a link': ({ id }) => ({
      method: 'POST',
      path: `/resources/${id}/share-links`,
      body: { name: 'For a friend', expires_at: expires_at() },
    }),
    'show a swarm by a link': (_, { id }) => ({
      method: 'POST',
      path: `/swarms/${id}/share-links`,
      body: { name: 'For a friend', expires_at: expires_at() },
    }),
    'offer a device': ({ id }) => ({ method: 'PUT', path: `/resources/${id}/handover`, body: { user_id: 'ben' } }),
    'name a manager': (_, { id }) => ({ method: 'POST', path: `/swarms/${id}/managers`, body: { user_id: 'ben' } }),
    'keep a track': ({ id }) => ({ method: 'PUT', path: `/resources/${id}`, body: { keep_track: true } }),
    'create a device': () => ({ method: 'POST', path: '/resources', body: { name: 'Late', machine_type: 'bug' } }),
    'create a swarm': () => ({ method: 'POST', path: '/swarms', body: { name: 'Late', description: '' } }),
  };
  test.each(Object.keys(requests))('cannot %s', async (name) => {
    const dan = await signUpClient(server, `dan-${Object.keys(requests).indexOf(name)}`);
    const asked = requests[name]!(await dan.device(), await dan.swarm());
    const end = () => endAccount({ db: server.db, userName: dan.name });
    expect(await interrupted(dan, asked, end)).toBe('401 key.invalid');
  });
});

test('links cannot be allowed to show a member that leaves between the check and the write', async () => {
  swarm = await ann.swarm();
  const device = await ann.device();
  await ann.add(swarm, device);
  const path = `/swarms/${swarm.id}/resources/${device.id}`;
  const asked = { method: 'PUT', path, body: { resource_type: 'both', shown_by_links: true } };
  expect(await interrupted(ann, asked, () => ann.leave(swarm, device))).toBe('404 membership.not_found');
});

test('a user who is blocked has an entry for each request that this has rejected, and for no other', async () => {
  swarm = await ann.swarm({ public: true });
  const [withdrawn, rejected] = [await ben.device(), await ben.device()];
  const first = await ben.ask(swarm, withdrawn);
  const block = { method: 'PUT', path: `/swarms/${swarm.id}/blocked-users/ben` };
  const meanwhile = async () => {
    await ben.withdrawRequest(first);
    await ben.ask(swarm, rejected);
  };
  expect(await interrupted(ann, block, meanwhile)).toBe('204');
  const { items } = await ben.get<ActivityPage>('/activity');
  const entries = items.filter(({ swarm: of }) => of?.id === swarm.id);
  expect(entries.map(({ kind, resource }) => [kind, resource?.id])).toEqual([
    ['invitation.request_rejected', rejected.id],
    ['invitation.requested', rejected.id],
    ['invitation.request_withdrawn', withdrawn.id],
    ['invitation.requested', withdrawn.id],
  ]);
});

test('a swarm that the caller takes over between two reads of a request is the caller’s', async () => {
  swarm = await ann.swarm();
  await ann.nameManager(swarm, 'ben');
  await ben.agree(swarm, 'ben');
  await ann.offerSwarm(swarm, 'ben');
  const { read } = server.db;
  const reading = vi.spyOn(server.db, 'read').mockImplementation(async (query) => {
    if (!query.sql.includes('AS relation')) return read(query);
    reading.mockRestore();
    await ben.takeOver(swarm, 'ben');
    return read(query);
  });
  expect(await outcomeOf(await ben.takeOver(swarm, 'ben'))).toBe('204');
});

describe('concurrent requests', () => {
  test('withdraw an invitation once', async () => {
    swarm = await ann.swarm();
    const sent = await ann.invite(swarm, theirs);
    const outcomes = await Promise.all(
      [ann.withdraw(sent), ann.withdraw(sent)].map(async (each) => outcomeOf(await each)),
    );
    expect(outcomes.toSorted()).toEqual(['204', '404 invitation.not_found']);
  });

  test('accept an invitation once and get the same response', async () => {
    swarm = await ann.swarm();
    const sent = await ann.invite(swarm, theirs);
    const [one, other] = await Promise.all([ben.accept(sent), ben.accept(sent)]);
    expect(await one.json()).toEqual(await other.json());
    expect((await ann.request({ path: `/swarms/${swarm.id}` })).headers.get('etag')).toBe('"2"');
    const members = await ann.get<ListedMember[]>(`/swarms/${swarm.id}/resources`);
    expect(members.map(({ resource_id }) => resource_id)).toEqual([theirs.id]);
  });

  test('that accept and reject an invitation: the second one fails', async () => {
    swarm = await ann.swarm();
    const sent = await ann.invite(swarm, theirs);
    const answers = [ben.accept(sent), ben.reject(sent)].map(async (each) => outcomeOf(await each));
    expect((await Promise.all(answers)).toSorted()).toEqual(['200', '409 invitation.already_answered']);
  });
});
