import { z } from '@hono/zod-openapi';
import { listedMember, memberAdd, memberUpdate, swarmMember } from '../contract.ts';
import type { MemberRole } from '../contract.ts';
import { Problem } from '../http/problem.ts';
import { idFormat } from '../limits/field-limits.ts';
import { created, idempotencyKey, json, pathIds, readList } from './openapi.ts';
import { endpoint, readOnlyFaults, refuseReadOnly } from './endpoint.ts';
import type { ServiceApp } from './endpoint.ts';
import { listResponse } from './list-responses.ts';
import type { OperationOn, SwarmRule } from './policy.ts';
import { foreignResource } from './resources.store.ts';
import type { ServiceParts } from './service-parts.ts';

const readOnly = ['resource_id', 'user_id', 'url', 'member_since'];
const singleRole = z.enum(['producer', 'consumer']);
const ofSwarm = pathIds('swarm_id');
const ofMember = pathIds('swarm_id', 'resource_id');

/** Extension: members of a swarm, besides invitations. */
export function memberRoutes(app: ServiceApp, { members, swarms, idempotency, baseUrl }: ServiceParts): void {
  endpoint(
    app,
    {
      operation: 'addMember',
      tag: 'Members',
      extension: true,
      method: 'post',
      path: '/swarms/{swarm_id}/resources',
      summary: 'Add your resource to your swarm',
      description:
        'A member with one role that is added with the other one has both. Resources of other users are invited instead.',
      params: ofSwarm,
      headers: idempotencyKey,
      body: memberAdd,
      responses: created('The member', swarmMember),
      fails: [403, 404, 409, 507],
    },
    async (c, { userId, params: { swarm_id: id }, readBody, reply }) => {
      const { body, text } = await readBody({ find: () => swarms.require({ userId, id, operation: 'addMember' }) });
      const role = await idempotency.once({
        userId,
        key: c.req.header('idempotency-key'),
        operation: `addMember ${id}`,
        text,
        act: async (claim) => {
          const added = await members.add({ swarmId: id, ...body, userId, claim });
          if (added === 'no swarm') throw new Problem('swarm.not_found');
          if (added === 'no resource') throw foreignResource('/resource_id');
          if (added === 'has role') throw new Problem('membership.exists');
          return added.role;
        },
      });
      const { resource_id } = body;
      const member = members.memberOf({ resource_id, resource_type: role as MemberRole, user_id: userId });
      return reply(member, { location: `${baseUrl}/swarms/${id}/resources/${resource_id}` });
    },
  );

  endpoint(
    app,
    {
      operation: 'listMembers',
      tag: 'Members',
      extension: true,
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
    async (c, { userId, params: { swarm_id: id }, query }) => {
      await swarms.require({ userId, id, operation: 'listMembers' });
      return listResponse(c, swarms.forViewer({ id, userId, parts: members.list({ id, type: query().type }) }));
    },
  );

  endpoint(
    app,
    {
      operation: 'updateMember',
      tag: 'Members',
      extension: true,
      method: 'put',
      path: '/swarms/{swarm_id}/resources/{resource_id}',
      summary: 'Change the role of a member',
      description:
        'The owner of the swarm can set any role of their own resources. Other roles can only be reduced, from `both` to ' +
        'one role, by the owner of the swarm or of the resource.',
      params: ofMember,
      body: memberUpdate,
      responses: { 200: { description: 'The member', content: json(swarmMember) } },
      fails: [403, 404, 507],
    },
    async (c, { userId, params, readBody, reply }) => {
      const find = () => findOwn({ userId, ...params, operation: 'updateMember' });
      const { body, found } = await readBody({
        find,
        faults: (sent, { member }) => readOnlyFaults({ body: sent, stored: member, fields: readOnly }),
      });
      for (let current = found; ; current = await find()) {
        const { swarm, member } = current;
        refuseReadOnly({ body, stored: member, fields: readOnly });
        const free = swarm.user_id === userId && member.user_id === userId;
        if (!free && !covers(member.resource_type, body.resource_type)) throw new Problem('membership.cannot_widen');
        const { resource_id, resource_type: from, user_id, url } = member;
        const { resource_type } = body;
        // Not a change: it would be in the activity log of both owners.
        if (resource_type === from) return reply({ resource_id, resource_type, user_id, url });
        const change = { swarmId: swarm.id, resourceId: resource_id, from, to: resource_type, actor: userId };
        if (await members.changeRole(change)) {
          return reply({ resource_id, resource_type, user_id, url });
        }
      }
    },
  );

  endpoint(
    app,
    {
      operation: 'removeMember',
      tag: 'Members',
      extension: true,
      method: 'delete',
      path: '/swarms/{swarm_id}/resources/{resource_id}',
      summary: 'Leave a swarm, or remove a member from it',
      description:
        'For the owner of the resource, and for the owner of the swarm. With `type`, a member that has both roles keeps ' +
        'the other one; a member without this role is not found.',
      params: ofMember,
      query: z.object({
        type: singleRole.optional().openapi({ param: { description: 'Takes only this role from the member' } }),
      }),
      responses: { 204: { description: 'Removed' } },
      fails: [403, 404, 507],
    },
    async (c, { userId, params, query }) => {
      for (;;) {
        const { swarm, member } = await findOwn({ userId, ...params, operation: 'removeMember' });
        const { type } = query();
        const { resource_id: resourceId, resource_type: role } = member;
        if (type && !covers(role, type)) throw new Problem('membership.not_found');
        const common = { swarmId: swarm.id, resourceId, actor: userId };
        const isDone =
          type && role !== type
            ? await members.changeRole({ ...common, from: role, to: type === 'producer' ? 'consumer' : 'producer' })
            : await members.remove({ ...common, role });
        if (isDone) return c.body(null, 204);
      }
    },
  );

  /** The member of the path, if the caller owns the swarm or the resource. */
  async function findOwn(request: {
    userId: string;
    swarm_id: string;
    resource_id: string;
    operation: OperationOn<SwarmRule>;
  }) {
    const { userId, swarm_id: id, resource_id: resourceId, operation } = request;
    // In this order: the deletion of a swarm also deletes its members.
    const member = idFormat.test(resourceId) ? await members.find({ id, resourceId }) : undefined;
    const { swarm } = await swarms.require({ userId, id, operation });
    if (!member) throw new Problem('membership.not_found');
    if (swarm.user_id !== userId && member.user_id !== userId) throw new Problem('swarm.forbidden');
    return { swarm, member };
  }
}

/** Whether the role `current` includes the role `next`. */
function covers(current: MemberRole, next: MemberRole): boolean {
  return current === 'both' || current === next;
}
