// stores: SQLite, PostgreSQL
/**
 * The spec, row by row: every field of part 2, every state and transition of part 3, every endpoint of part 4 and every
 * sentence of part 5, with a key and through the gateway. The titles quote the spec.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Invitation, Resource, Swarm } from '../contract.ts';
import { createServiceClient, signUpClient, type ServiceClient } from './service-client.fixture.ts';
import { createTestServer, origin, entryPoints, type TestServer } from './test-server.fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const whole = {
  name: 'Greenhouse sensor',
  machine_type: 'bug',
  description: 'by the door',
  position: { longitude: 12.25, latitude: 52.5 },
};

describe.each(entryPoints)('%s', (entryPoint) => {
  /** Owns a swarm; is invited to it. */
  let sender: ServiceClient;
  let recipient: ServiceClient;
  beforeAll(async () => {
    [sender, recipient] = await Promise.all([
      signUpClient(server, `sender-${entryPoint}`, entryPoint),
      signUpClient(server, `recipient-${entryPoint}`, entryPoint),
    ]);
  });

  let resource: Resource;
  let swarm: Swarm;
  beforeEach(async () => {
    [resource, swarm] = await Promise.all([
      recipient.device(whole),
      sender.swarm({ name: 'Harbour', description: 'all of it', public: true }),
    ]);
  });
  const accepted = async (role: 'consumer' | 'producer' = 'consumer') =>
    (await (await recipient.accept(await sender.invite(swarm, resource, role))).json()) as Invitation;
  const rejected = async () =>
    (await (await recipient.reject(await sender.invite(swarm, resource))).json()) as Invitation;
  const swarmsOf = ({ id }: Resource) => recipient.get<Swarm[]>(`/resources/${id}/swarms`);

  describe('2. Resource', () => {
    test('id: unique resource identifier, assigned by the service', async () => {
      const another = await recipient.device(whole);
      expect(resource.id).toEqual(expect.any(String));
      expect(another.id).not.toBe(resource.id);
      const asked = { method: 'POST', path: '/resources', body: { ...whole, id: resource.id } };
      expect((await recipient.request(asked)).status).toBe(400);
    });

    test('user_id: user name of the owner', () => {
      expect(resource.user_id).toBe(recipient.name);
    });

    test.each(['name', 'machine_type'])('%s: required on create', async (field) => {
      expect(resource).toHaveProperty(field, whole[field as 'name']);
      const refused = await recipient.request({
        method: 'POST',
        path: '/resources',
        body: { ...whole, [field]: undefined },
      });
      expect(refused.status).toBe(400);
      expect(await refused.json()).toMatchObject({ errors: [{ pointer: `/${field}`, code: 'field.required' }] });
    });

    test.each(['pc', 'bug', 'smartphone'])('machine_type: allowed value %s', async (machine_type) => {
      expect((await recipient.device({ machine_type })).machine_type).toBe(machine_type);
    });

    test('machine_type: no other value', async () => {
      const body = { ...whole, machine_type: 'toaster' };
      expect((await recipient.request({ method: 'POST', path: '/resources', body })).status).toBe(400);
    });

    test.each(['description', 'position'] as const)('%s: optional', async (field) => {
      expect(resource[field]).toEqual(whole[field]);
      expect(await recipient.device()).not.toHaveProperty(field);
    });

    test('position: fields longitude (number) and latitude (number)', () => {
      expect(resource.position).toEqual({ longitude: 12.25, latitude: 52.5 });
    });

    test('created_at: timestamp, set by the service on create', () => {
      const now = server.now().getTime();
      expect(resource.created_at).toEqual(timestamp);
      expect(Math.abs(Date.parse(resource.created_at) - now)).toBeLessThan(10_000);
    });

    test('modified_at: timestamp, present in the response to an update', async () => {
      expect(resource).not.toHaveProperty('modified_at');
      const updated = await recipient.change<Resource>(`/resources/${resource.id}`, {});
      expect(updated.modified_at).toEqual(timestamp);
      expect(updated.modified_at! >= updated.created_at).toBe(true);
    });

    test('these fields and no others', () => {
      const fields = ['id', 'user_id', 'name', 'machine_type', 'description', 'position', 'created_at'];
      expect(Object.keys(resource).toSorted()).toEqual(fields.toSorted());
    });
  });

  describe('2. Swarm, as the list of swarms of a resource gives it', () => {
    let listed: Swarm;
    beforeEach(async () => {
      await accepted();
      [listed] = (await swarmsOf(resource)) as [Swarm];
    });

    test('id: swarm identifier', () => {
      expect(listed.id).toBe(swarm.id);
    });
    test('user_id: owner user name', () => {
      expect(listed.user_id).toBe(sender.name);
    });
    test('name', () => {
      expect(listed.name).toBe('Harbour');
    });
    test('description', () => {
      expect(listed.description).toBe('all of it');
    });
    test('created_at: timestamp', () => {
      expect(listed.created_at).toEqual(timestamp);
    });
    test('public: boolean', () => {
      expect(listed.public).toBe(true);
    });
    test('resources: members of the swarm', async () => {
      const own = await sender.device();
      await sender.add(swarm, own);
      const [again] = await swarmsOf(resource);
      expect(again!.resources.map(({ resource_id }) => resource_id).toSorted()).toEqual(
        [resource.id, own.id].toSorted(),
      );
    });
    test('these fields and no others', async () => {
      const fields = ['id', 'user_id', 'name', 'description', 'created_at', 'public', 'resources'];
      expect(Object.keys(listed).toSorted()).toEqual(fields.toSorted());
      await sender.change(`/swarms/${swarm.id}`, {});
      expect(await swarmsOf(resource)).toEqual([listed]);
    });
  });

  describe('2. Swarm member', () => {
    const memberOf = async () => (await swarmsOf(resource))[0]!.resources[0]!;

    test('resource_id', async () => {
      await accepted();
      expect((await memberOf()).resource_id).toBe(resource.id);
    });
    test.each(['producer', 'consumer'] as const)('resource_type: role in the swarm, %s', async (role) => {
      await accepted(role);
      expect((await memberOf()).resource_type).toBe(role);
    });
    test('resource_type: role in the swarm, both', async () => {
      await accepted('producer');
      await accepted('consumer');
      expect((await memberOf()).resource_type).toBe('both');
    });
    test('user_id: owner of the member resource', async () => {
      await accepted();
      expect((await memberOf()).user_id).toBe(recipient.name);
    });
    test('url: address of the resource, of the form {base_url}/resources/<resource_id>', async () => {
      await accepted();
      expect((await memberOf()).url).toBe(`${origin}/service/resources/${resource.id}`);
    });
    test('these fields and no others', async () => {
      await accepted();
      const fields = ['resource_id', 'resource_type', 'user_id', 'url'];
      expect(Object.keys(await memberOf()).toSorted()).toEqual(fields.toSorted());
    });
  });

  describe('2. Invitation', () => {
    let sent: Invitation;
    beforeEach(async () => {
      sent = await sender.invite(swarm, resource, 'consumer', { description: 'please' });
    });

    test('id: invitation identifier', async () => {
      expect(sent.id).toEqual(expect.any(String));
      expect((await sender.invite(swarm, resource, 'producer')).id).not.toBe(sent.id);
    });
    test('from: user name of the sender, who owns the swarm', () => {
      expect(sent.from).toBe(sender.name);
    });
    test('to: user name of the recipient', () => {
      expect(sent.to).toBe(recipient.name);
    });
    test('swarm_id: swarm the invitee is invited to', () => {
      expect(sent.swarm_id).toBe(swarm.id);
    });
    test('resource_id: resource of the recipient invited to join', () => {
      expect(sent.resource_id).toBe(resource.id);
    });
    test.each(['consumer', 'producer'] as const)('resource_type: role offered, %s', async (role) => {
      expect((await sender.invite(swarm, resource, role)).resource_type).toBe(role);
    });
    test('description: optional free text of the sender', async () => {
      expect(sent.description).toBe('please');
      expect(await sender.invite(swarm, resource, 'producer')).not.toHaveProperty('description');
    });
    test('sent_at: timestamp, set on send', () => {
      expect(sent.sent_at).toEqual(timestamp);
    });
    test('status: see part 3', () => {
      expect(sent.status).toBe('new');
    });
    test('accepted_at: timestamp, present only after acceptance', async () => {
      expect(sent).not.toHaveProperty('accepted_at');
      expect((await accepted()).accepted_at).toEqual(timestamp);
      expect(await rejectedAnother()).not.toHaveProperty('accepted_at');
    });
    test('rejected_at: timestamp, present only after rejection', async () => {
      expect(sent).not.toHaveProperty('rejected_at');
      expect((await rejected()).rejected_at).toEqual(timestamp);
      const again = await sender.invite(swarm, resource);
      expect(await (await recipient.accept(again)).json()).not.toHaveProperty('rejected_at');
    });
    test('these fields and no others', async () => {
      const fields = [
        'description',
        'from',
        'id',
        'resource_id',
        'resource_type',
        'sent_at',
        'status',
        'swarm_id',
        'to',
      ];
      expect(Object.keys(sent).toSorted()).toEqual(fields);
      const answered = (await (await recipient.accept(sent)).json()) as Invitation;
      expect(Object.keys(answered).toSorted()).toEqual([...fields, 'accepted_at'].toSorted());
    });

    async function rejectedAnother() {
      const another = await sender.invite(swarm, resource, 'producer');
      return (await recipient.reject(another)).json();
    }
  });

  describe('3. States and transitions', () => {
    test('(none) -- send invitation --> new: sent_at is set; invitation returned', async () => {
      const answer = await sender.send(swarm, resource);
      expect(answer.status).toBe(201);
      expect(await answer.json()).toMatchObject({ status: 'new', sent_at: timestamp, swarm_id: swarm.id });
    });
    test('(none) -- send invitation with no valid body --> nothing', async () => {
      const asked = { method: 'POST', path: `/swarms/${swarm.id}/invitations`, body: { to: recipient.name } };
      expect((await sender.request(asked)).status).toBe(400);
      expect(await recipient.get(`/resources/${resource.id}/invitations`)).toEqual([]);
    });
    test('new -- respond with status = accept --> accepted: accepted_at is set; invitation returned', async () => {
      const sent = await sender.invite(swarm, resource);
      const answer = await recipient.accept(sent);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({ ...sent, status: 'accepted', accepted_at: timestamp });
    });
    test('new -- respond with status = reject --> rejected: rejected_at is set; invitation returned', async () => {
      const sent = await sender.invite(swarm, resource);
      const answer = await recipient.reject(sent);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({ ...sent, status: 'rejected', rejected_at: timestamp });
    });
    test.each(['accept', 'reject'] as const)(
      'new -- respond with status = %s, not addressed to a resource of the caller --> new',
      async (status) => {
        const sent = await sender.invite(swarm, resource);
        expect((await sender[status](sent)).status).toBe(404);
        expect(await sender.get(`/swarms/${swarm.id}/invitations`)).toEqual([sent]);
      },
    );
    test('accepted -- respond with status = accept --> accepted, as it was', async () => {
      const answered = await accepted();
      const again = await recipient.accept(answered);
      expect([again.status, await again.json()]).toEqual([200, answered]);
    });
    test('rejected -- respond with status = reject --> rejected, as it was', async () => {
      const answered = await rejected();
      const again = await recipient.reject(answered);
      expect([again.status, await again.json()]).toEqual([200, answered]);
    });
    test('accepted -- respond with status = reject --> accepted', async () => {
      const answered = await accepted();
      expect((await recipient.reject(answered)).status).toBe(409);
      expect(await recipient.get(`/resources/${resource.id}/invitations`)).toEqual([answered]);
    });
    test('rejected -- respond with status = accept --> rejected', async () => {
      const answered = await rejected();
      expect((await recipient.accept(answered)).status).toBe(409);
      expect(await recipient.get(`/resources/${resource.id}/invitations`)).toEqual([answered]);
      expect(await swarmsOf(resource)).toEqual([]);
    });
    test('new -- send the same again --> new: the same invitation, with a new sent_at and text', async () => {
      const sent = await sender.invite(swarm, resource, 'consumer', { description: 'please' });
      server.wait(5);
      const again = await sender.invite(swarm, resource, 'consumer');
      const { description: _text, ...rest } = sent;
      expect(again).toEqual({ ...rest, sent_at: timestamp });
      expect(again.sent_at > sent.sent_at).toBe(true);
      expect(await recipient.get(`/resources/${resource.id}/invitations`)).toEqual([again]);
    });
    test('rejected -- send the same again --> a new one beside it', async () => {
      const answered = await rejected();
      const again = await sender.invite(swarm, resource);
      expect(again.id).not.toBe(answered.id);
      expect(await recipient.get(`/resources/${resource.id}/invitations`)).toEqual([answered, again]);
    });
    test('new -- the sender withdraws --> (none)', async () => {
      const sent = await sender.invite(swarm, resource);
      expect((await sender.withdraw(sent)).status).toBe(204);
      expect(await recipient.get(`/resources/${resource.id}/invitations`)).toEqual([]);
    });
    test.each(['accept', 'reject'] as const)('after %s -- the sender withdraws --> as it was', async (status) => {
      const sent = await sender.invite(swarm, resource);
      const answered: unknown = await (await recipient[status](sent)).json();
      expect((await sender.withdraw(sent)).status).toBe(409);
      expect(await sender.get(`/swarms/${swarm.id}/invitations`)).toEqual([answered]);
    });
    test('new -- the resource is destroyed --> rejected: rejected_at is set', async () => {
      const sent = await sender.invite(swarm, resource);
      await recipient.destroy('resources', resource);
      const ended = { ...sent, status: 'rejected', rejected_at: timestamp };
      expect(await sender.get(`/swarms/${swarm.id}/invitations`)).toEqual([ended]);
      expect(await recipient.get('/invitations')).toContainEqual(ended);
    });
    test('accepted -- the resource is destroyed --> accepted, and no member', async () => {
      const answered = await accepted();
      await recipient.destroy('resources', resource);
      expect(await sender.get(`/swarms/${swarm.id}/invitations`)).toEqual([answered]);
      expect(await sender.get(`/swarms/${swarm.id}/resources`)).toEqual([]);
    });
    test('any -- the swarm is destroyed --> (none)', async () => {
      await accepted();
      const open = await sender.invite(swarm, resource, 'producer');
      await sender.destroy('swarms', swarm);
      expect(await recipient.get(`/resources/${resource.id}/invitations`)).toEqual([]);
      expect(await recipient.get('/invitations')).not.toContainEqual(expect.objectContaining({ id: open.id }));
      expect(await swarmsOf(resource)).toEqual([]);
    });
    test('acceptance makes the resource a member in that role, and sending or rejecting does not', async () => {
      const sent = await sender.invite(swarm, resource, 'producer');
      expect(await swarmsOf(resource)).toEqual([]);
      await recipient.reject(sent);
      expect(await swarmsOf(resource)).toEqual([]);
      await accepted('producer');
      expect((await swarmsOf(resource))[0]!.resources).toMatchObject([{ resource_type: 'producer' }]);
    });
  });

  describe('4. Resources', () => {
    test('Create: POST {base_url}/resources gives the created resource, without modified_at', async () => {
      const answer = await recipient.request({ method: 'POST', path: '/resources', body: whole });
      expect(answer.status).toBe(201);
      expect(await answer.json()).toEqual({
        ...whole,
        id: expect.any(String) as string,
        user_id: recipient.name,
        created_at: timestamp,
      });
    });
    test.each(Object.keys(whole))('Update: PUT {base_url}/resources/<resource_id> takes %s alone', async (field) => {
      const values: Record<string, unknown> = {
        name: 'Renamed',
        machine_type: 'pc',
        description: 'moved',
        position: { longitude: 1, latitude: 2 },
      };
      const updated = await recipient.change<Resource>(`/resources/${resource.id}`, { [field]: values[field] });
      expect(updated).toEqual({ ...resource, [field]: values[field], modified_at: timestamp });
    });
    test('Update: all optional', async () => {
      const updated = await recipient.change<Resource>(`/resources/${resource.id}`, {});
      expect(updated).toEqual({ ...resource, modified_at: timestamp });
    });
    test('Update: only resources of the caller can be updated', async () => {
      expect((await sender.request({ method: 'PUT', path: `/resources/${resource.id}`, body: {} })).status).toBe(404);
      await accepted();
      expect((await sender.request({ method: 'PUT', path: `/resources/${resource.id}`, body: {} })).status).toBe(403);
      expect(await recipient.get(`/resources/${resource.id}`)).toEqual(resource);
    });
    test('Destroy: DELETE {base_url}/resources/<resource_id> gives HTTP response codes only', async () => {
      const answer = await recipient.destroy('resources', resource);
      expect([answer.status, await answer.text()]).toEqual([204, '']);
    });
    test('Destroy: removes the resource from the account and from all swarms', async () => {
      const another = await sender.swarm();
      await accepted();
      await recipient.accept(await sender.invite(another, resource, 'producer'));
      await recipient.destroy('resources', resource);
      expect(await recipient.get('/resources')).not.toContainEqual(expect.objectContaining({ id: resource.id }));
      expect((await recipient.request({ path: `/resources/${resource.id}` })).status).toBe(404);
      for (const { id } of [swarm, another]) {
        expect((await sender.get<Swarm>(`/swarms/${id}`)).resources).toEqual([]);
      }
    });
    test('List: GET {base_url}/resources gives all resources of the caller, and no others', async () => {
      await accepted();
      const [own, theirs] = [await sender.device(), resource];
      expect(await recipient.get('/resources')).toContainEqual(theirs);
      expect(await recipient.get('/resources')).not.toContainEqual(own);
      expect(await sender.get('/resources')).toContainEqual(own);
      expect(await sender.get('/resources')).not.toContainEqual(theirs);
    });
    test('Get info: GET {base_url}/resources/<resource_id> gives one resource as an object', async () => {
      expect(await recipient.get(`/resources/${resource.id}`)).toEqual(resource);
    });
    test('List swarms: GET {base_url}/resources/<resource_id>/swarms gives those of which it is a member', async () => {
      await sender.invite(await sender.swarm(), resource);
      expect(await swarmsOf(resource)).toEqual([]);
      await accepted();
      const member = { resource_id: resource.id, resource_type: 'consumer', user_id: recipient.name };
      const url = `${origin}/service/resources/${resource.id}`;
      expect(await swarmsOf(resource)).toEqual([{ ...swarm, resources: [{ ...member, url }] }]);
    });
  });

  describe('4. Invitations', () => {
    test('Send: POST {base_url}/swarms/<swarm_id>/invitations gives the invitation, from the caller, new', async () => {
      const body = { to: recipient.name, resource_id: resource.id, resource_type: 'producer', description: 'please' };
      const sent = await sender.make<Invitation>(`/swarms/${swarm.id}/invitations`, body);
      const set = { id: expect.any(String) as string, from: sender.name, swarm_id: swarm.id, sent_at: timestamp };
      expect(sent).toEqual({ ...body, ...set, status: 'new' });
    });
    test('Respond: PUT {base_url}/resources/<resource_id>/invitations/<invitation_id> gives it with its answer', async () => {
      const sent = await sender.invite(swarm, resource);
      const path = `/resources/${resource.id}/invitations/${sent.id}`;
      const answered = await recipient.change<Invitation>(path, { status: 'accept' });
      expect(answered).toEqual({ ...sent, status: 'accepted', accepted_at: timestamp });
    });
    test('List sent: GET {base_url}/swarms/<swarm_id>/invitations gives those sent for the swarm', async () => {
      const sent = await sender.invite(swarm, resource);
      await sender.invite(await sender.swarm(), resource);
      expect(await sender.get(`/swarms/${swarm.id}/invitations`)).toEqual([sent]);
    });
    test('List received (account): GET {base_url}/invitations gives those received by the caller', async () => {
      const another = await recipient.device();
      const sent = [await sender.invite(swarm, resource), await sender.invite(swarm, another)];
      const received = await recipient.get<Invitation[]>('/invitations');
      expect(received.slice(-2)).toEqual(sent);
      expect(received.every(({ to }) => to === recipient.name)).toBe(true);
      expect(await sender.get('/invitations')).toEqual([]);
    });
    test('List received (resource): GET {base_url}/resources/<resource_id>/invitations gives those of it', async () => {
      const sent = await sender.invite(swarm, resource);
      await sender.invite(swarm, await recipient.device());
      expect(await recipient.get(`/resources/${resource.id}/invitations`)).toEqual([sent]);
    });
    test('In listings, an invitation that has been accepted carries accepted_at; one still new does not', async () => {
      const answered = await accepted();
      const open = await sender.invite(swarm, resource, 'producer');
      const lists = [`/resources/${resource.id}/invitations`, '/invitations'].map((path) =>
        recipient.get<Invitation[]>(path),
      );
      for (const list of await Promise.all([...lists, sender.get<Invitation[]>(`/swarms/${swarm.id}/invitations`)])) {
        expect(list.slice(-2)).toEqual([answered, open]);
        expect(list.at(-2)!.accepted_at).toEqual(timestamp);
        expect(list.at(-1)).not.toHaveProperty('accepted_at');
      }
    });
    test('No endpoint has required or optional query parameters', async () => {
      const sent = await sender.invite(swarm, resource);
      expect(await recipient.get(`/resources/${resource.id}/invitations?status=accepted&limit=0`)).toEqual([sent]);
    });
  });

  describe('5. Authentication', () => {
    const operations = () => [
      { method: 'POST', path: '/resources', body: whole },
      { method: 'PUT', path: `/resources/${resource.id}`, body: {} },
      { method: 'DELETE', path: `/resources/${resource.id}` },
      { path: '/resources' },
      { path: `/resources/${resource.id}` },
      { path: `/resources/${resource.id}/swarms` },
      { method: 'POST', path: `/swarms/${swarm.id}/invitations`, body: {} },
      { method: 'PUT', path: `/resources/${resource.id}/invitations/x`, body: {} },
      { path: `/swarms/${swarm.id}/invitations` },
      { path: '/invitations' },
      { path: `/resources/${resource.id}/invitations` },
    ];

    test('Every operation requires the proof of who calls', async () => {
      const nobody = createServiceClient('nobody', (asked) => server.request(entryPoint, undefined, asked));
      const answers = await Promise.all(operations().map((asked) => nobody.request(asked)));
      expect(answers.map(({ status }) => status)).toEqual(operations().map(() => 401));
      expect(await recipient.get(`/resources/${resource.id}`)).toEqual(resource);
    });
    test('The key identifies the calling user: lists and updates apply to their own resources', async () => {
      expect((await recipient.get<Resource[]>('/resources')).every(({ user_id }) => user_id === recipient.name)).toBe(
        true,
      );
      expect((await sender.request({ method: 'PUT', path: `/resources/${resource.id}`, body: {} })).status).toBe(404);
    });
    test('Invitations are sent by swarm owners', async () => {
      const own = await sender.device();
      expect((await recipient.send(swarm, own)).status).toBe(403);
      expect((await sender.send(swarm, resource)).status).toBe(201);
    });
    test('Invitations are answered by the recipient', async () => {
      const sent = await sender.invite(swarm, resource);
      expect((await sender.accept(sent)).status).toBe(404);
      expect((await recipient.accept(sent)).status).toBe(200);
    });
  });
});

test('1. The owner of a swarm can invite, the receiving user answers, and a resource can belong to several swarms', async () => {
  const [owner, guest] = await Promise.all([signUpClient(server, 'owner'), signUpClient(server, 'guest')]);
  const device = await guest.device();
  const swarms = await Promise.all([owner.swarm(), owner.swarm()]);
  for (const swarm of swarms) await guest.accept(await owner.invite(swarm, device));
  const ids = (await guest.get<Swarm[]>(`/resources/${device.id}/swarms`)).map(({ id }) => id);
  expect(ids.toSorted()).toEqual(swarms.map(({ id }) => id).toSorted());
});
