import { expect } from 'vitest';
import type { JoinRequest } from '../../contract.ts';
import {
  forbidden,
  get,
  invalidBody,
  notFound,
  onceForAKey,
  post,
  put,
  readOnlyCases,
  remove,
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
const ask = ({ id }: Named, { id: resource_id }: Named, more: object = {}, headers = {}) =>
  post(`/swarms/${id}/requests`, { resource_id, resource_type: 'consumer', ...more }, headers);
const answer = ({ swarm_id, id }: Pick<JoinRequest, 'swarm_id' | 'id'>, status = 'accept') =>
  put(`/swarms/${swarm_id}/requests/${id}`, { status });
const request: Expected = notFound('join_request');

/** Ben’s public swarm. */
const openSwarm = ({ ben }: Context) => ben.swarm({ name: 'Open', public: true });
/** Ben asks to join a public swarm of Ann’s. */
async function received({ ann, ben, theirs }: Context, more: object = {}) {
  const swarm = await ann.swarm({ name: 'Open', public: true });
  return { swarm, asked: await ben.ask(swarm, theirs, more) };
}

export const cases: Cases = {
  askToJoin: [
    {
      title: 'with a message',
      request: async (context) => ask(await openSwarm(context), context.own, { message: 'Please' }),
      expect: ({ own }) => ({
        status: 201,
        body: {
          swarm_name: 'Open',
          user_id: 'ann',
          resource_id: own.id,
          resource_name: own.name,
          machine_type: 'bug',
          resource_type: 'consumer',
          message: 'Please',
          status: 'new',
        },
        headers: { location: new RegExp(`^${origin}/service/requests/[0-9a-f-]{36}$`) },
      }),
    },
    {
      title: 'for both roles, with a resource that has one',
      async request(context) {
        const { ann, ben, own } = context;
        const swarm = await openSwarm(context);
        await ann.accept(await ben.invite(swarm, own));
        return ask(swarm, own, { resource_type: 'both' });
      },
      expect: { status: 201, body: { resource_type: 'both' } },
    },
    {
      title: 'for a role that the resource has',
      async request(context) {
        const { ann, ben, own } = context;
        const swarm = await openSwarm(context);
        await ann.accept(await ben.invite(swarm, own));
        return ask(swarm, own);
      },
      expect: { status: 409, code: 'membership.exists' },
    },
    {
      title: 'a second time, for another role',
      async request(context) {
        const swarm = await openSwarm(context);
        await context.ann.ask(swarm, context.own);
        return ask(swarm, context.own, { resource_type: 'producer' });
      },
      expect: { status: 409, code: 'join_request.exists' },
    },
    {
      title: 'again, after it was withdrawn',
      async request(context) {
        const swarm = await openSwarm(context);
        await context.ann.withdrawRequest(await context.ann.ask(swarm, context.own));
        return ask(swarm, context.own);
      },
      expect: { status: 201 },
    },
    {
      title: 'again, right after a rejection',
      async request(context) {
        const { ann, ben, own } = context;
        const swarm = await openSwarm(context);
        await ben.answerRequest(await ann.ask(swarm, own), 'reject');
        return ask(swarm, own);
      },
      expect: { status: 409, code: 'join_request.too_soon' },
    },
    {
      title: 'while blocked',
      async request(context) {
        const swarm = await openSwarm(context);
        await context.ann.withdrawRequest(await context.ann.ask(swarm, context.own));
        await context.ben.block(swarm, 'ann');
        return ask(swarm, context.own);
      },
      expect: { status: 409, code: 'join_request.not_accepted' },
    },
    {
      title: 'a swarm that does not accept requests',
      async request(context) {
        const swarm = await openSwarm(context);
        await context.ben.change(`/swarms/${swarm.id}`, { accepts_requests: false });
        return ask(swarm, context.own);
      },
      expect: { status: 409, code: 'join_request.not_accepted' },
    },
    {
      title: 'a deleted swarm',
      async request(context) {
        const swarm = await openSwarm(context);
        await context.ben.destroy('swarms', swarm);
        return ask(swarm, context.own);
      },
      expect: notFound('swarm'),
    },
    ...onceForAKey(
      ({ theirSwarm }, body, headers) => post(`/swarms/${theirSwarm.id}/requests`, body, headers),
      ({ own }) => ({ resource_id: own.id, resource_type: 'consumer' }),
      ({ own }) => ({ resource_id: own.id, resource_type: 'producer' }),
    ).slice(0, 1),
    {
      title: 'the same Idempotency-Key with the same body, after it was withdrawn',
      async request(context) {
        const { ann, own } = context;
        const asked = ask(await openSwarm(context), own, { message: 'Hi' }, { 'idempotency-key': own.id });
        const sent = (await (await ann.request(asked)).json()) as JoinRequest;
        await ann.withdrawRequest(sent);
        return asked;
      },
      expect: { status: 201, body: { message: 'Hi', status: 'new' } },
    },
    {
      title: 'the same Idempotency-Key with another body',
      async request(context) {
        const swarm = await openSwarm(context);
        const headers = { 'idempotency-key': context.own.id };
        await context.ann.request(ask(swarm, context.own, {}, headers));
        return ask(swarm, context.own, { message: 'Other' }, headers);
      },
      expect: { status: 400, code: 'idempotency.other_body' },
    },
    ...readOnlyCases([
      {
        title: 'a private swarm, to which the caller is invited',
        request: ({ theirSwarm, own }) => ask(theirSwarm, own),
        expect: { status: 409, code: 'join_request.not_accepted' },
      },
      { title: 'the caller’s own swarm', request: ({ swarm, own }) => ask(swarm, own), expect: forbidden('swarm') },
      {
        title: 'with a resource of another user',
        request: ({ theirSwarm, theirs }) => ask(theirSwarm, theirs),
        expect: { ...invalidBody('/resource_id'), faults: ['resource.not_yours'] },
      },
      {
        title: 'an empty object',
        request: ({ theirSwarm }) => post(`/swarms/${theirSwarm.id}/requests`, {}),
        expect: invalidBody('/resource_id', '/resource_type'),
      },
      {
        title: 'all fields wrong',
        request: ({ theirSwarm }) =>
          post(`/swarms/${theirSwarm.id}/requests`, {
            resource_id: 1,
            resource_type: 'owner',
            message: 'a'.repeat(2001),
          }),
        expect: invalidBody('/resource_id', '/resource_type', '/message'),
      },
    ]),
    ...strangeTexts('/message', ({ theirSwarm, own }, message) => ask(theirSwarm, own, { message })),
    ...strangeBodies(
      ({ theirSwarm }, body, headers) => post(`/swarms/${theirSwarm.id}/requests`, body, headers),
      ({ own }) => ({ resource_id: own.id, resource_type: 'consumer' }),
    ),
    ...strangeIds('swarm', ({ own }, id) => ask({ id }, own)),
  ],

  listJoinRequests: [
    {
      title: 'only open ones',
      async request(context) {
        const { ann, ben, theirs, later } = context;
        const { swarm, asked } = await received(context);
        await ann.answerRequest(asked, 'reject');
        later();
        await ben.ask(swarm, await ben.device({ name: 'Second' }), { resource_type: 'both' });
        later();
        await ben.withdrawRequest(await ben.ask(swarm, await ben.device()));
        expect(theirs.id).toBe(asked.resource_id);
        return get(`/swarms/${swarm.id}/requests`);
      },
      expect: {
        status: 200,
        body: [expect.objectContaining({ resource_name: 'Second', resource_type: 'both', status: 'new' })],
      },
    },
    {
      title: 'of a swarm that was made private',
      async request(context) {
        const { swarm } = await received(context);
        await context.ann.change(`/swarms/${swarm.id}`, { public: false, accepts_requests: false });
        return get(`/swarms/${swarm.id}/requests`);
      },
      expect: { status: 200, body: [expect.objectContaining({ user_id: 'ben' })] },
    },
    ...readOnlyCases([
      { title: 'none', request: ({ swarm }) => get(`/swarms/${swarm.id}/requests`), expect: { status: 200, body: [] } },
      {
        title: 'of a swarm of another user, to which the caller is invited',
        request: ({ theirSwarm }) => get(`/swarms/${theirSwarm.id}/requests`),
        expect: forbidden('swarm'),
      },
    ]),
    ...strangeIds('swarm', (_context, id) => get(`/swarms/${id}/requests`)),
  ],

  answerJoinRequest: [
    ...(['accept', 'reject'] as const).map((status) => ({
      title: `${status}, twice`,
      async request(context: Context) {
        const { asked } = await received(context);
        await context.ann.answerRequest(asked, status);
        return answer(asked, status);
      },
      expect: { status: 200, body: { status: `${status}ed`, answered_at: expect.any(String) as string } },
    })),
    {
      title: 'the other answer',
      async request(context) {
        const { asked } = await received(context);
        await context.ann.answerRequest(asked, 'reject');
        return answer(asked);
      },
      expect: { status: 409, code: 'join_request.already_answered' },
    },
    {
      title: 'of a swarm that was made private',
      async request(context) {
        const { swarm, asked } = await received(context);
        await context.ann.change(`/swarms/${swarm.id}`, { public: false });
        return answer(asked);
      },
      expect: { status: 200, body: { status: 'accepted' } },
    },
    {
      title: 'accept, with a role that the resource has got meanwhile',
      async request(context) {
        const { ann, ben, theirs } = context;
        const { swarm, asked } = await received(context);
        await ben.accept(await ann.invite(swarm, theirs));
        return answer(asked);
      },
      expect: { status: 200, body: { status: 'accepted' } },
    },
    {
      title: 'reject, with a role that the resource has got meanwhile',
      async request(context) {
        const { ann, ben, theirs } = context;
        const { swarm, asked } = await received(context);
        await ben.accept(await ann.invite(swarm, theirs));
        return answer(asked, 'reject');
      },
      expect: { status: 409, code: 'join_request.already_answered' },
    },
    {
      title: 'one that was withdrawn',
      async request(context) {
        const { asked } = await received(context);
        await context.ben.withdrawRequest(asked);
        return answer(asked);
      },
      expect: request,
    },
    {
      title: 'of a deleted resource',
      async request(context) {
        const { asked } = await received(context);
        await context.ben.destroy('resources', context.theirs);
        return answer(asked);
      },
      expect: request,
    },
    {
      title: 'beyond the quota of the swarm',
      async request(context) {
        const { swarm, asked } = await received(context);
        await context.fill({ swarm });
        return answer(asked);
      },
      expect: tooMany('membership'),
    },
    {
      title: 'of another swarm of the caller',
      async request(context) {
        const { asked } = await received(context);
        return answer({ swarm_id: context.swarm.id, id: asked.id });
      },
      expect: request,
    },
    {
      title: 'one’s own request',
      request: async (context) => answer(await context.ann.ask(await openSwarm(context), context.own)),
      expect: forbidden('swarm'),
    },
    {
      title: 'an empty object, and a wrong status',
      async request(context) {
        const { asked } = await received(context);
        return answer(asked, 'new');
      },
      expect: invalidBody('/status'),
    },
    ...strangeIds('join_request', ({ swarm }, id) => answer({ swarm_id: swarm.id, id })),
    ...strangeIds('swarm', (_context, id) => answer({ swarm_id: id, id: unknownId })),
  ],

  listOwnJoinRequests: [
    { title: 'none', request: () => get('/requests'), expect: { status: 200, body: [] }, isReadOnly: true },
    {
      title: 'answered ones too, without those that were withdrawn',
      async request(context) {
        const { ann, ben, own, later } = context;
        const swarm = await openSwarm(context);
        await ben.answerRequest(await ann.ask(swarm, own), 'reject');
        later();
        const spare = await ann.device();
        await ann.withdrawRequest(await ann.ask(swarm, spare));
        later();
        await ann.ask(swarm, spare, { resource_type: 'producer' });
        return get('/requests');
      },
      expect: {
        status: 200,
        body: [
          expect.objectContaining({ status: 'rejected', answered_at: expect.any(String) as string }),
          expect.objectContaining({ status: 'new', resource_type: 'producer' }),
        ],
      },
    },
  ],

  withdrawJoinRequest: [
    {
      title: 'an open one',
      async request(context) {
        const { id } = await context.ann.ask(await openSwarm(context), context.own);
        return remove(`/requests/${id}`);
      },
      expect: { status: 204 },
    },
    {
      title: 'twice',
      async request(context) {
        const asked = await context.ann.ask(await openSwarm(context), context.own);
        await context.ann.withdrawRequest(asked);
        return remove(`/requests/${asked.id}`);
      },
      expect: request,
    },
    {
      title: 'an answered one',
      async request(context) {
        const asked = await context.ann.ask(await openSwarm(context), context.own);
        await context.ben.answerRequest(asked, 'accept');
        return remove(`/requests/${asked.id}`);
      },
      expect: { status: 409, code: 'join_request.already_answered' },
    },
    {
      title: 'one to the caller',
      request: async (context) => remove(`/requests/${(await received(context)).asked.id}`),
      expect: request,
    },
    ...strangeIds('join_request', (_context, id) => remove(`/requests/${id}`)),
  ],

  listBlockedUsers: [
    {
      title: 'one',
      async request(context) {
        const { ann } = context;
        const { swarm } = await received(context);
        await ann.block(swarm, 'ben');
        await ann.block(swarm, 'ben');
        return get(`/swarms/${swarm.id}/blocked-users`);
      },
      expect: { status: 200, body: [{ user_id: 'ben', blocked_at: expect.any(String) as string }] },
    },
    ...readOnlyCases([
      {
        title: 'of a swarm of another user, to which the caller is invited',
        request: ({ theirSwarm }) => get(`/swarms/${theirSwarm.id}/blocked-users`),
        expect: forbidden('swarm'),
      },
    ]),
    ...strangeIds('swarm', (_context, id) => get(`/swarms/${id}/blocked-users`)),
  ],

  blockUser: [
    {
      title: 'a user, whose open requests are rejected',
      async request(context) {
        const { swarm, asked } = await received(context);
        await context.ann.block(swarm, 'ben');
        expect(await context.ben.get<JoinRequest[]>('/requests')).toContainEqual(
          expect.objectContaining({ id: asked.id, status: 'rejected' }),
        );
        return put(`/swarms/${swarm.id}/blocked-users/ben`, undefined);
      },
      expect: { status: 204 },
    },
    ...readOnlyCases([
      {
        title: 'a user who does not exist',
        request: ({ swarm }) => put(`/swarms/${swarm.id}/blocked-users/nobody-here`, undefined),
        expect: request,
      },
      {
        title: 'a user who has not asked',
        request: ({ swarm }) => put(`/swarms/${swarm.id}/blocked-users/ben`, undefined),
        expect: request,
      },
    ]),
    ...strangeIds('swarm', (_context, id) => put(`/swarms/${id}/blocked-users/ben`, undefined)),
  ],

  unblockUser: [
    {
      title: 'a user, who can ask again',
      async request(context) {
        const { ann, ben } = context;
        const { swarm } = await received(context);
        await ann.block(swarm, 'ben');
        await ann.unblock(swarm, 'ben');
        await ben.ask(swarm, await ben.device());
        return remove(`/swarms/${swarm.id}/blocked-users/ben`);
      },
      expect: { status: 204 },
    },
    ...strangeIds('swarm', (_context, id) => remove(`/swarms/${id}/blocked-users/ben`)),
  ],
};
