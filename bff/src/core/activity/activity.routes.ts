import { z } from '@hono/zod-openapi';
import { activityPage, activityRead, activityTopics } from '../../contract.ts';
import { activityLimits, queryLimits } from '../limits/part-limits.ts';
import { inDigits } from '../limits/limit-tables.ts';
import { wholeNumber } from '../http/query.ts';
import type { ActivityLog } from './activity-log.store.ts';
import { endpointsOf } from '../endpoint/endpoint.ts';
import type { ServiceApp } from '../endpoint/service-app.ts';
import { json } from '../endpoint/openapi.ts';

const query = z.object({
  resource_id: z
    .string()
    .optional()
    .openapi({ format: 'uuid', param: { description: 'Only entries about this resource' } }),
  swarm_id: z
    .string()
    .optional()
    .openapi({ format: 'uuid', param: { description: 'Only entries about this swarm' } }),
  topic: z
    .enum(activityTopics)
    .optional()
    .openapi({ param: { description: 'Only entries whose kind begins with this topic' } }),
  before: wholeNumber({ most: 999_999_999_999_999 })
    .optional()
    .openapi({ type: 'integer', param: { description: '`next` of the previous page' } }),
  limit: wholeNumber({ least: 1, most: queryLimits.page })
    .default(50)
    .openapi({
      type: 'integer',
      minimum: 1,
      maximum: queryLimits.page,
      default: 50,
      param: { description: 'The number of entries of a page' },
    }),
});

export function activityRoutes(app: ServiceApp, { activity }: { activity: ActivityLog }): void {
  const endpoint = endpointsOf(app, { tag: 'Activity', isExtension: true });
  endpoint(
    {
      operation: 'listActivity',
      method: 'get',
      path: '/activity',
      summary: 'List what happened to the caller’s resources, swarms and account',
      description:
        `Newest first, in pages, without positions. The log has the last ${activityLimits.days} days: at most ` +
        `${inDigits(activityLimits.own)} entries about actions of the caller, ${inDigits(activityLimits.others)} about those of ` +
        `others, and ${inDigits(activityLimits.account)} about the account. What one user does repeatedly to the ` +
        'same resource and swarm within a day is one entry, with its last time; entries about the account are not merged.',
      query,
      responses: { 200: { description: 'One page', content: json(activityPage) } },
    },
    async (c, request) => {
      const { requester } = request;
      const { resource_id: resourceId, swarm_id: swarmId, topic, before, limit } = request.query();
      const filter = { requester, resourceId, swarmId, topic };
      const [found, readState] = await Promise.all([
        activity.list({ ...filter, before, limit: limit + 1 }),
        activity.readState(requester),
      ]);
      const items = found.slice(0, limit);
      const last = found.length > limit ? items.at(-1)! : undefined;
      const more = last ? await activity.countSame(filter, last) : 0;
      return request.reply({ items, next: last?.id ?? null, more, ...readState });
    },
  );

  endpoint(
    {
      operation: 'markActivityRead',
      method: 'put',
      path: '/activity/read',
      summary: 'Mark activity as read',
      description: 'Marks the entry with this id and all older ones.',
      body: activityRead,
      responses: { 204: { description: 'Marked' } },
      fails: [507],
    },
    async (c, { userId, receiveBody }) => {
      const { id } = (await receiveBody()).check();
      await activity.markRead({ userId, id });
    },
  );
}
