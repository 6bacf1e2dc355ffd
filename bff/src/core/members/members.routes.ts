import { z } from '@hono/zod-openapi';
import { listedMember, memberAdd, memberUpdate, swarmMember } from '../../contract.ts';
import { created, json, pathIds, readList } from '../endpoint/openapi.ts';
import { endpointsOf } from '../endpoint/endpoint.ts';
import type { ServiceApp } from '../endpoint/service-app.ts';
import { listResponse } from '../endpoint/list-responses.ts';
import type { Stores } from '../stores.ts';
import type { MemberUseCases } from './members.use-cases.ts';

const singleRole = z.enum(['producer', 'consumer']);
const ofSwarm = pathIds('swarm_id');
const ofMember = pathIds('swarm_id', 'resource_id');

/** Extension: members of a swarm, besides invitations. */
export function memberRoutes(
  app: ServiceApp,
  {
    useCases,
    members,
    swarms,
    baseUrl,
  }: Pick<Stores, 'members' | 'swarms'> & { useCases: MemberUseCases; baseUrl: string },
): void {
  const endpoint = endpointsOf(app, { tag: 'Members', isExtension: true });
  endpoint(
    {
      operation: 'addMember',
      method: 'post',
      path: '/swarms/{swarm_id}/resources',
      summary: 'Add your resource to your swarm',
      description:
        'A member with one role that is added with the other one has both. Resources of other users are invited instead.',
      params: ofSwarm,
      body: memberAdd,
      responses: created('The member', swarmMember),
      fails: [403, 404, 409, 507],
    },
    async (_c, { userId, params: { swarm_id: swarmId }, receiveBody, once, reply }) => {
      const sentBody = await receiveBody();
      const member = await useCases.addMember({ userId, swarmId, sentBody, once });
      return reply(member, { location: `${baseUrl}/swarms/${swarmId}/resources/${member.resource_id}` });
    },
  );

  endpoint(
    {
      operation: 'listMembers',
      method: 'get',
      path: '/swarms/{swarm_id}/resources',
      summary: 'List the members of a swarm',
      description:
        'Sorted by the time of joining, oldest first. `type` filters by role; members with both roles match either.',
      params: ofSwarm,
      query: z.object({
        type: singleRole.optional().openapi({ param: { description: 'Only members with this role' } }),
      }),
      responses: readList('The members', listedMember),
      fails: [403, 404],
    },
    async (c, { userId, requester, params: { swarm_id: id }, query }) => {
      await swarms.require({ userId, id, operation: 'listMembers' });
      return listResponse(
        c,
        swarms.whileAllowed({
          operation: 'listMembers',
          id,
          userId,
          chunks: members.list({ id, type: query().type, requester }),
        }),
      );
    },
  );

  endpoint(
    {
      operation: 'updateMember',
      method: 'put',
      path: '/swarms/{swarm_id}/resources/{resource_id}',
      summary: 'Change the role or the end of a member, or whether links show it',
      description:
        'What is absent stays as it is. With `shown_by_links`, the owner of the resource lets links of the swarm show it, or not any more. With `ends_at`, the membership ends then. The owner of the resource can set any end up to `ends_at_most`, or none; the owner of the swarm and its ' +
        'managers can only set an earlier one, which is `ends_at_most` from then on. The owner of the swarm can set any role of their own resources. Other roles can only be reduced, from `both` to ' +
        'one role, by the owner of the swarm, its managers or the owner of the resource. All that was sent is set, or nothing.',
      params: ofMember,
      body: memberUpdate,
      responses: { 200: { description: 'The member', content: json(swarmMember) } },
      fails: [403, 404, 507],
    },
    async (_c, { userId, params: { swarm_id: swarmId, resource_id: id }, receiveBody, reply }) =>
      reply(await useCases.updateMember({ userId, swarmId, id, sentBody: await receiveBody() })),
  );

  endpoint(
    {
      operation: 'removeMember',
      method: 'delete',
      path: '/swarms/{swarm_id}/resources/{resource_id}',
      summary: 'Leave a swarm, or remove a member from it',
      description:
        'For the owner of the resource, and for the owner and the managers of the swarm. With `type`, a member that has both roles keeps ' +
        'the other one; a member without this role is not found.',
      params: ofMember,
      query: z.object({
        type: singleRole.optional().openapi({ param: { description: 'Takes only this role from the member' } }),
      }),
      responses: { 204: { description: 'Removed' } },
      fails: [403, 404, 507],
    },
    async (c, { userId, params, query }) => {
      const { type } = query();
      const { swarm_id: swarmId, resource_id: id } = params;
      await useCases.removeMember({ userId, swarmId, id, ...(type && { type }) });
    },
  );
}
