import { z } from '@hono/zod-openapi';
import { extendedSwarm, swarmCreate, swarmDetails, swarmSummary, swarmUpdate } from '../../contract.ts';
import { noneMatch } from '../http/etag.ts';
import { bodyOf } from '../http/streamed-body.ts';
import type { SwarmRow } from '../store/row-types.ts';
import { created, ifMatch, pathIds, readList, readRecord, record, etagHeader } from '../endpoint/openapi.ts';
import { endpointsOf, notChanged } from '../endpoint/endpoint.ts';
import { etagOf, expectedVersion } from '../endpoint/versions.ts';
import type { ServiceApp } from '../endpoint/service-app.ts';
import { listResponse } from '../endpoint/list-responses.ts';
import type { Stores } from '../stores.ts';
import type { SwarmUseCases } from './swarms.use-cases.ts';

const params = pathIds('swarm_id');

/** Our extension: without swarms there is nothing to be invited to. */
export function swarmRoutes(
  app: ServiceApp,
  { useCases, swarms, baseUrl }: Pick<Stores, 'swarms'> & { useCases: SwarmUseCases; baseUrl: string },
): void {
  const endpoint = endpointsOf(app, { tag: 'Swarms', isExtension: true });
  endpoint(
    {
      operation: 'createSwarm',
      method: 'post',
      path: '/swarms',
      summary: 'Create a swarm',
      description:
        'It belongs to the caller. `resources` are the caller’s own; by default, it has none and is not public.',
      body: swarmCreate,
      responses: created('The created swarm', extendedSwarm, etagHeader),
      fails: [409, 507],
    },
    async (_c, { userId, receiveBody, once, reply }) => {
      const swarm = await useCases.createSwarm({ userId, sentBody: await receiveBody(), once });
      return reply(swarm, { location: `${baseUrl}/swarms/${swarm.id}`, etag: etagOf(1) });
    },
  );

  endpoint(
    {
      operation: 'listSwarms',
      method: 'get',
      path: '/swarms',
      summary: 'List the swarms that the caller owns, manages, watches or has a resource in',
      description: 'Each with all of its members. Public swarms of other users are not in the list.',
      responses: readList('Whole, oldest first', extendedSwarm),
    },
    (c, { requester }) => listResponse(c, swarms.listOfUser(requester)),
  );

  endpoint(
    {
      operation: 'getSwarm',
      method: 'get',
      path: '/swarms/{swarm_id}',
      summary: 'Get a swarm',
      description:
        '`access` is `full` with the members, or `summary`: a caller with an open invitation or who is asked to manage or watch it, ' +
        'or any caller if the swarm is public, gets only the number of members in `member_count`, and an empty `resources`. After a rejection, a ' +
        'departure or a removal, a private swarm is not found.',
      params,
      responses: readRecord('The swarm', z.discriminatedUnion('access', [swarmDetails, swarmSummary])),
      fails: [404],
    },
    async (c, { userId, requester, params: { swarm_id: id }, replyJson }) => {
      const { swarm, relation, verdict } = await swarms.require({ userId, id, operation: 'getSwarm' });
      const isTheirs = relation === 'owner' || relation === 'manager';
      const shown = isTheirs ? swarm : await swarms.shownTo({ swarm, userId });
      // The version does not count blocks. A swarm that accepts no requests of anybody has the same ETag.
      const closed = isTheirs || shown.accepts_requests === 1 ? '' : '-closed';
      const etag = `"${swarm.version}${verdict === 'allow' ? '' : '-summary'}${closed}"`;
      if (!noneMatch(c.req.header('if-none-match'), etag)) return notChanged(c, etag);
      const body =
        verdict === 'allow'
          ? await bodyOf(c, swarms.whole(shown, { access: 'full', requester }), c.env.report)
          : await swarms.summary(shown);
      return replyJson(body, { etag });
    },
  );

  endpoint(
    {
      operation: 'updateSwarm',
      method: 'put',
      path: '/swarms/{swarm_id}',
      summary: 'Update a swarm',
      description:
        'Only for its owner. Absent fields are unchanged. A swarm that is no longer public is no longer `listed` either.',
      params,
      headers: ifMatch,
      body: swarmUpdate,
      responses: record('The updated swarm', extendedSwarm),
      fails: [403, 404, 412, 507],
    },
    async (c, { requester, params: { swarm_id: id }, receiveBody, replyJson }) => {
      const versionOf = (swarm: SwarmRow) => expectedVersion(c, swarm, 'swarm.changed');
      const written = await useCases.updateSwarm({ requester, id, sentBody: await receiveBody(), versionOf });
      const body = await bodyOf(c, swarms.whole(written, { requester }), c.env.report);
      return replyJson(body, { etag: etagOf(written.version) });
    },
  );

  endpoint(
    {
      operation: 'destroySwarm',
      method: 'delete',
      path: '/swarms/{swarm_id}',
      summary: 'Destroy a swarm',
      description: 'Deletes its memberships and invitations. The resources are unaffected.',
      params,
      headers: ifMatch,
      responses: { 204: { description: 'Destroyed' } },
      fails: [403, 404, 412, 507],
    },
    (c, { userId, params: { swarm_id: id } }) =>
      useCases.destroySwarm({ userId, id, versionOf: (swarm) => expectedVersion(c, swarm, 'swarm.changed') }),
  );
}
