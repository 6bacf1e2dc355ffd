/** The activity log: what happened to the user's devices, swarms and account. */
import type { ActivityTopic } from '@swarmdeck/bff/contract';
import { escapeFormula, toLine } from '@swarmdeck/bff/device-export';
import { readPages } from '../../data/read-pages.ts';
import { send } from '../../data/client.ts';
import { pathTo } from '../../data/path-to.ts';
import { pagedQuery } from '../../data/cache/paged-query.ts';
import { queryKeys } from '../../data/cache/query-keys.ts';
import { useChange } from '../../data/use-change.ts';

export interface ActivityFilter {
  resource_id?: string;
  swarm_id?: string;
  topic?: ActivityTopic;
}

const pathOf = (filter: ActivityFilter, limit: number) => (before: string) =>
  pathTo('/api/activity', {}, new URLSearchParams({ ...filter, limit: String(limit), ...(before && { before }) }));

export const activityQuery = (filter: ActivityFilter, limit: number) => ({
  ...pagedQuery({ key: queryKeys.activity.list(filter, limit), path: pathOf(filter, limit) }),
  placeholderData: () => undefined,
});

const columns = ['at', 'kind', 'actor', 'device_id', 'device', 'device_owner', 'swarm_id', 'swarm', 'detail'];

/** Reads all entries, and returns them as the parts of a CSV file. */
export async function readActivityFile(filter: ActivityFilter): Promise<string[]> {
  // Without the byte order mark, spreadsheets do not read it as UTF-8.
  const parts = [`\uFEFF${toLine(columns, ',')}`];
  for await (const { items } of readPages({ pathOf: pathOf(filter, 200) })) {
    for (const { at, kind, actor, resource, swarm, detail = '' } of items) {
      const names = [
        resource?.id ?? '',
        resource?.name ?? '',
        resource?.user_id ?? '',
        swarm?.id ?? '',
        swarm?.name ?? '',
      ];
      parts.push(toLine([at, kind, actor, ...names, detail].map(escapeFormula), ','));
    }
  }
  return parts;
}

/** The newest entries, for the box on a page. Bulk actions write many entries, which the box shows as one. */
export const newestActivityQuery = (filter: ActivityFilter = {}) => activityQuery(filter, 50);

/** Marks an entry and all older ones as read. */
export const useMarkRead = () =>
  useChange((id: number) => send({ method: 'PUT', path: '/api/activity/read', body: { id } }), {
    type: 'activity.read',
    data: {},
  });
