/** The activity log: what happened to the user's devices, swarms and account. */
import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ActivityPage, ActivityTopic } from '@swarmdeck/bff/contract';
import { escapeFormula, toLine } from '@swarmdeck/bff/device-export';
import { refetchOwnChanges } from '../../../api/changes.ts';
import { send } from '../../../api/client.ts';
import { queryKeys } from '../../../api/query-keys.ts';

export interface ActivityFilter {
  resource_id?: string;
  swarm_id?: string;
  topic?: ActivityTopic;
}

function queryOf(filter: ActivityFilter, { before, limit }: { before: number | null; limit: number }) {
  return { ...filter, limit: String(limit), ...(before !== null && { before: String(before) }) };
}

async function readPage(query: Record<string, string>, signal?: AbortSignal): Promise<ActivityPage> {
  const path = `/api/activity?${new URLSearchParams(query).toString()}`;
  return (await send<ActivityPage>({ path, ...(signal && { signal }) })).data;
}

export function activityQuery(filter: ActivityFilter, limit: number) {
  return infiniteQueryOptions({
    queryKey: queryKeys.activity.list(filter, limit),
    queryFn: ({ pageParam, signal }) => readPage(queryOf(filter, { before: pageParam, limit }), signal),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next,
  });
}

const columns = ['at', 'kind', 'actor', 'device_id', 'device', 'device_owner', 'swarm_id', 'swarm', 'detail'];

/** Reads all entries, and returns them as the parts of a CSV file. */
export async function readActivityFile(filter: ActivityFilter): Promise<string[]> {
  // without the byte order mark, spreadsheets do not read it as UTF-8
  const parts = [`\uFEFF${toLine(columns, ',')}`];
  let before: number | null = null;
  do {
    const page: ActivityPage = await readPage(queryOf(filter, { before, limit: 200 }));
    for (const { at, kind, actor, resource, swarm, detail = '' } of page.items) {
      const names = [
        resource?.id ?? '',
        resource?.name ?? '',
        resource?.user_id ?? '',
        swarm?.id ?? '',
        swarm?.name ?? '',
      ];
      parts.push(toLine([at, kind, actor, ...names, detail].map(escapeFormula), ','));
    }
    before = page.next;
  } while (before !== null);
  return parts;
}

/** The newest entries, for the box on a page. Bulk actions write many entries, which the box shows as one. */
export const newestActivityQuery = (filter: ActivityFilter = {}) => activityQuery(filter, 50);

/** Marks an entry and all older ones as read. */
export function useMarkRead() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => send({ method: 'PUT', path: '/api/activity/read', body: { id } }),
    onSuccess: () => refetchOwnChanges(client, { type: 'activity.read', data: {} }),
  });
}
