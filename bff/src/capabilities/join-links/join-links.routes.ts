import { z } from '@hono/zod-openapi';
import { swarmMember } from '../../contract.ts';
import { joinByLink, joinLink, joinLinkCreate, joinOffer } from './join-links.schema.ts';
import type { JoinLinks } from './join-links.store.ts';
import { linkLimits } from './limits.ts';
import { endpointsOf } from '../../core/endpoint/endpoint.ts';
import type { ServiceApp } from '../../core/endpoint/service-app.ts';
import { created, json, pathIds } from '../../core/endpoint/openapi.ts';
import type { Stores } from '../../core/stores.ts';
import type { JoinLinkUseCases } from './join-links.use-cases.ts';

const ofSwarm = pathIds('swarm_id');

/** Extension: links by which users join a swarm with their resources. */
export function joinLinkRoutes(
  app: ServiceApp,
  {
    useCases,
    links,
    swarms,
    baseUrl,
  }: Pick<Stores, 'swarms'> & { links: JoinLinks; useCases: JoinLinkUseCases; baseUrl: string },
): void {
  const endpoint = endpointsOf(app, { tag: 'Links', isExtension: true });
  endpoint(
    {
      operation: 'createJoinLink',
      method: 'post',
      path: '/swarms/{swarm_id}/links',
      summary: 'Create a link to join a swarm',
      description:
        'For the owner of the swarm and its managers. Every user who has the link can join with resources. A swarm has up to ' +
        `${linkLimits.open} links that have not ended.`,
      params: ofSwarm,
      body: joinLinkCreate,
      responses: created('The link', joinLink),
      fails: [403, 404, 409, 507],
    },
    async (_c, { userId, params: { swarm_id: swarmId }, receiveBody, once, reply }) => {
      const sentBody = await receiveBody();
      const link = await useCases.createJoinLink({ userId, swarmId, sentBody, once });
      return reply(link, { location: `${baseUrl}/swarms/${swarmId}/links/${link.id}` });
    },
  );

  endpoint(
    {
      operation: 'listJoinLinks',
      method: 'get',
      path: '/swarms/{swarm_id}/links',
      summary: 'List the links to join a swarm',
      description: `For the owner of the swarm and its managers. Also those that have ended, of which ${linkLimits.ended} are kept.`,
      params: ofSwarm,
      responses: { 200: { description: 'Oldest first', content: json(z.array(joinLink)) } },
      fails: [403, 404],
    },
    async (_c, { userId, params: { swarm_id: id }, reply }) => {
      await swarms.require({ userId, id, operation: 'listJoinLinks' });
      return reply(await links.ofSwarm(id));
    },
  );

  endpoint(
    {
      operation: 'endJoinLink',
      method: 'delete',
      path: '/swarms/{swarm_id}/links/{link_id}',
      summary: 'End a link',
      description: 'Nobody can join by it any more. Resources that have joined stay. Ending it again changes nothing.',
      params: pathIds('swarm_id', 'link_id'),
      responses: { 204: { description: 'Ended' } },
      fails: [403, 404, 507],
    },
    (_c, { userId, params: { swarm_id: swarmId, link_id: id } }) => useCases.endJoinLink({ userId, swarmId, id }),
  );

  endpoint(
    {
      operation: 'openJoinLink',
      method: 'get',
      path: '/links',
      summary: 'Open a link',
      description:
        'What the link with this code offers. A code that was never given out, and one of a link that has ended, has ' +
        'expired or is used up, get the same 404, and so does a user whom the swarm blocks.',
      query: z.object({
        code: z.string().openapi({ param: { description: 'The last segment of the link’s `url`' } }),
      }),
      responses: { 200: { description: 'The offer', content: json(joinOffer) } },
      fails: [404],
    },
    async (_c, { userId, query, reply }) => reply(await useCases.openJoinLink({ userId, ...query() })),
  );

  endpoint(
    {
      operation: 'joinByLink',
      method: 'post',
      path: '/links/{link_id}/resources',
      summary: 'Join a swarm by a link, with your resource',
      description:
        'The resource becomes a member as if the owner had invited it and you had accepted: the lists of invitations ' +
        'have one that was accepted at once, or two if the link gives both roles.',
      params: pathIds('link_id'),
      body: joinByLink,
      responses: created('The member', swarmMember),
      fails: [404, 409, 507],
    },
    async (_c, { userId, params: { link_id: linkId }, receiveBody, once, reply }) => {
      const sentBody = await receiveBody();
      const { swarmId, member } = await useCases.joinByLink({ userId, linkId, sentBody, once });
      return reply(member, { location: `${baseUrl}/swarms/${swarmId}/resources/${member.resource_id}` });
    },
  );
}
