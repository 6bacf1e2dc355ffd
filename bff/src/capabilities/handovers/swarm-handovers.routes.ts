import { z } from '@hono/zod-openapi';
import { manager, newOwner } from '../managers/managers.schema.ts';
import { endpointsOf } from '../../core/endpoint/endpoint.ts';
import type { ServiceApp } from '../../core/endpoint/service-app.ts';
import { json, pathIds } from '../../core/endpoint/openapi.ts';
import { offer } from './handovers.schema.ts';
import { handoverLimits } from './limits.ts';
import type { SwarmHandoverUseCases } from './swarm-handovers.use-cases.ts';

const ofSwarm = pathIds('swarm_id');

/** Extension: what owners of swarms offer, and swarms that are handed over. */
export function swarmHandoverRoutes(app: ServiceApp, { useCases }: { useCases: SwarmHandoverUseCases }): void {
  const endpoint = endpointsOf(app, { tag: 'Managers', isExtension: true });
  endpoint(
    {
      operation: 'listOffers',
      method: 'get',
      path: '/offers',
      summary:
        'List the resources and swarms that you are offered, and the swarms that you are asked to manage or watch',
      description: `Up to ${handoverLimits.swarmsShown} resources, and as many swarms.`,
      responses: {
        200: {
          description: 'Resources first, then swarms to own, each with the newest first',
          content: json(z.array(offer)),
        },
      },
    },
    async (_c, { userId, reply }) => reply(await useCases.offersTo(userId)),
  );

  endpoint(
    {
      operation: 'offerSwarm',
      method: 'put',
      path: '/swarms/{swarm_id}/handover',
      summary: 'Offer your swarm to a manager',
      description:
        'It stays yours until the manager takes it over. Offering it to another manager ends the offer before.',
      params: ofSwarm,
      body: newOwner,
      responses: { 200: { description: 'The manager', content: json(manager) } },
      fails: [403, 404, 409, 507],
    },
    async (_c, { userId, params: { swarm_id: swarmId }, receiveBody, reply }) =>
      reply(await useCases.offerSwarm({ userId, swarmId, sentBody: await receiveBody() })),
  );

  endpoint(
    {
      operation: 'endSwarmOffer',
      method: 'delete',
      path: '/swarms/{swarm_id}/handover',
      summary: 'End the offer of a swarm, or decline it',
      description: 'For the owner of the swarm, and for the manager to whom it is offered.',
      params: ofSwarm,
      responses: { 204: { description: 'Ended' } },
      fails: [403, 404, 507],
    },
    (_c, { userId, params: { swarm_id: swarmId } }) => useCases.endSwarmOffer({ userId, swarmId }),
  );

  endpoint(
    {
      operation: 'takeOverSwarm',
      method: 'put',
      path: '/swarms/{swarm_id}/owner',
      summary: 'Take over a swarm that is offered to you',
      description:
        'Only for the manager to whom it is offered; `user_id` is the caller. Its members, links, managers and open ' +
        'invitations go with it: they count for your quotas, and the invitations are from you; their `sent_by` names who has sent them. Links that show its devices end; which devices they may show (`shown_by_links`) stays. The former owner ' +
        'becomes a manager. Taking it over again changes nothing.',
      params: ofSwarm,
      body: newOwner,
      responses: { 204: { description: 'The caller owns it' } },
      fails: [403, 404, 409, 507],
    },
    async (_c, { userId, params: { swarm_id: swarmId }, receiveBody }) =>
      useCases.takeOverSwarm({ userId, swarmId, sentBody: await receiveBody() }),
  );
}
