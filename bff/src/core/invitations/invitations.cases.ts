import { expect } from 'vitest';
import type { Invitation, Resource } from '../../contract.ts';
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
  strangeTexts,
  tooMany,
  unknownId,
  type Cases,
  type Context,
  type Expected,
} from '../../tests/contract.cases.ts';
import { origin } from '../../tests/test-server.fixture.ts';

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

export const cases: Cases = {
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
      title: 'with a label, which the record does not have',
      request: ({ swarm, theirs }) => send(swarm, to(theirs, { label: '🛰'.repeat(128) })),
      expect: ({ swarm, theirs }) => ({
        status: 201,
        body: { ...to(theirs), from: 'ann', swarm_id: swarm.id, status: 'new', sent_at: anyTime },
      }),
    },
    {
      title: 'an empty description is a value',
      request: ({ swarm, theirs }) => send(swarm, to(theirs, { description: '' })),
      expect: { status: 201, body: { description: '' } },
    },
    {
      title: 'a description of 2,000 characters with line breaks',
      request: ({ swarm, theirs }) => send(swarm, to(theirs, { description: '\n🛰'.repeat(1000) })),
      expect: { status: 201 },
    },
    {
      title: 'sent again while it is open: the same invitation with the new text',
      async request({ ann, swarm, theirs }) {
        await ann.invite(swarm, theirs, 'consumer', { description: 'please' });
        return send(swarm, to(theirs, { description: 'now' }));
      },
      expect: { status: 201, body: { description: 'now', status: 'new' } },
    },
    {
      title: 'sent again after a rejection',
      async request({ ann, ben, swarm, theirs }) {
        await ben.reject(await ann.invite(swarm, theirs));
        return send(swarm, to(theirs));
      },
      expect: { status: 201, body: { status: 'new' } },
    },
    {
      title: 'sent again after leaving',
      async request({ ann, ben, swarm, theirs }) {
        await ben.accept(await ann.invite(swarm, theirs));
        await ben.leave(swarm, theirs);
        return send(swarm, to(theirs));
      },
      expect: { status: 201, body: { status: 'new' } },
    },
    {
      title: 'a role that the resource already has',
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
      title: 'a deleted resource',
      async request({ ben, swarm, theirs }) {
        await ben.destroy('resources', theirs);
        return send(swarm, to(theirs));
      },
      expect: invalidBody('/resource_id'),
    },
    ...readOnlyCases([
      {
        title: 'the role both',
        request: ({ swarm, theirs }) => send(swarm, to(theirs, { resource_type: 'both' })),
        expect: invalidBody('/resource_type'),
      },
      {
        title: 'an invitation to yourself',
        request: ({ swarm, own }) => send(swarm, to(own)),
        expect: { ...invalidBody('/to'), faults: ['invitation.to_yourself'] },
      },
      {
        title: 'an invitation to yourself and other errors are reported together',
        request: ({ swarm, own }) => send(swarm, to(own, { resource_type: 'both' })),
        expect: { ...invalidBody('/resource_type', '/to'), faults: ['field.not_allowed', 'invitation.to_yourself'] },
      },
      {
        title: 'a user that does not exist',
        request: ({ swarm, theirs }) => send(swarm, to(theirs, { to: 'nobody' })),
        expect: invalidBody('/resource_id'),
      },
      {
        title: 'a resource of another user than the recipient',
        request: ({ swarm, own }) => send(swarm, to(own, { to: 'ben' })),
        expect: { ...invalidBody('/resource_id'), faults: ['resource.not_theirs'] },
      },
      {
        title: 'a resource that does not exist',
        request: ({ swarm, theirs }) => send(swarm, to(theirs, { resource_id: unknownId })),
        expect: invalidBody('/resource_id'),
      },
      {
        title: 'a malformed id',
        request: ({ swarm, theirs }) => send(swarm, to(theirs, { resource_id: 'x' })),
        expect: invalidBody('/resource_id'),
      },
      {
        title: 'an empty object',
        request: ({ swarm }) => send(swarm, {}),
        expect: invalidBody('/to', '/resource_id', '/resource_type'),
      },
      {
        title: 'a null description',
        request: ({ swarm, theirs }) => send(swarm, to(theirs, { description: null })),
        expect: invalidBody('/description'),
      },
      {
        title: 'a description of 2,001 characters',
        request: ({ swarm, theirs }) => send(swarm, to(theirs, { description: 'a'.repeat(2001) })),
        expect: invalidBody('/description'),
      },
      ...['', ' ', 'a'.repeat(129), 'two\nlines', 'a\ttab', '\u202Ereversed', 'isolated\u2066', null].map((label) => ({
        title: `the label ${JSON.stringify(label)?.slice(0, 12)}`,
        request: ({ swarm, theirs }: Context) => send(swarm, to(theirs, { label })),
        expect: invalidBody('/label'),
      })),
      {
        title: 'fields that only the service sets',
        request: ({ swarm, theirs }) => send(swarm, to(theirs, { from: 'ann', status: 'accepted', sent_at: 'x' })),
        expect: invalidBody('/from', '/status', '/sent_at'),
      },
      {
        title: 'a swarm of another user is reported before an invalid body',
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
        title: `${status}, twice`,
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
      title: 'a withdrawn invitation',
      async request({ ben, own, invitation }) {
        await ben.withdraw(invitation);
        return answer(own, invitation, { status: 'accept' });
      },
      expect: notFound('invitation'),
    },
    {
      title: 'an invitation of a deleted swarm',
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
      title: 'an invitation that the caller sent',
      async request({ ann, swarm, theirs }) {
        return answer(theirs, await ann.invite(swarm, theirs), { status: 'accept' });
      },
      expect: notFound('resource'),
    },
    {
      title: 'an invitation that the caller sent to a visible resource',
      async request({ ann, ben, swarm, theirs }) {
        await ben.accept(await ann.invite(swarm, theirs));
        return answer(theirs, await ann.invite(swarm, theirs, 'producer'), { status: 'accept' });
      },
      expect: forbidden('resource'),
    },
    {
      title: 'the whole unchanged record with an answer',
      request: ({ own, invitation }) => answer(own, invitation, { ...invitation, status: 'accept' }),
      expect: { status: 200, body: { status: 'accepted' } },
    },
    ...readOnlyCases([
      ...['maybe', 'accepted', 'new', '', null, true].map((status) => ({
        title: `an unknown answer: ${JSON.stringify(status)}`,
        request: ({ own, invitation }: Context) => answer(own, invitation, { status }),
        expect: invalidBody('/status'),
      })),
      {
        title: 'an empty object',
        request: ({ own, invitation }) => answer(own, invitation, {}),
        expect: invalidBody('/status'),
      },
      {
        title: 'changed read-only fields are named',
        request: ({ own, invitation }) =>
          answer(own, invitation, { ...invitation, swarm_id: unknownId, resource_type: 'both', status: 'accept' }),
        expect: invalidBody('/swarm_id', '/resource_type'),
      },
      {
        title: 'changed read-only fields and other errors are reported together',
        request: ({ own, invitation }) => answer(own, invitation, { status: 'maybe', to: 'x', seen: true }),
        expect: invalidBody('/status', '/seen', '/to'),
      },
      {
        title: 'an unknown invitation is reported before an invalid body',
        request: ({ own }) => answer(own, { id: unknownId }, '{'),
        expect: notFound('invitation'),
      },
      {
        title: 'an unsupported method',
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
      title: 'an empty list',
      request: ({ swarm }) => get(`/swarms/${swarm.id}/invitations`),
      expect: { status: 200, body: [] },
    },
    {
      title: 'invitations in every state, oldest first',
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
      title: 'If-None-Match with the current version gets 304',
      async request({ ann, swarm }) {
        const etag = (await ann.request(get(`/swarms/${swarm.id}/invitations`))).headers.get('etag')!;
        return get(`/swarms/${swarm.id}/invitations`, { 'if-none-match': etag });
      },
      expect: { status: 304 },
    },
    ...readOnlyCases([
      {
        title: 'of another user',
        request: ({ theirSwarm }) => get(`/swarms/${theirSwarm.id}/invitations`),
        expect: forbidden('swarm'),
      },
      {
        title: 'an unsupported method',
        request: ({ swarm }) => put(`/swarms/${swarm.id}/invitations`, {}),
        expect: allows('POST, GET, HEAD'),
      },
    ]),
    ...strangeIds('swarm', (_, id) => get(`/swarms/${id}/invitations`)),
  ],

  listInvitations: [
    {
      title: 'the invitations of the account',
      request: () => get('/invitations'),
      expect: { status: 200, headers: { etag: /^W\/"/ } },
    },
    {
      title: 'unknown query parameters are ignored',
      request: () => get('/invitations?status=new'),
      expect: { status: 200 },
    },
    {
      title: 'If-None-Match with the current version gets 304',
      async request({ ann }) {
        const etag = (await ann.request(get('/invitations'))).headers.get('etag')!;
        return get('/invitations', { 'if-none-match': etag });
      },
      expect: { status: 304 },
    },
    { title: 'an unsupported method', request: () => post('/invitations', {}), expect: allows('GET, HEAD') },
  ],

  listInvitationsOfResource: [
    {
      title: 'the invitations of the resource',
      request: ({ own }) => get(`/resources/${own.id}/invitations`),
      expect: ({ invitation }) => ({ status: 200, body: [invitation], headers: { etag: /^W\/"/ } }),
    },
    {
      title: 'contains answered invitations, but no withdrawn ones',
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
      title: 'If-None-Match with the current version gets 304',
      async request({ ann, own }) {
        const etag = (await ann.request(get(`/resources/${own.id}/invitations`))).headers.get('etag')!;
        return get(`/resources/${own.id}/invitations`, { 'if-none-match': etag });
      },
      expect: { status: 304 },
    },
    {
      title: 'of a resource that is visible, but not owned',
      async request({ ann, ben, swarm, theirs }) {
        await ben.accept(await ann.invite(swarm, theirs));
        return get(`/resources/${theirs.id}/invitations`);
      },
      expect: forbidden('resource'),
    },
    {
      title: 'an unsupported method',
      request: ({ own }) => post(`/resources/${own.id}/invitations`, {}),
      expect: allows('GET, HEAD'),
    },
    ...strangeIds('resource', (_, id) => get(`/resources/${id}/invitations`)),
  ],

  withdrawInvitation: [
    {
      title: 'an open invitation',
      request: async ({ ann, swarm, theirs }) => withdraw(swarm, await ann.invite(swarm, theirs)),
      expect: { status: 204 },
    },
    {
      title: 'a JSON body is ignored',
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
      title: 'an invitation that was already withdrawn',
      async request({ ann, swarm, theirs }) {
        const invitation = await ann.invite(swarm, theirs);
        await ann.withdraw(invitation);
        return withdraw(swarm, invitation);
      },
      expect: notFound('invitation'),
    },
    {
      title: 'after the deletion of its resource',
      async request({ ann, ben, swarm, theirs }) {
        const invitation = await ann.invite(swarm, theirs);
        await ben.destroy('resources', theirs);
        return withdraw(swarm, invitation);
      },
      expect: answered,
    },
    {
      title: 'with the path of another swarm',
      async request({ ann, swarm, theirs }) {
        const invitation = await ann.invite(swarm, theirs);
        return withdraw(await ann.swarm(), invitation);
      },
      expect: notFound('invitation'),
    },
    ...readOnlyCases([
      {
        title: 'by its recipient',
        request: ({ theirSwarm, invitation }) => withdraw(theirSwarm, invitation),
        expect: forbidden('swarm'),
      },
      {
        title: 'an unsupported method',
        request: ({ theirSwarm, invitation }) => get(`/swarms/${theirSwarm.id}/invitations/${invitation.id}`),
        expect: allows('DELETE'),
      },
    ]),
    ...strangeIds('swarm', ({ invitation }, id) => withdraw({ id }, invitation)),
    ...strangeIds('invitation', ({ swarm }, id) => withdraw(swarm, { id })),
  ],
};
