import { z } from '@hono/zod-openapi';
import { requestLimits } from './limits.ts';
import { inDigits } from '../../core/limits/limit-tables.ts';
import { endpointsOf } from '../../core/endpoint/endpoint.ts';
import type { ServiceApp } from '../../core/endpoint/service-app.ts';
import { listResponse } from '../../core/endpoint/list-responses.ts';
import { created, json, pathIds, readList } from '../../core/endpoint/openapi.ts';
import type { Stores } from '../../core/stores.ts';
import { blockedUser, joinRequest, joinRequestAnswer, joinRequestSend } from './join-requests.schema.ts';
import type { JoinRequests } from './join-requests.store.ts';
import type { JoinRequestUseCases } from './join-requests.use-cases.ts';

const ofSwarm = pathIds('swarm_id');
const { aDay, aDayToSwarm, open, ofSwarm: openOfSwarm } = requestLimits;

type Deps = Pick<Stores, 'swarms'> & { requests: JoinRequests; useCases: JoinRequestUseCases; baseUrl: string };

/** Extension: users ask to join a public swarm with their resources. */
export function joinRequestRoutes(app: ServiceApp, deps: Deps): void {
  const endpoint = endpointsOf(app, { tag: 'Requests', isExtension: true });
  requestEndpoints(endpoint, deps);
  blockedUserEndpoints(endpoint, deps);
}

type Endpoint = ReturnType<typeof endpointsOf>;

/** Requests are sent, listed, answered and withdrawn. */
function requestEndpoints(endpoint: Endpoint, { useCases, requests, swarms, baseUrl }: Deps): void {
  endpoint(
    {
      operation: 'askToJoin',
      method: 'post',
      path: '/swarms/{swarm_id}/requests',
      summary: 'Ask to join a public swarm with your resource',
      description:
        'Offers the owner and the managers of the swarm to see the name and the type of the resource before the answer. A resource has at ' +
        'most one open request to a swarm, and can ask again a day after a rejection. A user can send ' +
        `${inDigits(aDayToSwarm)} requests to a swarm in a day and ${inDigits(aDay)} in all, and have ${inDigits(open)} open ` +
        `ones. A swarm has up to ${inDigits(openOfSwarm)} open ones.`,
      params: ofSwarm,
      body: joinRequestSend,
      responses: created('The request', joinRequest),
      fails: [403, 404, 409, 507],
    },
    async (_c, { userId, params: { swarm_id: swarmId }, receiveBody, once, reply }) => {
      const sentBody = await receiveBody();
      const request = await useCases.askToJoin({ userId, swarmId, sentBody, once });
      return reply(request, { location: `${baseUrl}/requests/${request.id}` });
    },
  );

  endpoint(
    {
      operation: 'listJoinRequests',
      method: 'get',
      path: '/swarms/{swarm_id}/requests',
      summary: 'List the open requests to join a swarm',
      description:
        'Only for the owner and the managers of the swarm. Also while the swarm is private or does not accept requests.',
      params: ofSwarm,
      responses: readList('Open requests, oldest first', joinRequest),
      fails: [403, 404],
    },
    async (c, { userId, params: { swarm_id: id } }) => {
      const operation = 'listJoinRequests';
      await swarms.require({ userId, id, operation });
      return listResponse(c, swarms.whileAllowed({ operation, id, userId, chunks: requests.ofSwarm(id) }));
    },
  );

  endpoint(
    {
      operation: 'answerJoinRequest',
      method: 'put',
      path: '/swarms/{swarm_id}/requests/{request_id}',
      summary: 'Accept or reject a request to join',
      description:
        'Only for the owner and the managers of the swarm. Accepting makes the resource a member as if the owner had invited it and its ' +
        'user had accepted: the lists of invitations have one that was accepted at once, or two if it asked for both ' +
        'roles. Repeating the same answer changes nothing and is not an error.',
      params: pathIds('swarm_id', 'request_id'),
      body: joinRequestAnswer,
      responses: { 200: { description: 'The answered request', content: json(joinRequest) } },
      fails: [403, 404, 409, 507],
    },
    async (_c, { userId, params: { swarm_id: swarmId, request_id: id }, receiveBody, reply }) =>
      reply(await useCases.answerJoinRequest({ userId, swarmId, id, sentBody: await receiveBody() })),
  );

  endpoint(
    {
      operation: 'listOwnJoinRequests',
      method: 'get',
      path: '/requests',
      summary: 'List the requests that the caller has sent',
      description:
        'In every state, except those that were withdrawn. Of the answered ones, the newest are kept. An open one of a ' +
        'deleted resource is withdrawn, and those of a deleted swarm are deleted.',
      responses: readList('Oldest first', joinRequest),
    },
    (c, { userId }) => listResponse(c, requests.ofUser(userId)),
  );

  endpoint(
    {
      operation: 'withdrawJoinRequest',
      method: 'delete',
      path: '/requests/{request_id}',
      summary: 'Take back a request to join',
      description: 'Only for the user who has sent it, while it is `new`.',
      params: pathIds('request_id'),
      responses: { 204: { description: 'Taken back' } },
      fails: [404, 409, 507],
    },
    (_c, { userId, params: { request_id: id } }) => useCases.withdrawJoinRequest({ userId, id }),
  );
}

/** Users who may not ask again. */
function blockedUserEndpoints(endpoint: Endpoint, { useCases }: Deps): void {
  endpoint(
    {
      operation: 'listBlockedUsers',
      method: 'get',
      path: '/swarms/{swarm_id}/blocked-users',
      summary: 'List the users who may not ask to join a swarm',
      description: 'Only for the owner and the managers of the swarm.',
      params: ofSwarm,
      responses: { 200: { description: 'Those first who were blocked first', content: json(z.array(blockedUser)) } },
      fails: [403, 404],
    },
    async (_c, { userId, params: { swarm_id: swarmId }, reply }) =>
      reply(await useCases.listBlockedUsers({ userId, swarmId })),
  );

  const ofUser = pathIds('swarm_id', 'user_id');
  endpoint(
    {
      operation: 'blockUser',
      method: 'put',
      path: '/swarms/{swarm_id}/blocked-users/{user_id}',
      summary: 'Do not let a user ask to join a swarm again',
      description:
        'Only for the owner and the managers of the swarm. Only a user who has asked to join it can be blocked. Rejects the user’s open requests. ' +
        'The user can’t join by a link either. Members stay, and the user can still be invited. Blocking a user again ' +
        'changes nothing.',
      params: ofUser,
      responses: { 204: { description: 'Blocked' } },
      fails: [403, 404, 409, 507],
    },
    (_c, { userId, params: { swarm_id: swarmId, user_id: blocked } }) =>
      useCases.blockUser({ userId, swarmId, blocked }),
  );

  endpoint(
    {
      operation: 'unblockUser',
      method: 'delete',
      path: '/swarms/{swarm_id}/blocked-users/{user_id}',
      summary: 'Let a user ask to join a swarm again',
      description:
        'Only for the owner and the managers of the swarm. For a user who is not blocked, it changes nothing.',
      params: ofUser,
      responses: { 204: { description: 'Not blocked' } },
      fails: [403, 404, 507],
    },
    (_c, { userId, params: { swarm_id: swarmId, user_id: blocked } }) =>
      useCases.unblockUser({ userId, swarmId, blocked }),
  );
}
