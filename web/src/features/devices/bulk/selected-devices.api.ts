/** What actions on many devices read. Loaded with the first of them. */
import { queryOptions } from '@tanstack/react-query';
import type { DevicePage } from '@swarmdeck/bff/contract';
import { readPages } from '../../../data/read-pages.ts';
import { read } from '../../../data/client.ts';
import { pathTo } from '../../../data/path-to.ts';
import { queryKeys } from '../../../data/cache/query-keys.ts';
import { queryString, type Bbox } from '../../../data/filter-params.ts';
import { listParams, toQuery, type Filters } from '../device-filters.ts';

/** The most that the server sends at a time. */
const largestPage = 1000;

interface DevicePagesOptions {
  filters: Filters;
  bbox?: Bbox | null;
  signal?: AbortSignal;
}

/** All devices that match, page by page, newest first. */
export function devicePages({ signal, ...query }: DevicePagesOptions): AsyncGenerator<DevicePage> {
  return readPages({
    pathOf: (cursor) =>
      pathTo('/api/devices', {}, toQuery({ ...query, sort: '-created', cursor: cursor || null, limit: largestPage })),
    signal,
  });
}

interface WhichDevices {
  filters: Filters;
  bbox: Bbox | null;
}

/** The file that the service writes of all devices that match. */
export const exportPath = ({ filters, bbox, format }: WhichDevices & { format: string }) =>
  pathTo('/api/export', {}, queryString({ ...listParams({ filters, stack: bbox }), format }));

/** Which of the user's devices: the query of the list without its page. */
export const listQuery = ({ filters, bbox }: WhichDevices) => queryString(listParams({ filters, stack: bbox }));

/** The swarms of the devices that match a query string of the list. The counts ignore its filter by swarm. */
export function deviceSwarmsQuery(query: string) {
  return queryOptions({
    queryKey: queryKeys.devices.countBySwarm(query),
    queryFn: async ({ signal }) =>
      (await read('/api/devices', {}, { query: `${query}&limit=0`, signal })).facets.swarms,
  });
}
