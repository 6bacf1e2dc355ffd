import { z } from '@hono/zod-openapi';
import { manager, managerAnswer, managerCreate, watcherEnd } from './managers.schema.ts';
import type { Managers } from './managers.store.ts';
import { managerLimits } from './limits.ts';
import { endpointsOf } from '../../core/endpoint/endpoint.ts';
import type { ServiceApp } from '../../core/endpoint/service-app.ts';
import { created, json, pathIds } from '../../core/endpoint/openapi.ts';
import type { Stores } from '../../core/stores.ts';
import type { ManagerUseCases } from './managers.use-cases.ts';

const ofSwarm = pathIds('swarm_id');
const ofManager = ofSwarm.extend({ user_id: z.string().openapi({ param: { description: 'A user name' } }) });

/** Extension: users who manage or watch a swarm for its owner. */
export function managerRoutes(
  app: ServiceApp,
  {
    useCases,
    managers,
    swarms,
    baseUrl,
  }: Pick<Stores, 'swarms'> & { managers: Managers; useCases: ManagerUseCases; baseUrl: string },
): void {
  const endpoint = endpointsOf(app, { tag: 'Managers', isExtension: true });
  endpoint(
    {
      operation: 'nameManager',
      method: 'post',
      path: '/swarms/{swarm_id}/managers',
      summary: 'Ask a user to manage or watch your swarm',
      description:
        'A manager, who has agreed, sees the swarm with its members, invitations and links, invites, withdraws invitations, creates ' +
        'and ends links, removes members and reduces their roles. Invitations of a manager are from the owner, and `sent_by` names the manager. A manager ' +
        'does not change or delete the swarm, and names no managers. A watcher sees the swarm with its members and its messages ' +
        'to all, and changes nothing; with `ends_at`, until then. To give a user the other role, or to ask again with another end, remove the user first. The response does not reveal whether there is a user ' +
        'of this name. Asking again changes nothing. A swarm has up to ' +
        `${managerLimits.ofSwarm} managers and watchers, including users who were asked. An owner can have up to ` +
        `${managerLimits.unanswered} requests to the same user that are not answered.`,
      params: ofSwarm,
      body: managerCreate,
      responses: created('The manager', manager),
      fails: [403, 404, 409, 507],
    },
    async (_c, { userId, params: { swarm_id: swarmId }, receiveBody, once, reply }) => {
      const named = await useCases.nameManager({ userId, swarmId, sentBody: await receiveBody(), once });
      return reply(named, { location: `${baseUrl}/swarms/${swarmId}/managers/${encodeURIComponent(named.user_id)}` });
    },
  );

  endpoint(
    {
      operation: 'listManagers',
      method: 'get',
      path: '/swarms/{swarm_id}/managers',
      summary: 'List the managers and watchers of a swarm',
      description: 'For the owner of the swarm and its managers. Also users who were asked and have not answered.',
      params: ofSwarm,
      responses: { 200: { description: 'Oldest first', content: json(z.array(manager)) } },
      fails: [403, 404],
    },
    async (_c, { userId, params: { swarm_id: id }, reply }) => {
      await swarms.require({ userId, id, operation: 'listManagers' });
      return reply(await managers.ofSwarm(id));
    },
  );

  endpoint(
    {
      operation: 'agreeToManage',
      method: 'put',
      path: '/swarms/{swarm_id}/managers/{user_id}',
      summary: 'Agree to manage or watch a swarm',
      description: 'Only for the user who was asked. Agreeing again changes nothing.',
      params: ofManager,
      body: managerAnswer,
      responses: { 200: { description: 'The manager', content: json(manager) } },
      fails: [403, 404, 507],
    },
    async (_c, { userId, params: { swarm_id: swarmId, user_id: id }, receiveBody, reply }) =>
      reply(await useCases.agreeToManage({ userId, swarmId, id, sentBody: await receiveBody() })),
  );

  endpoint(
    {
      operation: 'setWatcherEnd',
      method: 'put',
      path: '/swarms/{swarm_id}/managers/{user_id}/end',
      summary: 'Set when a watcher ends',
      description:
        'The owner of the swarm can set any end in the future, or none. The watcher can only set an earlier one. At that time the user ' +
        'sees nothing more of the swarm as its watcher.',
      params: ofManager,
      body: watcherEnd,
      responses: { 200: { description: 'The watcher', content: json(manager) } },
      fails: [403, 404, 507],
    },
    async (_c, { userId, params: { swarm_id: swarmId, user_id: id }, receiveBody, reply }) =>
      reply(await useCases.setWatcherEnd({ userId, swarmId, id, sentBody: await receiveBody() })),
  );

  endpoint(
    {
      operation: 'removeManager',
      method: 'delete',
      path: '/swarms/{swarm_id}/managers/{user_id}',
      summary: 'Remove a manager or a watcher, step down, or decline',
      description:
        'For the owner of the swarm, and for this user, before and after agreeing. Resources of the user stay members. ' +
        'Links of the swarm work until they end or the owner or a manager ends them.',
      params: ofManager,
      responses: { 204: { description: 'Removed' } },
      fails: [403, 404, 507],
    },
    (_c, { userId, params: { swarm_id: swarmId, user_id: id } }) => useCases.removeManager({ userId, swarmId, id }),
  );
}
