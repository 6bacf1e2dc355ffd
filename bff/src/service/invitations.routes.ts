import { z } from '@hono/zod-openapi';
import { invitation as invitationSchema, invitationAnswer, invitationSend } from '../contract.ts';
import type { Invitation, InvitationSend } from '../contract.ts';
import { readJsonBody } from '../http/json-body.ts';
import { Problem } from '../http/problem.ts';
import type { Access } from './access.ts';
import { created, idempotencyKey, json, readList } from './openapi-responses.ts';
import { endpoint, jsonType } from './endpoint.ts';
import type { ServiceApp } from './endpoint.ts';
import type { Claim, Idempotency } from './idempotency.store.ts';
import { isId } from './ids.ts';
import { recordOf } from './invitations.store.ts';
import type { Invitations } from './invitations.store.ts';
import { answerList } from './list-answer.ts';
import { readOnlyFaults, refuseReadOnly } from './read-only-fields.ts';

const readOnly = Object.keys(invitationSchema.shape).filter((field) => field !== 'status');
const ofSwarm = z.object({ swarm_id: z.string() });
const ofResource = z.object({ resource_id: z.string() });
const invitationList = readList('Invitations of every state, oldest first', invitationSchema);

export function invitationRoutes(
  app: ServiceApp,
  {
    invitations,
    access,
    idempotency,
    baseUrl,
    newId,
  }: {
    invitations: Invitations;
    access: Access;
    idempotency: Idempotency;
    baseUrl: string;
    newId: () => string;
  },
): void {
  endpoint(
    app,
    {
      operation: 'sendInvitation',
      method: 'post',
      path: '/swarms/{swarm_id}/invitations',
      summary: 'Invite a resource of another user to a swarm',
      description:
        'If the same invitation is open, it is sent again: it keeps its id and gets a new time and description.',
      request: { params: ofSwarm, headers: idempotencyKey, body: { content: json(invitationSend), required: true } },
      responses: created('The invitation', invitationSchema),
      fails: [403, 404, 409, 413, 415, 507],
    },
    async (c) => {
      const { swarm } = await access.swarm(c, 'sendInvitation');
      const { userId } = c.env.caller;
      const { body, text } = await readJsonBody(c, invitationSend, ({ to }) => (to === userId ? [toYourself] : []));
      const answer = await idempotency.once({
        userId,
        key: c.req.header('idempotency-key'),
        request: `sendInvitation ${swarm.id} ${text}`,
        act: (claim) => send({ from: userId, swarmId: swarm.id, body, claim }),
        answerOf(stored) {
          const [id, sent_at] = stored.split(' ') as [string, string];
          const sent = { id, from: userId, swarm_id: swarm.id, ...body, description: body.description ?? null };
          return JSON.stringify(recordOf({ ...sent, sent_at, status: 'new', accepted_at: null, rejected_at: null }));
        },
      });
      const { id, resource_id } = JSON.parse(answer) as Invitation;
      const location = `${baseUrl}/resources/${resource_id}/invitations/${id}`;
      return c.body(answer, 201, { ...jsonType, location });
    },
  );

  async function send(options: { from: string; swarmId: string; body: InvitationSend; claim: Claim }): Promise<string> {
    if (options.body.to === options.from) throw new Problem('body.invalid', { errors: [toYourself] });
    const sent = await invitations.send({ id: newId(), ...options });
    if (sent === 'swarm is gone') throw new Problem('swarm.not_found');
    if (sent === 'holds that role') throw new Problem('membership.exists');
    if (sent === 'no such resource of theirs') {
      throw new Problem('body.invalid', { errors: [notTheirs] });
    }
    return `${sent.id} ${sent.sent_at}`;
  }

  endpoint(
    app,
    {
      operation: 'answerInvitation',
      method: 'put',
      path: '/resources/{resource_id}/invitations/{invitation_id}',
      summary: 'Accept or reject an invitation',
      description:
        'Accepting makes the resource a member. Repeating the same answer changes nothing and is not an error.',
      request: {
        params: ofResource.extend({ invitation_id: z.string() }),
        body: { content: json(invitationAnswer), required: true },
      },
      responses: { 200: { description: 'The answered invitation', content: json(invitationSchema) } },
      fails: [403, 404, 409, 413, 415, 507],
    },
    async (c) => {
      const id = c.req.param('invitation_id')!;
      const find = async () => {
        // In this order: the deletion of a resource first answers its invitations, then deletes it.
        const found = isId(id) ? await invitations.find({ id, resourceId: c.req.param('resource_id')! }) : undefined;
        await access.resource(c, 'answerInvitation');
        if (!found) throw new Problem('invitation.not_found');
        return found;
      };
      await find();
      const { body } = await readJsonBody(c, invitationAnswer, async (sent) =>
        readOnlyFaults({ body: sent, stored: await find(), fields: readOnly }),
      );
      const { status } = body;
      const wanted = status === 'accept' ? 'accepted' : 'rejected';
      for (;;) {
        const invitation = await find();
        refuseReadOnly({ body, stored: invitation, fields: readOnly });
        if (invitation.status === wanted) return c.json(invitation, 200, jsonType);
        if (invitation.status !== 'new') throw new Problem('invitation.already_answered');
        const answered = await invitations.answer({ invitation, status });
        if (answered) return c.json(answered, 200, jsonType);
      }
    },
  );

  endpoint(
    app,
    {
      operation: 'listSentInvitations',
      method: 'get',
      path: '/swarms/{swarm_id}/invitations',
      summary: 'List the invitations sent for a swarm',
      request: { params: ofSwarm },
      responses: invitationList,
      fails: [403, 404],
    },
    async (c) => answerList(c, invitations.ofSwarm((await access.swarm(c, 'listSentInvitations')).swarm.id)),
  );

  endpoint(
    app,
    {
      operation: 'listInvitations',
      method: 'get',
      path: '/invitations',
      summary: 'List the invitations that the caller received',
      responses: invitationList,
    },
    (c) => answerList(c, invitations.ofUser(c.env.caller.userId)),
  );

  endpoint(
    app,
    {
      operation: 'listInvitationsOfResource',
      method: 'get',
      path: '/resources/{resource_id}/invitations',
      summary: 'List the invitations that a resource received',
      request: { params: ofResource },
      responses: invitationList,
      fails: [403, 404],
    },
    async (c) =>
      answerList(c, invitations.ofResource((await access.resource(c, 'listInvitationsOfResource')).record.id)),
  );

  endpoint(
    app,
    {
      operation: 'withdrawInvitation',
      extension: true,
      method: 'delete',
      path: '/swarms/{swarm_id}/invitations/{invitation_id}',
      summary: 'Withdraw an open invitation',
      request: { params: ofSwarm.extend({ invitation_id: z.string() }) },
      responses: { 204: { description: 'Withdrawn. It is removed from all lists' } },
      fails: [403, 404, 409, 507],
    },
    async (c) => {
      const id = c.req.param('invitation_id')!;
      const swarmId = c.req.param('swarm_id')!;
      for (;;) {
        // In this order: the deletion of a swarm also deletes its invitations.
        const found = isId(id) ? await invitations.findSent({ id, swarmId }) : undefined;
        await access.swarm(c, 'withdrawInvitation');
        if (!found) throw new Problem('invitation.not_found');
        if (found.status !== 'new') throw new Problem('invitation.already_answered');
        if (await invitations.withdraw({ id, swarmId, actor: c.env.caller.userId })) return c.body(null, 204);
      }
    },
  );
}

const toYourself = { pointer: '/to', code: 'invitation.to_yourself', detail: 'is your own user name' };
const notTheirs = { pointer: '/resource_id', code: 'resource.not_theirs', detail: 'is not a resource of that user' };
