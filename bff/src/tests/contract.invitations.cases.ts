import { expect } from 'vitest';
import type { Invitation, Resource } from '../contract.ts';
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
  strangeTexts,
  tooMany,
  unknownId,
} from './contract.cases.ts';
import type { Cases, Context, Expected } from './contract.cases.ts';
import { origin } from './test-server.fixture.ts';

type Named = { id: string };
const to = ({ id, user_id }: Resource, more: object = {}) => ({
  to: user_id,
  resource_id: id,
  resource_type: 'consumer',
  ...more,
});
const send = ({ id }: Named, body: unknown, headers = {}) => post(`/swarms/${id}/invitations`, body, headers);
const answer = ({ id }: Named, invitation: Named, body: unknown, headers = {}) =>
  put(`/resources/${id}/invitations/${invitation.id}`, body, headers);
const withdraw = ({ id }: Named, invitation: Named) => remove(`/swarms/${id}/invitations/${invitation.id}`);
const answered: Expected = { status: 409, code: 'invitation.already_answered' };
const anyTime = expect.stringMatching(/^\d{4}-/) as string;

export const invitationCases: Cases = {
  sendInvitation: [
    {
      title: 'beyond the quota',
      request: async ({ fill, ann, swarm, home, theirs }) => {
        await ann.invite(home.swarm, theirs);
        await fill('invitations');
        return send(swarm, to(theirs));
      },
      expect: tooMany('invitation'),
    },
    {
      title: 'all fields',
      request: ({ swarm, theirs }) => send(swarm, to(theirs, { description: 'please' })),
      expect: ({ swarm, theirs }) => ({
        status: 201,
        body: {
          ...to(theirs, { description: 'please' }),
          from: 'ann',
          swarm_id: swarm.id,
          status: 'new',
          sent_at: anyTime,
        },
        headers: { location: new RegExp(`^${origin}/service/resources/${theirs.id}/invitations/[0-9a-f-]{36}$`) },
      }),
    },
    {
      title: 'an empty description is a value',
      request: ({ swarm, theirs }) => send(swarm, to(theirs, { description: '' })),
      expect: { status: 201, body: { description: '' } },
    },
    {
      title: 'a description of 2,000, with line breaks',
      request: ({ swarm, theirs }) => send(swarm, to(theirs, { description: '\n🛰'.repeat(1000) })),
      expect: { status: 201 },
    },
    {
      title: 'again while it is open: the same one, with the new text',
      async request({ ann, swarm, theirs }) {
        await ann.invite(swarm, theirs, 'consumer', { description: 'please' });
        return send(swarm, to(theirs, { description: 'now' }));
      },
      expect: { status: 201, body: { description: 'now', status: 'new' } },
    },
    {
      title: 'again after a rejection',
      async request({ ann, ben, swarm, theirs }) {
        await ben.reject(await ann.invite(swarm, theirs));
        return send(swarm, to(theirs));
      },
      expect: { status: 201, body: { status: 'new' } },
    },
    {
      title: 'again after leaving',
      async request({ ann, ben, swarm, theirs }) {
        await ben.accept(await ann.invite(swarm, theirs));
        await ben.leave(swarm, theirs);
        return send(swarm, to(theirs));
      },
      expect: { status: 201, body: { status: 'new' } },
    },
    {
      title: 'a role that is held',
      async request({ ann, ben, swarm, theirs }) {
        await ben.accept(await ann.invite(swarm, theirs));
        return send(swarm, to(theirs));
      },
      expect: { status: 409, code: 'membership.exists' },
    },
    {
      title: 'the other role',
      async request({ ann, ben, swarm, theirs }) {
        await ben.accept(await ann.invite(swarm, theirs));
        return send(swarm, to(theirs, { resource_type: 'producer' }));
      },
      expect: { status: 201, body: { resource_type: 'producer' } },
    },
    {
      title: 'a resource that is gone',
      async request({ ben, swarm, theirs }) {
        await ben.destroy('resources', theirs);
        return send(swarm, to(theirs));
      },
      expect: refused('/resource_id'),
    },
    ...still([
      {
        title: 'both cannot be offered',
        request: ({ swarm, theirs }) => send(swarm, to(theirs, { resource_type: 'both' })),
        expect: refused('/resource_type'),
      },
      {
        title: 'to yourself',
        request: ({ swarm, own }) => send(swarm, to(own)),
        expect: { ...refused('/to'), faults: ['invitation.to_yourself'] },
      },
      {
        title: 'to yourself beside other faults: all at once',
        request: ({ swarm, own }) => send(swarm, to(own, { resource_type: 'both' })),
        expect: { ...refused('/resource_type', '/to'), faults: ['field.not_allowed', 'invitation.to_yourself'] },
      },
      {
        title: 'a user nobody knows',
        request: ({ swarm, theirs }) => send(swarm, to(theirs, { to: 'nobody' })),
        expect: refused('/resource_id'),
      },
      {
        title: 'a resource that is not theirs',
        request: ({ swarm, own }) => send(swarm, to(own, { to: 'ben' })),
        expect: { ...refused('/resource_id'), faults: ['resource.not_theirs'] },
      },
      {
        title: 'a resource nobody has',
        request: ({ swarm, theirs }) => send(swarm, to(theirs, { resource_id: unknownId })),
        expect: refused('/resource_id'),
      },
      {
        title: 'an id that is none',
        request: ({ swarm, theirs }) => send(swarm, to(theirs, { resource_id: 'x' })),
        expect: refused('/resource_id'),
      },
      {
        title: 'nothing',
        request: ({ swarm }) => send(swarm, {}),
        expect: refused('/to', '/resource_id', '/resource_type'),
      },
      {
        title: 'null for a description',
        request: ({ swarm, theirs }) => send(swarm, to(theirs, { description: null })),
        expect: refused('/description'),
      },
      {
        title: 'a description of 2,001',
        request: ({ swarm, theirs }) => send(swarm, to(theirs, { description: 'a'.repeat(2001) })),
        expect: refused('/description'),
      },
      {
        title: 'fields only the service sets, and who it comes from',
        request: ({ swarm, theirs }) => send(swarm, to(theirs, { from: 'ann', status: 'accepted', sent_at: 'x' })),
        expect: refused('/from', '/status', '/sent_at'),
      },
      {
        title: 'for a swarm of somebody else, before the body',
        request: ({ theirSwarm }) => send(theirSwarm, '{'),
        expect: forbidden('swarm'),
      },
    ]),
    ...strangeIds('swarm', ({ theirs }, id) => send({ id }, to(theirs))),
    ...strangeTexts('/description', ({ swarm, theirs }, description) => send(swarm, to(theirs, { description }))),
    ...strangeBodies(
      ({ swarm }, body, headers) => send(swarm, body, headers),
      ({ theirs }) => to(theirs),
    ),
    ...onceForAKey(
      ({ swarm }, body, headers) => send(swarm, body, headers),
      ({ theirs }) => to(theirs),
      ({ theirs }) => to(theirs, { description: 'now' }),
    ),
  ],

  answerInvitation: [
    {
      title: 'accepted beyond the quota of the swarm',
      request: async ({ fill, own, invitation, theirSwarm }) => {
        await fill({ swarm: theirSwarm });
        return put(`/resources/${own.id}/invitations/${invitation.id}`, { status: 'accept' });
      },
      expect: tooMany('membership'),
    },
    {
      title: 'accept',
      request: ({ own, invitation }) => answer(own, invitation, { status: 'accept' }),
      expect: ({ invitation }) => ({
        status: 200,
        body: { ...invitation, status: 'accepted', accepted_at: anyTime },
      }),
    },
    {
      title: 'reject',
      request: ({ own, invitation }) => answer(own, invitation, { status: 'reject' }),
      expect: ({ invitation }) => ({
        status: 200,
        body: { ...invitation, status: 'rejected', rejected_at: anyTime },
      }),
    },
    ...(['accept', 'reject'] as const).flatMap((status) => [
      {
        title: `${status}, again`,
        async request({ ann, own, invitation }: Context) {
          await ann[status](invitation);
          return answer(own, invitation, { status });
        },
        expect: { status: 200, body: { status: `${status}ed` } },
      },
      {
        title: `${status}, then the other answer`,
        async request({ ann, own, invitation }: Context) {
          await ann[status](invitation);
          return answer(own, invitation, { status: status === 'accept' ? 'reject' : 'accept' });
        },
        expect: answered,
      },
    ]),
    {
      title: 'withdrawn',
      async request({ ben, own, invitation }) {
        await ben.withdraw(invitation);
        return answer(own, invitation, { status: 'accept' });
      },
      expect: notFound('invitation'),
    },
    {
      title: 'of a swarm that is gone',
      async request({ ben, own, theirSwarm, invitation }) {
        await ben.destroy('swarms', theirSwarm);
        return answer(own, invitation, { status: 'reject' });
      },
      expect: notFound('invitation'),
    },
    {
      title: 'an invitation of another resource',
      request: async ({ ann, invitation }) => answer(await ann.device(), invitation, { status: 'accept' }),
      expect: notFound('invitation'),
    },
    {
      title: 'an invitation one sent oneself',
      async request({ ann, swarm, theirs }) {
        return answer(theirs, await ann.invite(swarm, theirs), { status: 'accept' });
      },
      expect: notFound('resource'),
    },
    {
      title: 'an invitation one sent oneself, to a resource one may see',
      async request({ ann, ben, swarm, theirs }) {
        await ben.accept(await ann.invite(swarm, theirs));
        return answer(theirs, await ann.invite(swarm, theirs, 'producer'), { status: 'accept' });
      },
      expect: forbidden('resource'),
    },
    {
      title: 'with the whole record, as it is stored',
      request: ({ own, invitation }) => answer(own, invitation, { ...invitation, status: 'accept' }),
      expect: { status: 200, body: { status: 'accepted' } },
    },
    ...still([
      ...['maybe', 'accepted', 'new', '', null, true].map((status) => ({
        title: `an answer that is none: ${JSON.stringify(status)}`,
        request: ({ own, invitation }: Context) => answer(own, invitation, { status }),
        expect: refused('/status'),
      })),
      { title: 'nothing', request: ({ own, invitation }) => answer(own, invitation, {}), expect: refused('/status') },
      {
        title: 'a record that differs, by name',
        request: ({ own, invitation }) =>
          answer(own, invitation, { ...invitation, swarm_id: unknownId, resource_type: 'both', status: 'accept' }),
        expect: refused('/swarm_id', '/resource_type'),
      },
      {
        title: 'a record that differs beside other faults: all at once',
        request: ({ own, invitation }) => answer(own, invitation, { status: 'maybe', to: 'x', seen: true }),
        expect: refused('/status', '/seen', '/to'),
      },
      {
        title: 'the invitation is looked at before the body',
        request: ({ own }) => answer(own, { id: unknownId }, '{'),
        expect: notFound('invitation'),
      },
      {
        title: 'a method the path does not take',
        request: ({ own, invitation }) => get(`/resources/${own.id}/invitations/${invitation.id}`),
        expect: allows('PUT'),
      },
    ]),
    ...strangeIds('resource', ({ invitation }, id) => answer({ id }, invitation, { status: 'accept' })),
    ...strangeIds('invitation', ({ own }, id) => answer(own, { id }, { status: 'accept' })),
    ...strangeBodies(
      ({ own, invitation }, body, headers) => answer(own, invitation, body, headers),
      () => ({ status: 'accept' }),
    ),
  ],

  listSentInvitations: [
    {
      title: 'none',
      request: ({ swarm }) => get(`/swarms/${swarm.id}/invitations`),
      expect: { status: 200, body: [] },
    },
    {
      title: 'every state, oldest first',
      async request({ ann, ben, swarm, theirs }) {
        await ben.accept(await ann.invite(swarm, theirs));
        await ben.reject(await ann.invite(swarm, theirs, 'producer'));
        await ann.invite(swarm, theirs, 'producer');
        return get(`/swarms/${swarm.id}/invitations`);
      },
      expect: ({ theirs }) => ({
        status: 200,
        body: [
          expect.objectContaining({ ...to(theirs), status: 'accepted', accepted_at: anyTime }) as Invitation,
          expect.objectContaining({ status: 'rejected', rejected_at: anyTime }) as Invitation,
          expect.objectContaining({ status: 'new' }) as Invitation,
        ],
        headers: { etag: /^W\/"/ },
      }),
    },
    {
      title: 'not changed',
      async request({ ann, swarm }) {
        const etag = (await ann.request(get(`/swarms/${swarm.id}/invitations`))).headers.get('etag')!;
        return get(`/swarms/${swarm.id}/invitations`, { 'if-none-match': etag });
      },
      expect: { status: 304 },
    },
    ...still([
      {
        title: 'of somebody else',
        request: ({ theirSwarm }) => get(`/swarms/${theirSwarm.id}/invitations`),
        expect: forbidden('swarm'),
      },
      {
        title: 'a method the path does not take',
        request: ({ swarm }) => put(`/swarms/${swarm.id}/invitations`, {}),
        expect: allows('POST, GET, HEAD'),
      },
    ]),
    ...strangeIds('swarm', (_, id) => get(`/swarms/${id}/invitations`)),
  ],

  listInvitations: [
    {
      title: 'of the account',
      request: () => get('/invitations'),
      expect: { status: 200, headers: { etag: /^W\/"/ } },
    },
    {
      title: 'unknown query parameters are ignored',
      request: () => get('/invitations?status=new'),
      expect: { status: 200 },
    },
    {
      title: 'not changed',
      async request({ ann }) {
        const etag = (await ann.request(get('/invitations'))).headers.get('etag')!;
        return get('/invitations', { 'if-none-match': etag });
      },
      expect: { status: 304 },
    },
    { title: 'a method the path does not take', request: () => post('/invitations', {}), expect: allows('GET, HEAD') },
  ],

  listInvitationsOfResource: [
    {
      title: 'of the resource',
      request: ({ own }) => get(`/resources/${own.id}/invitations`),
      expect: ({ invitation }) => ({ status: 200, body: [invitation], headers: { etag: /^W\/"/ } }),
    },
    {
      title: 'answered ones stay, withdrawn ones go',
      async request({ ann, ben, own, theirSwarm, invitation }) {
        await ann.reject(invitation);
        await ben.withdraw(await ben.invite(theirSwarm, own, 'producer'));
        return get(`/resources/${own.id}/invitations`);
      },
      expect: ({ invitation: { id } }) => ({
        status: 200,
        body: [expect.objectContaining({ id, status: 'rejected' }) as Invitation],
      }),
    },
    {
      title: 'not changed',
      async request({ ann, own }) {
        const etag = (await ann.request(get(`/resources/${own.id}/invitations`))).headers.get('etag')!;
        return get(`/resources/${own.id}/invitations`, { 'if-none-match': etag });
      },
      expect: { status: 304 },
    },
    {
      title: 'of a resource one may only see',
      async request({ ann, ben, swarm, theirs }) {
        await ben.accept(await ann.invite(swarm, theirs));
        return get(`/resources/${theirs.id}/invitations`);
      },
      expect: forbidden('resource'),
    },
    {
      title: 'a method the path does not take',
      request: ({ own }) => post(`/resources/${own.id}/invitations`, {}),
      expect: allows('GET, HEAD'),
    },
    ...strangeIds('resource', (_, id) => get(`/resources/${id}/invitations`)),
  ],

  withdrawInvitation: [
    {
      title: 'while it is new',
      request: async ({ ann, swarm, theirs }) => withdraw(swarm, await ann.invite(swarm, theirs)),
      expect: { status: 204 },
    },
    {
      title: 'a DELETE with a JSON body is served',
      request: async ({ ann, swarm, theirs }) => ({ ...withdraw(swarm, await ann.invite(swarm, theirs)), body: {} }),
      expect: { status: 204 },
    },
    ...(['accept', 'reject'] as const).map((status) => ({
      title: `after ${status}`,
      async request({ ann, ben, swarm, theirs }: Context) {
        const invitation = await ann.invite(swarm, theirs);
        await ben[status](invitation);
        return withdraw(swarm, invitation);
      },
      expect: answered,
    })),
    {
      title: 'withdrawn already',
      async request({ ann, swarm, theirs }) {
        const invitation = await ann.invite(swarm, theirs);
        await ann.withdraw(invitation);
        return withdraw(swarm, invitation);
      },
      expect: notFound('invitation'),
    },
    {
      title: 'after the end of its resource',
      async request({ ann, ben, swarm, theirs }) {
        const invitation = await ann.invite(swarm, theirs);
        await ben.destroy('resources', theirs);
        return withdraw(swarm, invitation);
      },
      expect: answered,
    },
    {
      title: 'by way of another swarm',
      async request({ ann, swarm, theirs }) {
        const invitation = await ann.invite(swarm, theirs);
        return withdraw(await ann.swarm(), invitation);
      },
      expect: notFound('invitation'),
    },
    ...still([
      {
        title: 'by whoever received it',
        request: ({ theirSwarm, invitation }) => withdraw(theirSwarm, invitation),
        expect: forbidden('swarm'),
      },
      {
        title: 'a method the path does not take',
        request: ({ theirSwarm, invitation }) => get(`/swarms/${theirSwarm.id}/invitations/${invitation.id}`),
        expect: allows('DELETE'),
      },
    ]),
    ...strangeIds('swarm', ({ invitation }, id) => withdraw({ id }, invitation)),
    ...strangeIds('invitation', ({ swarm }, id) => withdraw(swarm, { id })),
  ],
};
