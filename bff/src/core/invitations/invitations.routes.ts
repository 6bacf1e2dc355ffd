import { invitation as invitationSchema, invitationAnswer, invitationSend } from '../../contract.ts';
import { created, json, pathIds, readList } from '../endpoint/openapi.ts';
import { endpointsOf } from '../endpoint/endpoint.ts';
import type { ServiceApp } from '../endpoint/service-app.ts';
import { listResponse } from '../endpoint/list-responses.ts';
import type { Stores } from '../stores.ts';
import type { InvitationUseCases } from './invitations.use-cases.ts';

const ofSwarm = pathIds('swarm_id');
const ofResource = pathIds('resource_id');
const invitationList = readList('Invitations of every state, oldest first', invitationSchema);

export function invitationRoutes(
  app: ServiceApp,
  {
    useCases,
    invitations,
    resources,
    swarms,
    baseUrl,
  }: Pick<Stores, 'invitations' | 'resources' | 'swarms'> & { useCases: InvitationUseCases; baseUrl: string },
): void {
  const endpoint = endpointsOf(app, { tag: 'Invitations' });
  endpoint(
    {
      operation: 'sendInvitation',
      method: 'post',
      path: '/swarms/{swarm_id}/invitations',
      summary: 'Invite a resource of another user to a swarm',
      description:
        'If the same invitation is open, it is sent again: it keeps its id and gets a new time and description. ' +
        'An invitation that a manager of the swarm sends is from its owner. With an `ends_at` after the end of the membership, a member is ' +
        'offered a later end: nothing changes until its owner accepts. Otherwise, a resource that has the role is not invited (409).',
      params: ofSwarm,
      body: invitationSend,
      responses: created('The invitation', invitationSchema),
      fails: [403, 404, 409, 507],
    },
    async (_c, { userId, params: { swarm_id: swarmId }, receiveBody, once, reply }) => {
      const sentBody = await receiveBody();
      const invitation = await useCases.sendInvitation({ userId, swarmId, sentBody, once });
      const { resource_id, id } = invitation;
      return reply(invitation, { location: `${baseUrl}/resources/${resource_id}/invitations/${id}` });
    },
  );

  endpoint(
    {
      operation: 'answerInvitation',
      method: 'put',
      path: '/resources/{resource_id}/invitations/{invitation_id}',
      summary: 'Accept or reject an invitation',
      description:
        'Accepting makes the resource a member. Repeating the same answer changes nothing and is not an error. Send the ' +
        '`ends_at` of the invitation when you accept it: if it was sent again meanwhile, it may offer a later end, or none.',
      params: pathIds('resource_id', 'invitation_id'),
      body: invitationAnswer,
      responses: { 200: { description: 'The answered invitation', content: json(invitationSchema) } },
      fails: [403, 404, 409, 507],
    },
    async (_c, { userId, params: { resource_id: resourceId, invitation_id: id }, receiveBody, reply }) =>
      reply(await useCases.answerInvitation({ userId, id, resourceId, sentBody: await receiveBody() })),
  );

  endpoint(
    {
      operation: 'listSentInvitations',
      method: 'get',
      path: '/swarms/{swarm_id}/invitations',
      summary: 'List the invitations sent for a swarm',
      description: 'For the owner of the swarm and its managers.',
      params: ofSwarm,
      responses: invitationList,
      fails: [403, 404],
    },
    async (c, { userId, params: { swarm_id: id } }) => {
      const operation = 'listSentInvitations';
      await swarms.require({ userId, id, operation });
      return listResponse(c, swarms.whileAllowed({ operation, id, userId, chunks: invitations.ofSwarm(id) }));
    },
  );

  endpoint(
    {
      operation: 'listInvitations',
      method: 'get',
      path: '/invitations',
      summary: 'List the invitations that the caller received',
      description: 'For all of the caller’s resources.',
      responses: invitationList,
    },
    (c, { userId }) => listResponse(c, invitations.ofUser(userId)),
  );

  endpoint(
    {
      operation: 'listInvitationsOfResource',
      method: 'get',
      path: '/resources/{resource_id}/invitations',
      summary: 'List the invitations that a resource received',
      description: 'Only for the owner of the resource.',
      params: ofResource,
      responses: invitationList,
      fails: [403, 404],
    },
    async (c, { userId, params: { resource_id: id } }) => {
      await resources.require({ userId, id, operation: 'listInvitationsOfResource' });
      return listResponse(c, invitations.ofResource({ resourceId: id, userId }));
    },
  );

  endpoint(
    {
      operation: 'withdrawInvitation',
      extension: true,
      method: 'delete',
      path: '/swarms/{swarm_id}/invitations/{invitation_id}',
      summary: 'Withdraw an open invitation',
      description: 'For the owner of the swarm and its managers. Other users no longer see that it existed.',
      params: pathIds('swarm_id', 'invitation_id'),
      responses: { 204: { description: 'Withdrawn. It is removed from all lists' } },
      fails: [403, 404, 409, 507],
    },
    (_c, { userId, params: { swarm_id: swarmId, invitation_id: id } }) =>
      useCases.withdrawInvitation({ userId, id, swarmId }),
  );
}
