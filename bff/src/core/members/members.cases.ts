import { expect } from 'vitest';
import type { ListedMember } from '../../contract.ts';
import {
  allows,
  forbidden,
  get,
  notFound,
  onceForAKey,
  post,
  put,
  invalidBody,
  remove,
  readOnlyCases,
  strangeBodies,
  strangeIds,
  tooMany,
  unknownId,
  type Cases,
  type Context,
  type Expected,
} from '../../tests/contract.cases.ts';
import { origin } from '../../tests/test-server.fixture.ts';

type Named = { id: string };
const add = ({ id }: Named, body: unknown, headers = {}) => post(`/swarms/${id}/resources`, body, headers);
const change = (swarm: Named, { id }: Named, body: unknown, headers = {}) =>
  put(`/swarms/${swarm.id}/resources/${id}`, body, headers);
const leave = (swarm: Named, { id }: Named) => remove(`/swarms/${swarm.id}/resources/${id}`);
const takeRole = (swarm: Named, { id }: Named, type: string) =>
  remove(`/swarms/${swarm.id}/resources/${id}?type=${type}`);
const as = ({ id }: Named, resource_type: string) => ({ resource_id: id, resource_type });
const held: Expected = { status: 409, code: 'membership.exists' };
const wider: Expected = { status: 403, code: 'membership.cannot_widen' };
const anyTime = expect.stringMatching(/^\d{4}-/) as string;

/** Makes Ben's device a member of Ann's swarm, with both roles. */
async function guest({ ann, ben, swarm, theirs }: Context): Promise<void> {
  await ben.accept(await ann.invite(swarm, theirs, 'producer'));
  await ben.accept(await ann.invite(swarm, theirs, 'consumer'));
}

export const cases: Cases = {
  addMember: [
    {
      title: 'beyond the quota of the swarm',
      request: async ({ fill, home, own }) => {
        await fill(home);
        return post(`/swarms/${home.swarm.id}/resources`, { resource_id: own.id, resource_type: 'both' });
      },
      expect: tooMany('membership'),
    },
    {
      title: 'a resource of the caller',
      request: ({ swarm, own }) => add(swarm, as(own, 'producer')),
      expect: ({ swarm, own }) => {
        const url = `${origin}/service/resources/${own.id}`;
        return {
          status: 201,
          body: { ...as(own, 'producer'), user_id: 'ann', url },
          headers: { location: `${origin}/service/swarms/${swarm.id}/resources/${own.id}` },
        };
      },
    },
    {
      title: 'the other role in addition',
      async request({ ann, swarm, own }) {
        await ann.add(swarm, own, 'producer');
        return add(swarm, as(own, 'consumer'));
      },
      expect: { status: 201, body: { resource_type: 'both' } },
    },
    {
      title: 'both for a member with one role',
      async request({ ann, swarm, own }) {
        await ann.add(swarm, own, 'consumer');
        return add(swarm, as(own, 'both'));
      },
      expect: { status: 201, body: { resource_type: 'both' } },
    },
    {
      title: 'a role that the member already has',
      async request({ ann, swarm, own }) {
        await ann.add(swarm, own, 'consumer');
        return add(swarm, as(own, 'consumer'));
      },
      expect: held,
    },
    {
      title: 'one role of a member with both',
      async request({ ann, swarm, own }) {
        await ann.add(swarm, own, 'both');
        return add(swarm, as(own, 'producer'));
      },
      expect: held,
    },
    ...readOnlyCases([
      {
        title: 'a resource of another user',
        request: ({ swarm, theirs }) => add(swarm, as(theirs, 'both')),
        expect: invalidBody('/resource_id'),
      },
      {
        title: 'a resource that does not exist',
        request: ({ swarm }) => add(swarm, as({ id: unknownId }, 'both')),
        expect: invalidBody('/resource_id'),
      },
      {
        title: 'a malformed id',
        request: ({ swarm }) => add(swarm, as({ id: 'x' }, 'both')),
        expect: invalidBody('/resource_id'),
      },
      {
        title: 'an unknown role',
        request: ({ swarm, own }) => add(swarm, as(own, 'owner')),
        expect: invalidBody('/resource_type'),
      },
      {
        title: 'an empty object',
        request: ({ swarm }) => add(swarm, {}),
        expect: invalidBody('/resource_id', '/resource_type'),
      },
      {
        title: 'a field that only the service sets',
        request: ({ swarm, own }) => add(swarm, { ...as(own, 'both'), user_id: 'ann' }),
        expect: invalidBody('/user_id'),
      },
      {
        title: 'a swarm of another user is reported before an invalid body',
        request: ({ theirSwarm }) => add(theirSwarm, '{'),
        expect: forbidden('swarm'),
      },
    ]),
    ...strangeIds('swarm', ({ own }, id) => add({ id }, as(own, 'both'))),
    ...strangeBodies(
      ({ swarm }, body, headers) => add(swarm, body, headers),
      ({ own }) => as(own, 'both'),
    ),
    ...onceForAKey(
      ({ swarm }, body, headers) => add(swarm, body, headers),
      ({ own }) => as(own, 'producer'),
      ({ own }) => as(own, 'consumer'),
    ),
  ],

  listMembers: [
    {
      title: 'an empty list',
      request: ({ swarm }) => get(`/swarms/${swarm.id}/resources`),
      expect: { status: 200, body: [] },
    },
    {
      title: 'sorted by member_since, oldest first',
      async request(context) {
        await guest(context);
        context.later();
        await context.ann.add(context.swarm, context.own, 'producer');
        return get(`/swarms/${context.swarm.id}/resources`);
      },
      expect: ({ own, theirs }) => ({
        status: 200,
        body: [
          { ...as(theirs, 'both'), user_id: 'ben' },
          { ...as(own, 'producer'), user_id: 'ann' },
        ].map((member) => ({
          ...member,
          url: `${origin}/service/resources/${member.resource_id}`,
          member_since: anyTime,
        })),
        headers: { etag: /^W\/"/ },
      }),
    },
    ...(['producer', 'consumer'] as const).map((type) => ({
      title: `type=${type} includes members with both roles`,
      async request(context: Context) {
        await guest(context);
        await context.ann.add(context.swarm, context.own, type === 'producer' ? 'consumer' : 'producer');
        return get(`/swarms/${context.swarm.id}/resources?type=${type}`);
      },
      expect: ({ theirs }: Context) => ({
        status: 200,
        body: [expect.objectContaining(as(theirs, 'both')) as ListedMember],
      }),
    })),
    {
      title: 'type=producer includes members with that role only',
      async request({ ann, swarm, own }) {
        await ann.add(swarm, own, 'producer');
        return get(`/swarms/${swarm.id}/resources?type=producer`);
      },
      expect: ({ own }) => ({ status: 200, body: [expect.objectContaining(as(own, 'producer'))] }),
    },
    {
      title: 'If-None-Match with the current version gets 304',
      async request({ ann, swarm }) {
        const etag = (await ann.request(get(`/swarms/${swarm.id}/resources`))).headers.get('etag')!;
        return get(`/swarms/${swarm.id}/resources`, { 'if-none-match': etag });
      },
      expect: { status: 304 },
    },
    ...readOnlyCases([
      {
        title: 'unknown query parameters are ignored',
        request: ({ swarm }) => get(`/swarms/${swarm.id}/resources?limit=1`),
        expect: { status: 200 },
      },
      ...['both', '', 'Producer'].map((type) => ({
        title: `an unknown type: "${type}"`,
        request: ({ swarm }: Context) => get(`/swarms/${swarm.id}/resources?type=${type}`),
        expect: { status: 400, code: 'query.invalid', pointers: ['?type'], faults: ['field.not_allowed'] },
      })),
      {
        title: 'to an invited user, the missing permission is reported before an unknown type',
        request: ({ theirSwarm }) => get(`/swarms/${theirSwarm.id}/resources?type=none`),
        expect: forbidden('swarm'),
      },
      {
        title: 'an unsupported method',
        request: ({ swarm }) => put(`/swarms/${swarm.id}/resources`, {}),
        expect: allows('POST, GET, HEAD'),
      },
    ]),
    ...strangeIds('swarm', (_, id) => get(`/swarms/${id}/resources`)),
  ],

  updateMember: [
    {
      title: 'own resource in own swarm: any role',
      async request({ ann, swarm, own }) {
        await ann.add(swarm, own, 'consumer');
        return change(swarm, own, { resource_type: 'producer' });
      },
      expect: ({ own }) => ({
        status: 200,
        body: { ...as(own, 'producer'), user_id: 'ann', url: `${origin}/service/resources/${own.id}` },
      }),
    },
    {
      title: 'own resource in own swarm: a role in addition',
      async request({ ann, swarm, own }) {
        await ann.add(swarm, own, 'consumer');
        return change(swarm, own, { resource_type: 'both' });
      },
      expect: { status: 200, body: { resource_type: 'both' } },
    },
    {
      title: 'resource of another user in own swarm: a role less',
      async request(context) {
        await guest(context);
        return change(context.swarm, context.theirs, { resource_type: 'producer' });
      },
      expect: { status: 200, body: { resource_type: 'producer', user_id: 'ben' } },
    },
    {
      title: 'resource of another user in own swarm: a role in addition is rejected',
      async request(context) {
        await guest(context);
        await context.ann.role(context.swarm, context.theirs, 'producer');
        return change(context.swarm, context.theirs, { resource_type: 'both' });
      },
      expect: wider,
    },
    {
      title: 'resource of another user in own swarm: the other role is rejected',
      async request(context) {
        await guest(context);
        await context.ann.role(context.swarm, context.theirs, 'producer');
        return change(context.swarm, context.theirs, { resource_type: 'consumer' });
      },
      expect: wider,
    },
    {
      title: 'own resource in another user’s swarm: the same role',
      async request({ ann, own, theirSwarm, invitation }) {
        await ann.accept(invitation);
        return change(theirSwarm, own, { resource_type: 'consumer' });
      },
      expect: { status: 200, body: { resource_type: 'consumer' } },
    },
    {
      title: 'own resource in another user’s swarm: a role in addition is rejected',
      async request({ ann, own, theirSwarm, invitation }) {
        await ann.accept(invitation);
        return change(theirSwarm, own, { resource_type: 'both' });
      },
      expect: wider,
    },
    {
      title: 'resource of another user in another user’s swarm',
      async request({ ann, ben, theirs, theirSwarm, invitation }) {
        await ann.accept(invitation);
        await ben.add(theirSwarm, theirs);
        return change(theirSwarm, theirs, '{');
      },
      expect: forbidden('swarm'),
    },
    ...readOnlyCases([
      {
        title: 'a resource that is not a member',
        request: ({ swarm, own }) => change(swarm, own, { resource_type: 'both' }),
        expect: notFound('membership'),
      },
      {
        title: 'in a swarm to which the caller is only invited',
        request: ({ theirSwarm, own }) => change(theirSwarm, own, { resource_type: 'both' }),
        expect: forbidden('swarm'),
      },
      {
        title: 'an unsupported method',
        request: ({ swarm, own }) => get(`/swarms/${swarm.id}/resources/${own.id}`),
        expect: allows('PUT, DELETE'),
      },
    ]),
    ...strangeIds('swarm', ({ own }, id) => change({ id }, own, { resource_type: 'both' })),
    ...strangeIds('membership', ({ swarm }, id) => change(swarm, { id }, { resource_type: 'both' })),
    ...readOnlyCases([
      {
        title: 'an unknown role',
        request: ({ home: { swarm, device } }) => change(swarm, device, { resource_type: 'owner' }),
        expect: invalidBody('/resource_type'),
      },
      {
        title: 'an empty object',
        request: ({ home: { swarm, device } }) => change(swarm, device, {}),
        expect: ({ home: { device } }) => ({
          status: 200,
          body: { resource_id: device.id, resource_type: 'both' },
        }),
      },
      {
        title: 'changed read-only fields are all named',
        request: ({ home: { swarm, device } }) =>
          change(swarm, device, { resource_type: 'both', resource_id: 'x', user_id: 'x', url: 'x', member_since: 'x' }),
        expect: invalidBody('/resource_id', '/user_id', '/url', '/member_since'),
      },
      {
        title: 'changed read-only fields and other errors are reported together, each once',
        request: ({ home: { swarm, device } }) => change(swarm, device, { resource_type: 'all', url: 'x', user_id: 7 }),
        expect: invalidBody('/resource_type', '/user_id', '/url'),
      },
    ]),
    ...strangeBodies(
      ({ home: { swarm, device } }, body, headers) => change(swarm, device, body, headers),
      () => ({ resource_type: 'both' }),
    ),
  ],

  removeMember: [
    {
      title: 'the owner of the resource leaves',
      async request({ ann, own, theirSwarm, invitation }) {
        await ann.accept(invitation);
        return leave(theirSwarm, own);
      },
      expect: { status: 204 },
    },
    {
      title: 'the owner of the swarm removes a resource of another user',
      async request(context) {
        await guest(context);
        return leave(context.swarm, context.theirs);
      },
      expect: { status: 204 },
    },
    {
      title: 'one role of both, by the owner of the swarm',
      async request(context) {
        await guest(context);
        return takeRole(context.swarm, context.theirs, 'producer');
      },
      expect: { status: 204 },
    },
    {
      title: 'a role that it does not have: not found',
      async request({ ann, swarm, own }) {
        await ann.add(swarm, own, 'producer');
        return takeRole(swarm, own, 'consumer');
      },
      expect: notFound('membership'),
    },
    ...['both', '', 'Producer'].map((type) => ({
      title: `an unknown type: "${type}"`,
      async request({ ann, swarm, own }: Context) {
        await ann.add(swarm, own);
        return takeRole(swarm, own, type);
      },
      expect: { status: 400, code: 'query.invalid', pointers: ['?type'], faults: ['field.not_allowed'] },
    })),
    {
      title: 'a JSON body is ignored',
      async request({ ann, swarm, own }) {
        await ann.add(swarm, own);
        return { ...leave(swarm, own), body: {} };
      },
      expect: { status: 204 },
    },
    {
      title: 'a second time: not found',
      async request({ ann, swarm, own }) {
        await ann.add(swarm, own);
        await ann.leave(swarm, own);
        return leave(swarm, own);
      },
      expect: notFound('membership'),
    },
    {
      title: 'resource of another user in another user’s swarm',
      async request({ ann, ben, theirs, theirSwarm, invitation }) {
        await ann.accept(invitation);
        await ben.add(theirSwarm, theirs);
        return leave(theirSwarm, theirs);
      },
      expect: forbidden('swarm'),
    },
    ...readOnlyCases([
      {
        title: 'a resource that is not a member',
        request: ({ swarm, own }) => leave(swarm, own),
        expect: notFound('membership'),
      },
      {
        title: 'from a swarm to which the caller is only invited',
        request: ({ theirSwarm, own }) => leave(theirSwarm, own),
        expect: forbidden('swarm'),
      },
    ]),
    ...strangeIds('swarm', ({ own }, id) => leave({ id }, own)),
    ...strangeIds('membership', ({ swarm }, id) => leave(swarm, { id })),
  ],
};
