import { z } from '@hono/zod-openapi';
import {
  extendedSwarm,
  swarmCreate,
  swarmDetails,
  swarmSummary,
  swarmUpdate,
  type Swarm,
  type SwarmCreate,
  type SwarmUpdate,
} from '../../contract.ts';
import { limits } from '../../limits/field-rules.ts';
import { noneMatch } from '../../http/etag.ts';
import { bodyOf } from '../../http/streamed-body.ts';
import type { SentBody } from '../../sent-body.ts';
import { Problem, type FieldFault } from '../../problem.ts';
import type { SwarmRow } from '../../store/row-types.ts';
import { created, ifMatch, pathIds, readList, readRecord, record, etagHeader } from '../endpoint/openapi.ts';
import { endpointsOf, etagOf, expectedVersion, notChanged, type ServiceApp } from '../endpoint/endpoint.ts';
import { inTurns, listResponse } from '../endpoint/list-responses.ts';
import { textOf } from '../endpoint/list-chunks.store.ts';
import { readOnlyFaults } from '../endpoint/read-only-fields.ts';
import { notYours } from '../resources/resources.store.ts';
import type { RouteDependencies } from '../endpoint/route-dependencies.ts';

const params = pathIds('swarm_id');

/** Our extension: without swarms there is nothing to be invited to. */
export function swarmRoutes(app: ServiceApp, { useCases, resources, swarms, baseUrl, newId }: RouteDependencies): void {
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
      const sent = await receiveBody();
      // The resources of a valid body are checked for its first request only: later they may be gone.
      const body = sent.check(sent.isValid ? [] : (await findForeign(sent, userId)).faults);
      /** When its resources were created: unknown for a repeated request. It changes only the order of the members. */
      let resourcesCreated: ReadonlyMap<string, string> | undefined;
      const stored = await once(sent, async (claim) => {
        // Checked again if one of the resources is deleted between the check and the write.
        for (;;) {
          const { faults, owned } = await findForeign(sent, userId);
          sent.check(faults);
          resourcesCreated = owned;
          const written = await swarms.create({ id: newId(), userId, body, claim });
          if (written === 'no user') throw new Problem('key.invalid');
          if (written !== 'no resource') return written.created;
        }
      });
      const [id = '', at = ''] = stored.split(' ');
      return reply(swarms.newSwarm({ id, userId, body, at, resourcesCreated }), {
        location: `${baseUrl}/swarms/${id}`,
        etag: etagOf(1),
      });
    },
  );

  /** The faults of members that are not the user's resources. */
  async function findForeign({ fields: { resources: members } }: SentBody<SwarmCreate>, userId: string) {
    const list = Array.isArray(members) && members.length <= limits.membersAtOnce ? members : [];
    const ids = list.map((member: { resource_id?: unknown } | null) => member?.resource_id);
    const owned = await resources.owned({ ids: ids.filter((id) => typeof id === 'string'), userId });
    const isForeign = (id: unknown) => typeof id === 'string' && !owned.has(id);
    const faults = ids.flatMap((id, index) => (isForeign(id) ? [notYours(`/resources/${index}/resource_id`)] : []));
    return { faults, owned };
  }

  endpoint(
    {
      operation: 'listSwarms',
      method: 'get',
      path: '/swarms',
      summary: 'List the swarms that the caller owns, manages, watches or has a resource in',
      description: 'Each with all of its members. Public swarms of other users are not in the list.',
      responses: readList('Whole, oldest first', extendedSwarm),
    },
    (c, { userId }) => listResponse(c, swarms.listOfUser(userId)),
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
    async (c, { userId, params: { swarm_id: id }, replyJson }) => {
      const { swarm, relation, verdict } = await swarms.require({ userId, id, operation: 'getSwarm' });
      const isTheirs = relation === 'owner' || relation === 'manager';
      const shown = isTheirs ? swarm : await swarms.shownTo({ swarm, userId });
      // The version does not count blocks. A swarm that accepts no requests of anybody has the same ETag.
      const closed = isTheirs || shown.accepts_requests === 1 ? '' : '-closed';
      const etag = `"${swarm.version}${verdict === 'allow' ? '' : '-summary'}${closed}"`;
      if (!noneMatch(c.req.header('if-none-match'), etag)) return notChanged(c, etag);
      const body =
        verdict === 'allow'
          ? await bodyOf(c, inTurns(c, swarms.whole(shown, { access: 'full', viewer: userId })), c.env.report)
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
    async (c, { userId, params: { swarm_id: id }, receiveBody, replyJson }) => {
      const sent = await receiveBody();
      for (;;) {
        const { swarm } = await swarms.require({ userId, id, operation: 'updateSwarm' });
        const faults = readOnlyFaults('swarm', sent, await comparable(swarm, sent));
        const change = sent.check([...faults, ...listedFaults(swarm, sent)]);
        const version = expectedVersion(c, swarm, 'swarm.changed');
        const written = await swarms.update({ swarm, actor: userId, change, version });
        if (!written) continue;
        return replyJson(await bodyOf(c, inTurns(c, swarms.whole(written)), c.env.report), {
          etag: etagOf(written.version),
        });
      }
    },
  );

  /** Only a public swarm can be listed. A body that is read and put back has `listed` only if the swarm is public. */
  function listedFaults(swarm: SwarmRow, { fields }: SentBody<SwarmUpdate>): FieldFault[] {
    const isPublic = fields.public ?? swarm.public === 1;
    const isFault = fields.listed === true && isPublic === false;
    return isFault ? [{ pointer: '/listed', code: 'field.not_allowed', detail: 'is only for a public swarm' }] : [];
  }

  /** Includes the members only if their number is equal, because there may be very many. */
  async function comparable(swarm: SwarmRow, { fields }: SentBody<SwarmUpdate>): Promise<object> {
    const { resources: members } = fields;
    const isPossible = Array.isArray(members) && members.length <= limits.membersAtOnce;
    const whole = isPossible && members.length === (await swarms.memberCount(swarm.id));
    return whole ? (JSON.parse(await textOf(swarms.whole(swarm))) as Swarm) : swarm;
  }

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
