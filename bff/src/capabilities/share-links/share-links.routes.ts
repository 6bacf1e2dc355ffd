import { z } from '@hono/zod-openapi';
import {
  newShareLink,
  shareLink,
  shareLinkCreate,
  shareLinkUpdate,
  swarmShareLinkCreate,
} from './share-links.schema.ts';
import { shareLinkLimits } from './limits.ts';
import { endpointsOf } from '../../core/endpoint/endpoint.ts';
import { created, json, pathIds } from '../../core/endpoint/openapi.ts';
import type { ServiceApp } from '../../core/endpoint/service-app.ts';
import type { ShareLinkUseCases } from './share-links.use-cases.ts';

const ofResource = pathIds('resource_id');
const ofLink = pathIds('resource_id', 'link_id');
const ofSwarm = pathIds('swarm_id');
const ofSwarmLink = pathIds('swarm_id', 'link_id');

type Deps = { useCases: ShareLinkUseCases; baseUrl: string };

/** Extension: links that show a resource, or members of a swarm, to people without an account. */
export function shareLinkRoutes(app: ServiceApp, deps: Deps): void {
  const endpoint = endpointsOf(app, { tag: 'Share links', isExtension: true });
  resourceLinkEndpoints(endpoint, deps);
  swarmLinkEndpoints(endpoint, deps);
}

type Endpoint = ReturnType<typeof endpointsOf>;

/** Links that show a resource. */
function resourceLinkEndpoints(endpoint: Endpoint, { useCases, baseUrl }: Deps): void {
  endpoint(
    {
      operation: 'createShareLink',
      method: 'post',
      path: '/resources/{resource_id}/share-links',
      summary: 'Create a link that shows your resource',
      description:
        'People with the link see the name of the resource, its position, and your user name, without an account, until ' +
        `the link ends. Nobody can read the code in its \`url\` again. A user has up to ${shareLinkLimits.open} open links. ` +
        'They end with their resource.',
      params: ofResource,
      // The code is not stored, so a repetition cannot be answered with it.
      headers: z.object({}),
      body: shareLinkCreate,
      responses: created('The link', newShareLink),
      fails: [403, 404, 409, 507],
    },
    async (_c, { userId, params: { resource_id: resourceId }, receiveBody, reply }) => {
      const link = await useCases.createShareLink({ userId, shown: { resourceId }, sentBody: await receiveBody() });
      return reply(link, { location: `${baseUrl}/resources/${resourceId}/share-links/${link.id}` });
    },
  );

  endpoint(
    {
      operation: 'listShareLinks',
      method: 'get',
      path: '/resources/{resource_id}/share-links',
      summary: 'List the links that show your resource',
      description: 'Those that have not ended.',
      params: ofResource,
      responses: { 200: { description: 'Oldest first', content: json(z.array(shareLink)) } },
      fails: [403, 404],
    },
    async (_c, { userId, params: { resource_id: resourceId }, reply }) =>
      reply(await useCases.listShareLinks({ userId, shown: { resourceId } })),
  );

  endpoint(
    {
      operation: 'updateShareLink',
      method: 'put',
      path: '/resources/{resource_id}/share-links/{link_id}',
      summary: 'Change the end of a link that shows your resource',
      description: 'It may be earlier or later. People who look at it see the new end, and nothing more after it.',
      params: ofLink,
      body: shareLinkUpdate,
      responses: { 200: { description: 'The link', content: json(shareLink) } },
      fails: [403, 404, 507],
    },
    async (_c, { userId, params: { resource_id: resourceId, link_id: id }, receiveBody, reply }) =>
      reply(await useCases.updateShareLink({ userId, shown: { resourceId }, id, sentBody: await receiveBody() })),
  );

  endpoint(
    {
      operation: 'endShareLink',
      method: 'delete',
      path: '/resources/{resource_id}/share-links/{link_id}',
      summary: 'End a link that shows your resource',
      description: 'People who look at it see nothing more.',
      params: ofLink,
      responses: { 204: { description: 'Ended' } },
      fails: [403, 404, 507],
    },
    (_c, { userId, params: { resource_id: resourceId, link_id: id } }) =>
      useCases.endShareLink({ userId, shown: { resourceId }, id }),
  );
}

/** Links that show members of a swarm. */
function swarmLinkEndpoints(endpoint: Endpoint, { useCases, baseUrl }: Deps): void {
  endpoint(
    {
      operation: 'createSwarmShareLink',
      method: 'post',
      path: '/swarms/{swarm_id}/share-links',
      summary: 'Create a link that shows members of your swarm',
      description:
        'People with the link see the names and positions of members whose owners allow it (`shown_by_links` of a membership), and your ' +
        'user name, without an account, until the link ends. They see neither the swarm nor the owners. It ends with the swarm, and when the swarm has ' +
        `another owner. A swarm has up to ${shareLinkLimits.openOfSwarm} open links.`,
      params: ofSwarm,
      headers: z.object({}),
      body: swarmShareLinkCreate,
      responses: created('The link', newShareLink),
      fails: [403, 404, 409, 507],
    },
    async (_c, { userId, params: { swarm_id: swarmId }, receiveBody, reply }) => {
      const link = await useCases.createShareLink({ userId, shown: { swarmId }, sentBody: await receiveBody() });
      return reply(link, { location: `${baseUrl}/swarms/${swarmId}/share-links/${link.id}` });
    },
  );

  endpoint(
    {
      operation: 'listSwarmShareLinks',
      method: 'get',
      path: '/swarms/{swarm_id}/share-links',
      summary: 'List the links that show members of your swarm',
      description: 'Those that have not ended.',
      params: ofSwarm,
      responses: { 200: { description: 'Oldest first', content: json(z.array(shareLink)) } },
      fails: [403, 404],
    },
    async (_c, { userId, params: { swarm_id: swarmId }, reply }) =>
      reply(await useCases.listShareLinks({ userId, shown: { swarmId } })),
  );

  endpoint(
    {
      operation: 'updateSwarmShareLink',
      method: 'put',
      path: '/swarms/{swarm_id}/share-links/{link_id}',
      summary: 'Change the end of a link that shows members of your swarm',
      description: 'It may be earlier or later. People who look at it see the new end, and nothing more after it.',
      params: ofSwarmLink,
      body: shareLinkUpdate,
      responses: { 200: { description: 'The link', content: json(shareLink) } },
      fails: [403, 404, 507],
    },
    async (_c, { userId, params: { swarm_id: swarmId, link_id: id }, receiveBody, reply }) =>
      reply(await useCases.updateShareLink({ userId, shown: { swarmId }, id, sentBody: await receiveBody() })),
  );

  endpoint(
    {
      operation: 'endSwarmShareLink',
      method: 'delete',
      path: '/swarms/{swarm_id}/share-links/{link_id}',
      summary: 'End a link that shows members of your swarm',
      description: 'People who look at it see nothing more.',
      params: ofSwarmLink,
      responses: { 204: { description: 'Ended' } },
      fails: [403, 404, 507],
    },
    (_c, { userId, params: { swarm_id: swarmId, link_id: id } }) =>
      useCases.endShareLink({ userId, shown: { swarmId }, id }),
  );
}
