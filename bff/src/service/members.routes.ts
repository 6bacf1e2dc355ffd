import { z } from '@hono/zod-openapi';
import { listedMember, memberAdd, memberUpdate, swarmMember } from '../contract.ts';
import type { MemberRole, SwarmMember } from '../contract.ts';
import { readJsonBody } from '../http/json-body.ts';
import { Problem } from '../http/problem.ts';
import type { Access, OperationOn } from './access.ts';
import { created, idempotencyKey, json, readList } from './openapi-responses.ts';
import { endpoint, jsonType } from './endpoint.ts';
import type { ServiceApp, ServiceContext } from './endpoint.ts';
import { foreignResource } from './foreign-resource.ts';
import type { Idempotency } from './idempotency.store.ts';
import { isId } from './ids.ts';
import { answerList } from './list-answer.ts';
import type { Members } from './members.store.ts';
import type { SwarmRule } from './policy.ts';
import { readOnlyFaults, refuseReadOnly } from './read-only-fields.ts';

const readOnly = ['resource_id', 'user_id', 'url', 'member_since'];
const ofSwarm = z.object({ swarm_id: z.string() });
const ofMember = ofSwarm.extend({ resource_id: z.string() });

/** Extension: members of a swarm, besides invitations. */
export function memberRoutes(
  app: ServiceApp,
  {
    members,
    access,
    idempotency,
    baseUrl,
  }: { members: Members; access: Access; idempotency: Idempotency; baseUrl: string },
): void {
  endpoint(
    app,
    {
      operation: 'addMember',
      extension: true,
      method: 'post',
      path: '/swarms/{swarm_id}/resources',
      summary: 'Add your resource to your swarm',
      request: { params: ofSwarm, headers: idempotencyKey, body: { content: json(memberAdd), required: true } },
      responses: created('The member', swarmMember),
      fails: [403, 404, 409, 413, 415, 507],
    },
    async (c) => {
      const { swarm } = await access.swarm(c, 'addMember');
      const { userId } = c.env.caller;
      const { body, text } = await readJsonBody(c, memberAdd);
      const answer = await idempotency.once({
        userId,
        key: c.req.header('idempotency-key'),
        request: `addMember ${swarm.id} ${text}`,
        act: async (claim) => {
          const added = await members.add({ swarmId: swarm.id, ...body, userId, claim });
          if (added === 'swarm is gone') throw new Problem('swarm.not_found');
          if (added === 'no such resource of theirs') throw foreignResource('/resource_id');
          if (added === 'holds that role') throw new Problem('membership.exists');
          return added.role;
        },
        answerOf: (role) =>
          JSON.stringify(
            members.memberOf({ resource_id: body.resource_id, resource_type: role as MemberRole, user_id: userId }),
          ),
      });
      const location = `${baseUrl}/swarms/${swarm.id}/resources/${body.resource_id}`;
      return c.body(answer, 201, { ...jsonType, location });
    },
  );

  endpoint(
    app,
    {
      operation: 'listMembers',
      extension: true,
      method: 'get',
      path: '/swarms/{swarm_id}/resources',
      summary: 'List the members of a swarm',
      description:
        'Sorted by the time of joining, oldest first. `type` filters by role; members with both roles match either.',
      request: { params: ofSwarm, query: z.object({ type: z.enum(['producer', 'consumer']).optional() }) },
      responses: readList('The members', listedMember),
      fails: [403, 404],
    },
    async (c) => {
      const { swarm } = await access.swarm(c, 'listMembers');
      const type = c.req.query('type');
      if (type !== undefined && type !== 'producer' && type !== 'consumer') {
        const errors = [{ pointer: '?type', code: 'field.not_allowed', detail: 'must be producer or consumer' }];
        throw new Problem('query.invalid', { errors });
      }
      return answerList(c, members.list({ id: swarm.id, type }));
    },
  );

  endpoint(
    app,
    {
      operation: 'updateMember',
      extension: true,
      method: 'put',
      path: '/swarms/{swarm_id}/resources/{resource_id}',
      summary: 'Change the role of a member',
      description:
        "A swarm's owner, for own resources. For others', and for the resource's owner, only from `both` to one.",
      request: { params: ofMember, body: { content: json(memberUpdate), required: true } },
      responses: { 200: { description: 'The member', content: json(swarmMember) } },
      fails: [403, 404, 413, 415, 507],
    },
    async (c) => {
      await mine(c, 'updateMember');
      const { body } = await readJsonBody(c, memberUpdate, async (sent) =>
        readOnlyFaults({ body: sent, stored: (await mine(c, 'updateMember')).member, fields: readOnly }),
      );
      for (;;) {
        const { swarm, member } = await mine(c, 'updateMember');
        refuseReadOnly({ body, stored: member, fields: readOnly });
        const { userId } = c.env.caller;
        const free = swarm.user_id === userId && member.user_id === userId;
        if (!free && !covers(member.resource_type, body.resource_type)) throw new Problem('membership.cannot_widen');
        const { resource_id, resource_type: from, user_id, url } = member;
        const { resource_type } = body;
        const change = { swarmId: swarm.id, resourceId: resource_id, from, to: resource_type, actor: userId };
        if (await members.changeRole(change)) {
          return c.json<SwarmMember>({ resource_id, resource_type, user_id, url }, 200, jsonType);
        }
      }
    },
  );

  endpoint(
    app,
    {
      operation: 'removeMember',
      extension: true,
      method: 'delete',
      path: '/swarms/{swarm_id}/resources/{resource_id}',
      summary: 'Leave a swarm, or remove a member from it',
      request: { params: ofMember },
      responses: { 204: { description: 'Removed' } },
      fails: [403, 404, 507],
    },
    async (c) => {
      for (;;) {
        const { swarm, member } = await mine(c, 'removeMember');
        const { resource_id: resourceId, resource_type: role } = member;
        const removed = { swarmId: swarm.id, resourceId, role, actor: c.env.caller.userId };
        if (await members.remove(removed)) return c.body(null, 204);
      }
    },
  );

  /** The member of the path, if the caller owns the swarm or the resource. */
  async function mine(c: ServiceContext, operation: OperationOn<SwarmRule>) {
    const resourceId = c.req.param('resource_id')!;
    const id = c.req.param('swarm_id')!;
    // In this order: the deletion of a swarm also deletes its members.
    const member = isId(resourceId) ? await members.find({ id, resourceId }) : undefined;
    const { swarm } = await access.swarm(c, operation);
    if (!member) throw new Problem('membership.not_found');
    const { userId } = c.env.caller;
    if (swarm.user_id !== userId && member.user_id !== userId) throw new Problem('swarm.forbidden');
    return { swarm, member };
  }
}

/** Whether the role `held` includes the role `asked`. */
function covers(held: MemberRole, asked: MemberRole): boolean {
  return held === 'both' || held === asked;
}
