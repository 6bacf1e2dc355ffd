/**
 * The contract: one table drives every operation of the service, with a key and through the gateway, and every
 * answer is held against the OpenAPI document. An operation without a row fails.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHouse, origin, ways } from './house.fixture.ts';
import type { Asked, House, Person, Way } from './house.fixture.ts';
import type { Invitation, Resource, Swarm } from './contract.ts';

interface Expected {
  status: number;
  code?: string;
  /** Pointers of all faults, in order. */
  pointers?: string[];
  body?: object | unknown[];
  headers?: Record<string, string | RegExp>;
}
interface Case {
  title: string;
  /** May prepare; gets a resource of the caller, made for this case alone. */
  ask: (context: {
    own: Resource;
    etag: string;
    prepare: (asked: Asked) => Promise<Response>;
    /** A swarm of the caller, made for this case alone, with no member. */
    swarm: Swarm;
    /** Of another user, and open invitations to that user's swarm for `own`, as consumer. */
    theirs: Resource;
    invitation: Invitation;
  }) => Asked | Promise<Asked>;
  expect: Expected | ((context: { own: Resource; swarm: Swarm; invitation: Invitation }) => Expected);
}

const unknownId = '019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d10';
const whole = {
  name: 'Sensor',
  machine_type: 'bug',
  description: 'by the door',
  position: { longitude: 12.25, latitude: 52.5 },
};
const post = (body: unknown, headers = {}): Asked => ({ method: 'POST', path: '/resources', body, headers });
const put = (id: string, body: unknown, headers = {}): Asked => ({
  method: 'PUT',
  path: `/resources/${id}`,
  body,
  headers,
});
const make = (path: string, body: unknown, headers = {}): Asked => ({ method: 'POST', path, body, headers });
const change = (path: string, body: object, headers = {}): Asked => ({ method: 'PUT', path, body, headers });
const send = (swarm: Swarm, { id }: Resource, more: object) =>
  make(`/swarms/${swarm.id}/invitations`, { to: 'ben', resource_id: id, resource_type: 'consumer', ...more });
const answer = ({ id }: Resource, invitation: Invitation, status: string) =>
  change(`/resources/${id}/invitations/${invitation.id}`, { status });
const swarmNotFound: Expected = { status: 404, code: 'swarm.not_found' };
const refused = (...pointers: string[]): Expected => ({ status: 400, code: 'body.invalid', pointers });
const unreadable: Expected = { status: 400, code: 'body.unreadable' };
const notFound: Expected = { status: 404, code: 'resource.not_found' };
const changed: Expected = { status: 412, code: 'resource.changed' };
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

const table: Record<string, Case[]> = {
  createResource: [
    {
      title: 'all fields',
      ask: () => post(whole),
      expect: {
        status: 201,
        body: whole,
        headers: { etag: '"1"', location: new RegExp(`^${origin}/service/resources/[0-9a-f-]{36}$`) },
      },
    },
    {
      title: 'name and machine type are enough',
      ask: () => post({ name: 'a', machine_type: 'pc' }),
      expect: { status: 201 },
    },
    {
      title: 'a charset beside the media type',
      ask: () => post(whole, { 'content-type': 'application/json; charset=utf-8' }),
      expect: { status: 201 },
    },
    {
      title: 'an empty description is a value',
      ask: () => post({ ...whole, description: '' }),
      expect: { status: 201, body: { description: '' } },
    },
    {
      title: 'names are never trimmed',
      ask: () => post({ ...whole, name: '  a  ' }),
      expect: { status: 201, body: { name: '  a  ' } },
    },
    {
      title: '128 code points, also beyond the basic plane',
      ask: () => post({ ...whole, name: '🛰'.repeat(128) }),
      expect: { status: 201 },
    },
    {
      title: 'the corner of the world',
      ask: () => post({ ...whole, position: { longitude: -180, latitude: 90 } }),
      expect: { status: 201 },
    },
    {
      title: 'line breaks and tabs in texts',
      ask: () => post({ ...whole, description: 'a\n\tb' }),
      expect: { status: 201, body: { description: 'a\n\tb' } },
    },
    {
      title: 'minus zero is stored as zero',
      ask: () => post('{"name":"a","machine_type":"pc","position":{"longitude":-0.0,"latitude":-0}}'),
      expect: { status: 201, body: { position: { longitude: 0, latitude: 0 } } },
    },
    { title: '129 code points', ask: () => post({ ...whole, name: 'a'.repeat(129) }), expect: refused('/name') },
    { title: 'an empty name', ask: () => post({ ...whole, name: '' }), expect: refused('/name') },
    {
      title: 'a name that nobody can see',
      ask: () => post({ ...whole, name: ' \u200b\u2060 ' }),
      expect: refused('/name'),
    },
    {
      title: 'a description of 2,001',
      ask: () => post({ ...whole, description: 'a'.repeat(2001) }),
      expect: refused('/description'),
    },
    {
      title: 'null is no value on create',
      ask: () => post({ ...whole, description: null, position: null }),
      expect: refused('/description', '/position'),
    },
    {
      title: 'every fault at once',
      ask: () => post({ name: ' ', machine_type: 'toaster', position: { longitude: 200 }, colour: 'red' }),
      expect: refused('/name', '/machine_type', '/position/longitude', '/position/latitude', '/colour'),
    },
    { title: 'nothing', ask: () => post({}), expect: refused('/name', '/machine_type') },
    {
      title: 'an unknown field is named, with its pointer escaped',
      ask: () => post({ ...whole, 'a/b~c': 1 }),
      expect: refused('/a~1b~0c'),
    },
    { title: 'a field only the service sets', ask: () => post({ ...whole, id: unknownId }), expect: refused('/id') },
    {
      title: 'numbers as text',
      ask: () => post({ ...whole, position: { longitude: '1', latitude: 2 } }),
      expect: refused('/position/longitude'),
    },
    {
      title: 'a number beyond all bounds',
      ask: () => post('{"name":"a","machine_type":"pc","position":{"longitude":1e999,"latitude":0}}'),
      expect: refused('/position/longitude'),
    },
    { title: 'a control character', ask: () => post({ ...whole, name: 'a\u0007b' }), expect: refused('/name') },
    { title: 'NUL', ask: () => post({ ...whole, description: 'a\0b' }), expect: refused('/description') },
    {
      title: 'half a surrogate pair',
      ask: () => post('{"name":"a\\ud800","machine_type":"pc"}'),
      expect: refused('/name'),
    },
    { title: 'an array', ask: () => post([]), expect: refused('') },
    { title: 'no JSON', ask: () => post('{"name"'), expect: unreadable },
    { title: 'an empty body', ask: () => post(''), expect: unreadable },
    {
      title: 'a field that comes twice',
      ask: () => post('{"name":"a","machine_type":"pc","name":"b"}'),
      expect: unreadable,
    },
    {
      title: 'a field that comes twice, once escaped',
      ask: () => post('{"name":"a","machine_type":"pc","\\u006eame":"b"}'),
      expect: unreadable,
    },
    { title: '__proto__', ask: () => post('{"name":"a","machine_type":"pc","__proto__":{}}'), expect: unreadable },
    { title: 'a byte-order mark', ask: () => post('\ufeff{"name":"a","machine_type":"pc"}'), expect: unreadable },
    { title: 'nested 9 deep', ask: () => post(nested(9)), expect: unreadable },
    {
      title: 'more than 64 KiB',
      ask: () => post({ ...whole, description: 'a'.repeat(66_000) }),
      expect: { status: 413, code: 'body.too_large' },
    },
    {
      title: 'another media type',
      ask: () => post('name=a', { 'content-type': 'application/x-www-form-urlencoded' }),
      expect: { status: 415, code: 'body.not_json' },
    },
    {
      title: 'a media type that only begins like JSON',
      ask: () => post(whole, { 'content-type': 'application/jsonp' }),
      expect: { status: 415, code: 'body.not_json' },
    },
    {
      title: 'an Idempotency-Key that is none',
      ask: () => post(whole, { 'idempotency-key': 'a b' }),
      expect: { status: 400, code: 'idempotency.key_invalid' },
    },
    {
      title: 'the same Idempotency-Key with another body',
      ask: async ({ own, prepare }) => {
        await prepare(post(whole, { 'idempotency-key': own.id }));
        return post({ ...whole, name: 'another' }, { 'idempotency-key': own.id });
      },
      expect: { status: 400, code: 'idempotency.other_body' },
    },
  ],
  listResources: [
    {
      title: 'all of the caller',
      ask: () => ({ path: '/resources' }),
      expect: { status: 200, headers: { etag: /^W\/"/ } },
    },
    {
      title: 'unknown query parameters are ignored',
      ask: () => ({ path: '/resources?limit=1' }),
      expect: { status: 200 },
    },
    {
      title: 'a GET with a content type is served',
      ask: () => ({ path: '/resources', headers: { 'content-type': 'text/plain' } }),
      expect: { status: 200 },
    },
    {
      title: 'a method the path does not take',
      ask: () => ({ method: 'PATCH', path: '/resources', body: {} }),
      expect: { status: 405, code: 'route.method_not_allowed', headers: { allow: 'POST, GET, HEAD' } },
    },
    {
      title: 'not changed',
      ask: async ({ prepare }) => {
        const etag = (await prepare({ path: '/resources' })).headers.get('etag')!;
        return { path: '/resources', headers: { 'if-none-match': `"other", ${etag}` } };
      },
      expect: { status: 304 },
    },
    {
      title: 'changed meanwhile',
      ask: async ({ own, prepare }) => {
        const etag = (await prepare({ path: '/resources' })).headers.get('etag')!;
        await prepare(put(own.id, { name: 'changed' }));
        return { path: '/resources', headers: { 'if-none-match': etag } };
      },
      expect: { status: 200 },
    },
  ],
  getResource: [
    {
      title: 'as it was created',
      ask: ({ own }) => ({ path: `/resources/${own.id}` }),
      expect: ({ own }) => ({ status: 200, body: own, headers: { etag: '"1"' } }),
    },
    {
      title: 'not changed',
      ask: ({ own, etag }) => ({ path: `/resources/${own.id}`, headers: { 'if-none-match': etag } }),
      expect: { status: 304 },
    },
    {
      title: 'changed',
      ask: ({ own }) => ({ path: `/resources/${own.id}`, headers: { 'if-none-match': '"0"' } }),
      expect: { status: 200 },
    },
    { title: 'an id nobody has', ask: () => ({ path: `/resources/${unknownId}` }), expect: notFound },
    { title: 'no id at all', ask: () => ({ path: '/resources/1' }), expect: notFound },
    { title: 'an encoded slash', ask: () => ({ path: '/resources/%2f' }), expect: notFound },
    { title: 'an id that cannot be decoded', ask: () => ({ path: '/resources/%zz' }), expect: notFound },
    {
      title: 'a path nobody serves',
      ask: ({ own }) => ({ path: `/resources/${own.id}/nothing` }),
      expect: { status: 404, code: 'route.not_found' },
    },
    {
      title: 'a method the path does not take',
      ask: ({ own }) => ({ method: 'POST', path: `/resources/${own.id}`, body: {} }),
      expect: { status: 405, headers: { allow: 'GET, HEAD, PUT, DELETE' } },
    },
  ],
  updateResource: [
    {
      title: 'one field; the others stay',
      ask: ({ own }) => put(own.id, { name: 'New' }),
      expect: ({ own }) => ({ status: 200, body: { ...own, name: 'New' }, headers: { etag: '"2"' } }),
    },
    {
      title: 'nothing: only modified_at',
      ask: ({ own }) => put(own.id, {}),
      expect: ({ own }) => ({ status: 200, body: own }),
    },
    {
      title: 'null clears description and position',
      ask: ({ own }) => put(own.id, { description: null, position: null }),
      expect: ({ own: { description: _d, position: _p, ...rest } }) => ({ status: 200, body: rest }),
    },
    {
      title: 'read-only fields as they are stored',
      ask: ({ own }) => put(own.id, { ...own, name: 'New' }),
      expect: { status: 200, body: { name: 'New' } },
    },
    {
      title: 'what an update answered, put back',
      ask: async ({ own, prepare }) => put(own.id, await (await prepare(put(own.id, { name: 'Once' }))).json()),
      expect: { status: 200, body: { name: 'Once' } },
    },
    {
      title: 'read-only fields that differ, all by name',
      ask: ({ own }) => put(own.id, { id: unknownId, user_id: 'x', created_at: 'x', modified_at: 'x' }),
      expect: refused('/id', '/user_id', '/created_at', '/modified_at'),
    },
    {
      title: 'null is no name',
      ask: ({ own }) => put(own.id, { name: null, machine_type: null }),
      expect: refused('/name', '/machine_type'),
    },
    {
      title: 'half a position',
      ask: ({ own }) => put(own.id, { position: { latitude: 1 } }),
      expect: refused('/position/longitude'),
    },
    { title: 'an unknown field', ask: ({ own }) => put(own.id, { nmae: 'typo' }), expect: refused('/nmae') },
    {
      title: 'If-Match as it is',
      ask: ({ own, etag }) => put(own.id, { name: 'New' }, { 'if-match': `"7", ${etag}` }),
      expect: { status: 200 },
    },
    {
      title: 'If-Match: anything',
      ask: ({ own }) => put(own.id, { name: 'New' }, { 'if-match': '*' }),
      expect: { status: 200 },
    },
    {
      title: 'If-Match of another version',
      ask: ({ own }) => put(own.id, { name: 'New' }, { 'if-match': '"7"' }),
      expect: { ...changed, headers: { etag: '"1"' } },
    },
    {
      title: 'a weak tag never matches',
      ask: ({ own, etag }) => put(own.id, {}, { 'if-match': `W/${etag}` }),
      expect: changed,
    },
    {
      title: 'the body is looked at before If-Match',
      ask: ({ own }) => put(own.id, { name: '' }, { 'if-match': '"7"' }),
      expect: refused('/name'),
    },
    { title: 'the id is looked at before the body', ask: () => put(unknownId, '{'), expect: notFound },
    {
      title: 'another media type',
      ask: ({ own }) => put(own.id, '{}', { 'content-type': 'text/plain' }),
      expect: { status: 415, code: 'body.not_json' },
    },
    {
      title: 'more than 64 KiB',
      ask: ({ own }) => put(own.id, { description: 'a'.repeat(66_000) }),
      expect: { status: 413, code: 'body.too_large' },
    },
  ],
  destroyResource: [
    {
      title: 'gone, with an empty body',
      ask: ({ own }) => ({ method: 'DELETE', path: `/resources/${own.id}` }),
      expect: { status: 204 },
    },
    {
      title: 'a DELETE with a JSON body is served',
      ask: ({ own }) => ({ method: 'DELETE', path: `/resources/${own.id}`, body: {} }),
      expect: { status: 204 },
    },
    {
      title: 'gone already',
      ask: async ({ own, prepare }) => {
        await prepare({ method: 'DELETE', path: `/resources/${own.id}` });
        return { method: 'DELETE', path: `/resources/${own.id}` };
      },
      expect: notFound,
    },
    {
      title: 'If-Match of another version',
      ask: ({ own }) => ({ method: 'DELETE', path: `/resources/${own.id}`, headers: { 'if-match': '"7"' } }),
      expect: changed,
    },
    {
      title: 'If-Match as it is',
      ask: ({ own, etag }) => ({ method: 'DELETE', path: `/resources/${own.id}`, headers: { 'if-match': etag } }),
      expect: { status: 204 },
    },
    { title: 'an id nobody has', ask: () => ({ method: 'DELETE', path: `/resources/${unknownId}` }), expect: notFound },
  ],
  listSwarmsOfResource: [
    {
      title: 'in no swarm',
      ask: ({ own }) => ({ path: `/resources/${own.id}/swarms` }),
      expect: { status: 200, body: [] },
    },
    { title: 'an id nobody has', ask: () => ({ path: `/resources/${unknownId}/swarms` }), expect: notFound },
  ],
  createSwarm: [
    {
      title: 'name and description',
      ask: () => make('/swarms', { name: 'Ring', description: '' }),
      expect: {
        status: 201,
        body: { name: 'Ring', description: '', public: false, resources: [] },
        headers: { etag: '"1"', location: new RegExp(`^${origin}/service/swarms/[0-9a-f-]{36}$`) },
      },
    },
    {
      title: 'with own resources',
      ask: ({ own }) =>
        make('/swarms', {
          name: 'Ring',
          description: '',
          public: true,
          resources: [{ resource_id: own.id, resource_type: 'both' }],
        }),
      expect: ({ own }) => ({
        status: 201,
        body: {
          public: true,
          resources: [
            {
              resource_id: own.id,
              resource_type: 'both',
              user_id: 'ann',
              url: `${origin}/service/resources/${own.id}`,
            },
          ],
        },
      }),
    },
    {
      title: 'with a resource of somebody else',
      ask: ({ own, theirs }) =>
        make('/swarms', {
          name: 'Ring',
          description: '',
          resources: [
            { resource_id: own.id, resource_type: 'both' },
            { resource_id: theirs.id, resource_type: 'both' },
          ],
        }),
      expect: refused('/resources/1/resource_id'),
    },
    { title: 'without a description', ask: () => make('/swarms', { name: 'Ring' }), expect: refused('/description') },
    { title: 'no JSON', ask: () => make('/swarms', '{'), expect: unreadable },
    {
      title: 'once for the same Idempotency-Key',
      ask: async ({ own, prepare }) => {
        await prepare(make('/swarms', { name: own.id, description: '' }, { 'idempotency-key': own.id }));
        return make('/swarms', { name: 'another', description: '' }, { 'idempotency-key': own.id });
      },
      expect: { status: 400, code: 'idempotency.other_body' },
    },
  ],
  listSwarms: [{ title: 'owned and joined', ask: () => ({ path: '/swarms' }), expect: { status: 200 } }],
  getSwarm: [
    {
      title: 'whole',
      ask: ({ swarm }) => ({ path: `/swarms/${swarm.id}` }),
      expect: ({ swarm }) => ({ status: 200, body: swarm, headers: { etag: '"1"' } }),
    },
    {
      title: 'not changed',
      ask: ({ swarm }) => ({ path: `/swarms/${swarm.id}`, headers: { 'if-none-match': '"1"' } }),
      expect: { status: 304 },
    },
    {
      title: 'as its recipient: without members, with their number',
      ask: ({ invitation }) => ({ path: `/swarms/${invitation.swarm_id}` }),
      expect: { status: 200, body: { name: 'Theirs', user_id: 'ben', resources: [], member_count: 0 } },
    },
    { title: 'an id nobody has', ask: () => ({ path: `/swarms/${unknownId}` }), expect: swarmNotFound },
  ],
  updateSwarm: [
    {
      title: 'one field; the others stay',
      ask: ({ swarm }) => change(`/swarms/${swarm.id}`, { public: true }),
      expect: ({ swarm }) => ({ status: 200, body: { ...swarm, public: true }, headers: { etag: '"2"' } }),
    },
    {
      title: 'put back as it was read',
      ask: ({ swarm }) =>
        change(`/swarms/${swarm.id}`, {
          id: swarm.id,
          user_id: 'ann',
          created_at: swarm.created_at,
          resources: [],
          name: 'New',
        }),
      expect: { status: 200, body: { name: 'New' } },
    },
    {
      title: 'read-only fields that differ',
      ask: ({ swarm }) => change(`/swarms/${swarm.id}`, { id: unknownId, resources: [1] }),
      expect: refused('/id', '/resources'),
    },
    {
      title: 'If-Match of another version',
      ask: ({ swarm }) => change(`/swarms/${swarm.id}`, {}, { 'if-match': '"7"' }),
      expect: { status: 412, code: 'swarm.changed' },
    },
    {
      title: 'of somebody else',
      ask: ({ invitation }) => change(`/swarms/${invitation.swarm_id}`, {}),
      expect: { status: 403, code: 'swarm.forbidden' },
    },
  ],
  destroySwarm: [
    {
      title: 'gone, with an empty body',
      ask: ({ swarm }) => ({ method: 'DELETE', path: `/swarms/${swarm.id}` }),
      expect: { status: 204 },
    },
    {
      title: 'If-Match of another version',
      ask: ({ swarm }) => ({ method: 'DELETE', path: `/swarms/${swarm.id}`, headers: { 'if-match': '"7"' } }),
      expect: { status: 412 },
    },
  ],
  addMember: [
    {
      title: 'an own resource',
      ask: ({ swarm, own }) =>
        make(`/swarms/${swarm.id}/resources`, { resource_id: own.id, resource_type: 'producer' }),
      expect: ({ own }) => ({
        status: 201,
        body: {
          resource_id: own.id,
          resource_type: 'producer',
          user_id: 'ann',
          url: `${origin}/service/resources/${own.id}`,
        },
      }),
    },
    {
      title: 'the other role as well',
      ask: async ({ swarm, own, prepare }) => (
        await prepare(make(`/swarms/${swarm.id}/resources`, { resource_id: own.id, resource_type: 'producer' })),
        make(`/swarms/${swarm.id}/resources`, { resource_id: own.id, resource_type: 'consumer' })
      ),
      expect: { status: 201, body: { resource_type: 'both' } },
    },
    {
      title: 'a role it has',
      ask: async ({ swarm, own, prepare }) => (
        await prepare(make(`/swarms/${swarm.id}/resources`, { resource_id: own.id, resource_type: 'both' })),
        make(`/swarms/${swarm.id}/resources`, { resource_id: own.id, resource_type: 'consumer' })
      ),
      expect: { status: 409, code: 'membership.exists' },
    },
    {
      title: 'a resource of somebody else',
      ask: ({ swarm, theirs }) =>
        make(`/swarms/${swarm.id}/resources`, { resource_id: theirs.id, resource_type: 'both' }),
      expect: refused('/resource_id'),
    },
  ],
  listMembers: [
    {
      title: 'none',
      ask: ({ swarm }) => ({ path: `/swarms/${swarm.id}/resources` }),
      expect: { status: 200, body: [] },
    },
    {
      title: 'both has either role',
      ask: async ({ swarm, own, prepare }) => (
        await prepare(make(`/swarms/${swarm.id}/resources`, { resource_id: own.id, resource_type: 'both' })),
        { path: `/swarms/${swarm.id}/resources?type=producer` }
      ),
      expect: ({ own }) => ({
        status: 200,
        body: [expect.objectContaining({ resource_id: own.id, member_since: expect.any(String) as string })],
      }),
    },
    {
      title: 'a type that is none',
      ask: ({ swarm }) => ({ path: `/swarms/${swarm.id}/resources?type=both` }),
      expect: { status: 400, code: 'query.invalid', pointers: ['?type'] },
    },
  ],
  updateMember: [
    {
      title: 'an own resource in an own swarm, to any role',
      ask: async ({ swarm, own, prepare }) => (
        await prepare(make(`/swarms/${swarm.id}/resources`, { resource_id: own.id, resource_type: 'consumer' })),
        change(`/swarms/${swarm.id}/resources/${own.id}`, { resource_type: 'both' })
      ),
      expect: { status: 200, body: { resource_type: 'both' } },
    },
    {
      title: 'an own resource elsewhere, only narrower',
      ask: async ({ own, invitation, prepare }) => (
        await prepare(answer(own, invitation, 'accept')),
        change(`/swarms/${invitation.swarm_id}/resources/${own.id}`, { resource_type: 'producer' })
      ),
      expect: { status: 403, code: 'membership.cannot_widen' },
    },
    {
      title: 'no member',
      ask: ({ swarm, own }) => change(`/swarms/${swarm.id}/resources/${own.id}`, { resource_type: 'both' }),
      expect: { status: 404, code: 'membership.not_found' },
    },
  ],
  removeMember: [
    {
      title: 'leave',
      ask: async ({ own, invitation, prepare }) => (
        await prepare(answer(own, invitation, 'accept')),
        { method: 'DELETE', path: `/swarms/${invitation.swarm_id}/resources/${own.id}` }
      ),
      expect: { status: 204 },
    },
    {
      title: 'no member',
      ask: ({ swarm, own }) => ({ method: 'DELETE', path: `/swarms/${swarm.id}/resources/${own.id}` }),
      expect: { status: 404 },
    },
  ],
  sendInvitation: [
    {
      title: 'all fields',
      ask: ({ swarm, theirs }) => send(swarm, theirs, { description: 'please' }),
      expect: {
        status: 201,
        body: { from: 'ann', to: 'ben', resource_type: 'consumer', status: 'new', description: 'please' },
      },
    },
    {
      title: 'both cannot be offered',
      ask: ({ swarm, theirs }) => send(swarm, theirs, { resource_type: 'both' }),
      expect: refused('/resource_type'),
    },
    { title: 'to yourself', ask: ({ swarm, own }) => send(swarm, own, { to: 'ann' }), expect: refused('/to') },
    {
      title: 'a user nobody knows',
      ask: ({ swarm, theirs }) => send(swarm, theirs, { to: 'nobody' }),
      expect: refused('/resource_id'),
    },
    {
      title: 'a resource that is not theirs',
      ask: ({ swarm, own }) => send(swarm, own, {}),
      expect: refused('/resource_id'),
    },
    {
      title: 'once for the same Idempotency-Key',
      ask: async ({ swarm, theirs, prepare }) => {
        const asked = { ...send(swarm, theirs, {}), headers: { 'idempotency-key': theirs.id } };
        await prepare(asked);
        return asked;
      },
      expect: { status: 201 },
    },
  ],
  answerInvitation: [
    {
      title: 'accept',
      ask: ({ own, invitation }) => answer(own, invitation, 'accept'),
      expect: { status: 200, body: { status: 'accepted', accepted_at: expect.any(String) as string } },
    },
    {
      title: 'reject',
      ask: ({ own, invitation }) => answer(own, invitation, 'reject'),
      expect: { status: 200, body: { status: 'rejected', rejected_at: expect.any(String) as string } },
    },
    {
      title: 'the other answer',
      ask: async ({ own, invitation, prepare }) => (
        await prepare(answer(own, invitation, 'accept')),
        answer(own, invitation, 'reject')
      ),
      expect: { status: 409, code: 'invitation.already_answered' },
    },
    { title: 'no answer', ask: ({ own, invitation }) => answer(own, invitation, 'maybe'), expect: refused('/status') },
    {
      title: 'an invitation of another resource',
      ask: async ({ invitation, prepare }) =>
        answer((await (await prepare(post(whole))).json()) as Resource, invitation, 'accept'),
      expect: { status: 404, code: 'invitation.not_found' },
    },
  ],
  listSentInvitations: [
    {
      title: 'every state',
      ask: async ({ swarm, theirs, prepare }) => (
        await prepare(send(swarm, theirs, {})),
        { path: `/swarms/${swarm.id}/invitations` }
      ),
      expect: { status: 200, body: [expect.objectContaining({ status: 'new', to: 'ben' })] },
    },
  ],
  listInvitations: [{ title: 'of the account', ask: () => ({ path: '/invitations' }), expect: { status: 200 } }],
  listInvitationsOfResource: [
    {
      title: 'of the resource',
      ask: ({ own }) => ({ path: `/resources/${own.id}/invitations` }),
      expect: ({ invitation }) => ({ status: 200, body: [invitation] }),
    },
  ],
  // what it tells has tests of its own, over real connections
  streamEvents: [
    {
      title: 'the head of a stream',
      ask: () => ({ method: 'HEAD', path: '/events' }),
      expect: { status: 200, headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' } },
    },
    {
      title: 'a method the path does not take',
      ask: () => ({ method: 'POST', path: '/events', body: {} }),
      expect: { status: 405, headers: { allow: 'GET, HEAD' } },
    },
  ],
  withdrawInvitation: [
    {
      title: 'while it is new',
      ask: async ({ swarm, theirs, prepare }) => {
        const { id } = (await (await prepare(send(swarm, theirs, {}))).json()) as Invitation;
        return { method: 'DELETE', path: `/swarms/${swarm.id}/invitations/${id}` };
      },
      expect: { status: 204 },
    },
    {
      title: 'one that is not there',
      ask: ({ swarm }) => ({ method: 'DELETE', path: `/swarms/${swarm.id}/invitations/${unknownId}` }),
      expect: { status: 404, code: 'invitation.not_found' },
    },
  ],
};

interface Document {
  paths: Record<
    string,
    Record<string, { operationId: string; responses: Record<string, { content?: Record<string, { schema: object }> }> }>
  >;
}

let house: House;
let person: Person;
let other: Person;
let document: Document;
let ajv: Ajv2020;
beforeAll(async () => {
  house = await createHouse();
  person = await house.person('ann');
  other = await house.person('ben');
  document = (await (await house.fetch('/service/openapi.json')).json()) as Document;
  ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  ajv.addSchema(document, 'openapi');
});
afterAll(() => house[Symbol.asyncDispose]());

function operations() {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  );
}

/** The answer is one the document has: its status, its media type, its shape. */
async function holdAgainstDocument(operationId: string, answer: Response, text: string) {
  // a method that is not there belongs to no operation
  if (answer.status === 405) return;
  const { path, method, responses } = operations().find((operation) => operation.operationId === operationId)!;
  const documented = responses[answer.status];
  expect(documented, `${operationId} may answer ${answer.status}`).toBeDefined();
  if (text === '') return;
  const type = answer.headers.get('content-type')!;
  expect(Object.keys(documented!.content ?? {})).toContain(type);
  const pointer = ['paths', path, method, 'responses', String(answer.status), 'content', type, 'schema'];
  const reference = pointer
    .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/');
  const validate = ajv.getSchema(`openapi#/${reference}`)!;
  expect(validate(JSON.parse(text)), JSON.stringify(validate.errors)).toBe(true);
}

async function world(way: Way) {
  const prepare = (asked: Asked) => house.ask(way, person, asked);
  const made = await prepare(post(whole));
  const own = (await made.json()) as Resource;
  const make = async <T>(who: Person, path: string, body: object) =>
    (await (await house.ask(way, who, { method: 'POST', path, body })).json()) as T;
  const swarm = await make<Swarm>(person, '/swarms', { name: 'Ring', description: 'of sensors' });
  const theirs = await make<Resource>(other, '/resources', whole);
  const theirSwarm = await make<Swarm>(other, '/swarms', { name: 'Theirs', description: '' });
  const body = { to: person.name, resource_id: own.id, resource_type: 'consumer' };
  const invitation = await make<Invitation>(other, `/swarms/${theirSwarm.id}/invitations`, body);
  return { own, etag: made.headers.get('etag')!, prepare, swarm, theirs, invitation };
}

describe.each(ways)('%s', (way) => {
  for (const [operationId, cases] of Object.entries(table)) {
    test.each(cases)(`${operationId}: $title`, async ({ ask, expect: wanted }) => {
      const context = await world(way);
      const expected = typeof wanted === 'function' ? wanted(context) : wanted;
      const answer = await house.ask(way, person, await ask(context));
      const text = await answer.text();
      const body = text === '' ? undefined : (JSON.parse(text) as { code?: string; errors?: { pointer: string }[] });

      expect(answer.status, text).toBe(expected.status);
      if (expected.code) expect(body?.code).toBe(expected.code);
      if (expected.pointers) expect(body?.errors?.map(({ pointer }) => pointer)).toEqual(expected.pointers);
      if (expected.body)
        expect(body).toEqual(Array.isArray(expected.body) ? expected.body : expect.objectContaining(expected.body));
      for (const [name, value] of Object.entries(expected.headers ?? {})) {
        expect(answer.headers.get(name)).toEqual(value instanceof RegExp ? expect.stringMatching(value) : value);
      }
      await holdAgainstDocument(operationId, answer, text);
    });
  }
});

test('every operation has rows, and every handler is in the document', () => {
  expect(
    operations()
      .map(({ operationId }) => operationId)
      .toSorted(),
  ).toEqual(Object.keys(table).toSorted());
  const documented = operations().map(
    ({ method, path }) => `${method.toUpperCase()} /service${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
  );
  const handled = house.app.endpoints
    .filter(({ path }) => path.startsWith('/service'))
    .map(({ method, path }) => `${method} ${path}`);
  expect(documented.toSorted()).toEqual([...new Set(handled)].toSorted());
});
