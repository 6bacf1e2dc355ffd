import { z } from '@hono/zod-openapi';
import { reportedTime } from '../../contract.ts';
import { audience } from './audience.schema.ts';
import { id, wholeNumber } from '../../core/http/query.ts';
import { audienceLimits } from '../../core/limits/part-limits.ts';
import { Problem } from '../../core/problem.ts';
import { endpointsOf } from '../../core/endpoint/endpoint.ts';
import { json, pathIds } from '../../core/endpoint/openapi.ts';
import type { ServiceApp } from '../../core/endpoint/service-app.ts';
import type { Stores } from '../../core/stores.ts';
import type { AudienceReads, Period } from './audience.store.ts';

const period = {
  from: reportedTime
    .optional()
    .openapi({ param: { description: 'With `until`: who saw it at any moment since then' } }),
  until: reportedTime.optional().openapi({ param: { description: 'With `from`: the end of that time' } }),
};
const ofSwarm = z.object(period);
const ofResource = z.object({
  ...period,
  after: id('the id of a swarm')
    .optional()
    .openapi({ format: 'uuid', param: { description: '`next` of the previous page' } }),
  limit: wholeNumber({ least: 1, most: audienceLimits.page })
    .default(audienceLimits.page)
    .openapi({
      type: 'integer',
      minimum: 1,
      maximum: audienceLimits.page,
      default: audienceLimits.page,
      param: { description: `The swarms of a page. Of the past, at most ${audienceLimits.pastPage}` },
    }),
});

const about =
  'The owner, managers and watchers by name, and the numbers of other users. With `from` and `until`, who saw it at any moment of ' +
  `that time, of the last ${audienceLimits.days} days: the caller sees only the time since which the caller sees the swarm. ` +
  'What happened before this version of the server is not known.';

/** Extension: who sees the devices of a swarm. */
export function audienceRoutes(
  app: ServiceApp,
  { audiences, resources, swarms }: Pick<Stores, 'resources' | 'swarms'> & { audiences: AudienceReads },
): void {
  const responses = { 200: { description: 'Who sees it', content: json(audience) } };
  endpointsOf(app, { tag: 'Resources', isExtension: true })(
    {
      operation: 'getResourceAudience',
      method: 'get',
      path: '/resources/{resource_id}/audience',
      summary: 'Get who sees a resource',
      description: `For each of its swarms that the caller sees, ordered by id. ${about}`,
      params: pathIds('resource_id'),
      query: ofResource,
      responses,
      fails: [404],
    },
    async (c, { userId, requester, params: { resource_id }, query, reply }) => {
      const { record } = await resources.require({ userId, id: resource_id, operation: 'getResourceAudience' });
      const { limit, after, ...sent } = query();
      const asked = periodOf(sent);
      const most = asked ? Math.min(limit, audienceLimits.pastPage) : limit;
      const { items, next } = await audiences.ofResource({
        id: resource_id,
        owner: record.user_id,
        requester,
        after,
        limit: most,
        period: asked,
      });
      if (record.user_id === userId) return reply({ items, next });
      return reply({ items: items.map(({ receivers_then: _then, shown_by_links: _shown, ...item }) => item), next });
    },
  );

  endpointsOf(app, { tag: 'Swarms', isExtension: true })(
    {
      operation: 'getSwarmAudience',
      method: 'get',
      path: '/swarms/{swarm_id}/audience',
      summary: 'Get who sees the members of a swarm',
      description: `For everybody who sees them. ${about}`,
      params: pathIds('swarm_id'),
      query: ofSwarm,
      responses,
      fails: [403, 404],
    },
    async (_c, { userId, requester, params: { swarm_id }, query, reply }) => {
      await swarms.require({ userId, id: swarm_id, operation: 'getSwarmAudience' });
      return reply(await audiences.ofSwarm({ id: swarm_id, requester, limit: 1, period: periodOf(query()) }));
    },
  );
}

/** Undefined for now. @throws `query.invalid` */
function periodOf({ from, until }: { from?: string; until?: string }): Period | undefined {
  if (from === undefined && until === undefined) return undefined;
  const fault = (pointer: string, detail: string) =>
    new Problem('query.invalid', { errors: [{ pointer, code: 'query.invalid', detail }] });
  if (from === undefined) throw fault('?from', 'is required with `until`');
  if (until === undefined) throw fault('?until', 'is required with `from`');
  if (until <= from) throw fault('?until', 'must be after `from`');
  return { from, until };
}
