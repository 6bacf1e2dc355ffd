import { newOwner } from '../managers/managers.schema.ts';
import { handover, handoverCreate } from './handovers.schema.ts';
import { handoverLimits } from './limits.ts';
import { endpointsOf } from '../../core/endpoint/endpoint.ts';
import { json, pathIds } from '../../core/endpoint/openapi.ts';
import type { ServiceApp } from '../../core/endpoint/service-app.ts';
import type { HandoverUseCases } from './handovers.use-cases.ts';

const ofResource = pathIds('resource_id');

/** Extension: a user hands a resource over to another one. */
export function handoverRoutes(app: ServiceApp, { useCases }: { useCases: HandoverUseCases }): void {
  const endpoint = endpointsOf(app, { tag: 'Resources', isExtension: true });
  endpoint(
    {
      operation: 'offerResource',
      method: 'put',
      path: '/resources/{resource_id}/handover',
      summary: 'Offer your resource to another user',
      description:
        'It stays yours until the user takes it over. Offering it to another user, or with another `with_history`, replaces the offer ' +
        `before. The response does not reveal whether there is a user of this name. A user offers up to ${handoverLimits.ofUser} ` +
        `resources, and up to ${handoverLimits.toUser} of them to the same user.`,
      params: ofResource,
      body: handoverCreate,
      responses: { 200: { description: 'The offer', content: json(handover) } },
      fails: [403, 404, 409, 507],
    },
    async (_c, { userId, params: { resource_id: resourceId }, receiveBody, reply }) =>
      reply(await useCases.offerResource({ userId, resourceId, sentBody: await receiveBody() })),
  );

  endpoint(
    {
      operation: 'readHandover',
      method: 'get',
      path: '/resources/{resource_id}/handover',
      summary: 'Read to whom your resource is offered',
      description: 'The user to whom it is offered finds it in `GET /offers`.',
      params: ofResource,
      responses: {
        200: { description: 'The offer', content: json(handover) },
        204: { description: 'It is not offered' },
      },
      fails: [403, 404],
    },
    async (c, { userId, params: { resource_id: resourceId }, reply }) => {
      const offer = await useCases.readHandover({ userId, resourceId });
      return offer ? reply(offer) : c.body(null, 204);
    },
  );

  endpoint(
    {
      operation: 'endResourceOffer',
      method: 'delete',
      path: '/resources/{resource_id}/handover',
      summary: 'Withdraw the offer of a resource, or decline it',
      description:
        'For the owner of the resource, and for the user to whom it is offered. To everybody else, it is not offered.',
      params: ofResource,
      responses: { 204: { description: 'Ended' } },
      fails: [404, 507],
    },
    (_c, { userId, params: { resource_id: resourceId } }) => useCases.endResourceOffer({ userId, resourceId }),
  );

  endpoint(
    {
      operation: 'takeOverResource',
      method: 'put',
      path: '/resources/{resource_id}/owner',
      summary: 'Take over a resource that is offered to you',
      description:
        'Only for the user to whom it is offered; `user_id` is the caller. It leaves all swarms except those of the caller, ' +
        'where its memberships have no `ends_at` any more. Its keys, its ' +
        'open invitations and requests, and the links that show it end. Its messages are deleted, and so are its track and its values, ' +
        'unless the offer is `with_history`. The entries of the activity log stay with the former owner. It counts for the quotas ' +
        'of the caller. Taking it over again changes nothing.',
      params: ofResource,
      body: newOwner,
      responses: { 204: { description: 'The caller owns it' } },
      fails: [403, 404, 409, 507],
    },
    async (_c, { userId, params: { resource_id: resourceId }, receiveBody }) =>
      useCases.takeOverResource({ userId, resourceId, sentBody: await receiveBody() }),
  );
}
