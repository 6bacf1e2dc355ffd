import { expect } from 'vitest';
import type { ListedMember } from '../contract.ts';
import {
  allows,
  forbidden,
  get,
  notFound,
  onceForAKey,
  post,
  put,
  refused,
  remove,
  still,
  strangeBodies,
  strangeIds,
  tooMany,
  unknownId,
} from './contract.cases.ts';
import type { Cases, Context, Expected } from './contract.cases.ts';
import { origin } from './test-server.fixture.ts';

type Named = { id: string };
const add = ({ id }: Named, body: unknown, headers = {}) => post(`/swarms/${id}/resources`, body, headers);
const change = (swarm: Named, { id }: Named, body: unknown, headers = {}) =>
  put(`/swarms/${swarm.id}/resources/${id}`, body, headers);
const leave = (swarm: Named, { id }: Named) => remove(`/swarms/${swarm.id}/resources/${id}`);
const as = ({ id }: Named, resource_type: string) => ({ resource_id: id, resource_type });
const held: Expected = { status: 409, code: 'membership.exists' };
const wider: Expected = { status: 403, code: 'membership.cannot_widen' };
const anyTime = expect.stringMatching(/^\d{4}-/) as string;

/** Makes Ben's device a member of Ann's swarm, with both roles. */
async function guest({ ann, ben, swarm, theirs }: Context): Promise<void> {
  await ben.accept(await ann.invite(swarm, theirs, 'producer'));
  await ben.accept(await ann.invite(swarm, theirs, 'consumer'));
}

export const memberCases: Cases = {
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
      title: 'an own resource',
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
      title: 'the other role as well',
      async request({ ann, swarm, own }) {
        await ann.add(swarm, own, 'producer');
        return add(swarm, as(own, 'consumer'));
      },
      expect: { status: 201, body: { resource_type: 'both' } },
    },
    {
      title: 'both, where it has one',
      async request({ ann, swarm, own }) {
        await ann.add(swarm, own, 'consumer');
        return add(swarm, as(own, 'both'));
      },
      expect: { status: 201, body: { resource_type: 'both' } },
    },
    {
      title: 'a role it has',
      async request({ ann, swarm, own }) {
        await ann.add(swarm, own, 'consumer');
        return add(swarm, as(own, 'consumer'));
      },
      expect: held,
    },
    {
      title: 'a role it has with the other',
      async request({ ann, swarm, own }) {
        await ann.add(swarm, own, 'both');
        return add(swarm, as(own, 'producer'));
      },
      expect: held,
    },
    ...still([
      {
        title: 'a resource of somebody else',
        request: ({ swarm, theirs }) => add(swarm, as(theirs, 'both')),
        expect: refused('/resource_id'),
      },
      {
        title: 'a resource nobody has',
        request: ({ swarm }) => add(swarm, as({ id: unknownId }, 'both')),
        expect: refused('/resource_id'),
      },
      {
        title: 'an id that is none',
        request: ({ swarm }) => add(swarm, as({ id: 'x' }, 'both')),
        expect: refused('/resource_id'),
      },
      {
        title: 'a role that is none',
        request: ({ swarm, own }) => add(swarm, as(own, 'owner')),
        expect: refused('/resource_type'),
      },
      { title: 'nothing', request: ({ swarm }) => add(swarm, {}), expect: refused('/resource_id', '/resource_type') },
      {
        title: 'a field only the service sets',
        request: ({ swarm, own }) => add(swarm, { ...as(own, 'both'), user_id: 'ann' }),
        expect: refused('/user_id'),
      },
      {
        title: 'to a swarm of somebody else, before the body',
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
    { title: 'none', request: ({ swarm }) => get(`/swarms/${swarm.id}/resources`), expect: { status: 200, body: [] } },
    {
      title: 'longest in it first, with their time',
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
      title: `type=${type}: both has either role`,
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
      title: 'type=producer: whoever has that role alone',
      async request({ ann, swarm, own }) {
        await ann.add(swarm, own, 'producer');
        return get(`/swarms/${swarm.id}/resources?type=producer`);
      },
      expect: ({ own }) => ({ status: 200, body: [expect.objectContaining(as(own, 'producer'))] }),
    },
    {
      title: 'not changed',
      async request({ ann, swarm }) {
        const etag = (await ann.request(get(`/swarms/${swarm.id}/resources`))).headers.get('etag')!;
        return get(`/swarms/${swarm.id}/resources`, { 'if-none-match': etag });
      },
      expect: { status: 304 },
    },
    ...still([
      {
        title: 'unknown query parameters are ignored',
        request: ({ swarm }) => get(`/swarms/${swarm.id}/resources?limit=1`),
        expect: { status: 200 },
      },
      ...['both', '', 'Producer'].map((type) => ({
        title: `a type that is none: "${type}"`,
        request: ({ swarm }: Context) => get(`/swarms/${swarm.id}/resources?type=${type}`),
        expect: { status: 400, code: 'query.invalid', pointers: ['?type'], faults: ['field.not_allowed'] },
      })),
      {
        title: 'as its recipient, whatever the type',
        request: ({ theirSwarm }) => get(`/swarms/${theirSwarm.id}/resources?type=none`),
        expect: forbidden('swarm'),
      },
      {
        title: 'a method the path does not take',
        request: ({ swarm }) => put(`/swarms/${swarm.id}/resources`, {}),
        expect: allows('POST, GET, HEAD'),
      },
    ]),
    ...strangeIds('swarm', (_, id) => get(`/swarms/${id}/resources`)),
  ],

  updateMember: [
    {
      title: 'an own resource in an own swarm, to any role',
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
      title: 'an own resource in an own swarm, wider',
      async request({ ann, swarm, own }) {
        await ann.add(swarm, own, 'consumer');
        return change(swarm, own, { resource_type: 'both' });
      },
      expect: { status: 200, body: { resource_type: 'both' } },
    },
    {
      title: 'a guest, narrower',
      async request(context) {
        await guest(context);
        return change(context.swarm, context.theirs, { resource_type: 'producer' });
      },
      expect: { status: 200, body: { resource_type: 'producer', user_id: 'ben' } },
    },
    {
      title: 'a guest, wider again',
      async request(context) {
        await guest(context);
        await context.ann.role(context.swarm, context.theirs, 'producer');
        return change(context.swarm, context.theirs, { resource_type: 'both' });
      },
      expect: wider,
    },
    {
      title: 'a guest, to the other role',
      async request(context) {
        await guest(context);
        await context.ann.role(context.swarm, context.theirs, 'producer');
        return change(context.swarm, context.theirs, { resource_type: 'consumer' });
      },
      expect: wider,
    },
    {
      title: 'an own resource elsewhere, as it is',
      async request({ ann, own, theirSwarm, invitation }) {
        await ann.accept(invitation);
        return change(theirSwarm, own, { resource_type: 'consumer' });
      },
      expect: { status: 200, body: { resource_type: 'consumer' } },
    },
    {
      title: 'an own resource elsewhere, wider',
      async request({ ann, own, theirSwarm, invitation }) {
        await ann.accept(invitation);
        return change(theirSwarm, own, { resource_type: 'both' });
      },
      expect: wider,
    },
    {
      title: 'of somebody else, elsewhere',
      async request({ ann, ben, theirs, theirSwarm, invitation }) {
        await ann.accept(invitation);
        await ben.add(theirSwarm, theirs);
        return change(theirSwarm, theirs, '{');
      },
      expect: forbidden('swarm'),
    },
    ...still([
      {
        title: 'no member',
        request: ({ swarm, own }) => change(swarm, own, { resource_type: 'both' }),
        expect: notFound('membership'),
      },
      {
        title: 'in a swarm one is only invited to',
        request: ({ theirSwarm, own }) => change(theirSwarm, own, { resource_type: 'both' }),
        expect: forbidden('swarm'),
      },
      {
        title: 'a method the path does not take',
        request: ({ swarm, own }) => get(`/swarms/${swarm.id}/resources/${own.id}`),
        expect: allows('PUT, DELETE'),
      },
    ]),
    ...strangeIds('swarm', ({ own }, id) => change({ id }, own, { resource_type: 'both' })),
    ...strangeIds('membership', ({ swarm }, id) => change(swarm, { id }, { resource_type: 'both' })),
    ...still([
      {
        title: 'a role that is none',
        request: ({ home: { swarm, device } }) => change(swarm, device, { resource_type: 'owner' }),
        expect: refused('/resource_type'),
      },
      {
        title: 'nothing',
        request: ({ home: { swarm, device } }) => change(swarm, device, {}),
        expect: refused('/resource_type'),
      },
      {
        title: 'read-only fields that differ, all by name',
        request: ({ home: { swarm, device } }) =>
          change(swarm, device, { resource_type: 'both', resource_id: 'x', user_id: 'x', url: 'x', member_since: 'x' }),
        expect: refused('/resource_id', '/user_id', '/url', '/member_since'),
      },
      {
        title: 'read-only fields beside other faults: all at once, each once',
        request: ({ home: { swarm, device } }) => change(swarm, device, { resource_type: 'all', url: 'x', user_id: 7 }),
        expect: refused('/resource_type', '/user_id', '/url'),
      },
    ]),
    ...strangeBodies(
      ({ home: { swarm, device } }, body, headers) => change(swarm, device, body, headers),
      () => ({ resource_type: 'both' }),
    ),
  ],

  removeMember: [
    {
      title: 'leave',
      async request({ ann, own, theirSwarm, invitation }) {
        await ann.accept(invitation);
        return leave(theirSwarm, own);
      },
      expect: { status: 204 },
    },
    {
      title: 'remove a guest',
      async request(context) {
        await guest(context);
        return leave(context.swarm, context.theirs);
      },
      expect: { status: 204 },
    },
    {
      title: 'a DELETE with a JSON body is served',
      async request({ ann, swarm, own }) {
        await ann.add(swarm, own);
        return { ...leave(swarm, own), body: {} };
      },
      expect: { status: 204 },
    },
    {
      title: 'gone already',
      async request({ ann, swarm, own }) {
        await ann.add(swarm, own);
        await ann.leave(swarm, own);
        return leave(swarm, own);
      },
      expect: notFound('membership'),
    },
    {
      title: 'of somebody else, elsewhere',
      async request({ ann, ben, theirs, theirSwarm, invitation }) {
        await ann.accept(invitation);
        await ben.add(theirSwarm, theirs);
        return leave(theirSwarm, theirs);
      },
      expect: forbidden('swarm'),
    },
    ...still([
      { title: 'no member', request: ({ swarm, own }) => leave(swarm, own), expect: notFound('membership') },
      {
        title: 'from a swarm one is only invited to',
        request: ({ theirSwarm, own }) => leave(theirSwarm, own),
        expect: forbidden('swarm'),
      },
    ]),
    ...strangeIds('swarm', ({ own }, id) => leave({ id }, own)),
    ...strangeIds('membership', ({ swarm }, id) => leave(swarm, { id })),
  ],
};
