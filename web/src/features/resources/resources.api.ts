import type { QueryClient } from '@tanstack/react-query';
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { InfiniteData } from '@tanstack/react-query';
import type {
  DevicePage,
  DeviceSort,
  Position,
  Resource,
  ResourceCreate,
  ResourceUpdate,
  Swarm,
} from '@swarmdeck/bff/contract';
import { send } from '../../api/client.ts';
import { ProblemError } from '../../api/problem.ts';
import type { Bbox, Filters } from './device-filters.ts';
import { toQuery } from './device-filters.ts';
import type { DeviceValues } from './device-merge.ts';
import type { ResourceRead } from './device-save.ts';
import { saveDevice } from './device-save.ts';

/** Which devices, in which order; `bbox` only while the list follows the map. */
export interface DeviceQuery {
  filters: Filters;
  sort: DeviceSort;
  bbox: Bbox | null;
}

/** How often the page looks for news while it is seen. */
const pulseEvery = 15_000;
const firstPage = 100;
const morePages = 200;

async function readPage(query: string, signal: AbortSignal): Promise<DevicePage> {
  return (await send<DevicePage>({ path: `/api/devices?${query}`, signal })).data;
}

/** The list, page by page. It is not read again behind the reader's back: rows keep their place (device-fresh.ts). */
export function devicePagesQuery(query: DeviceQuery) {
  return infiniteQueryOptions({
    queryKey: ['devices', 'pages', toQuery({ ...query, limit: 0 })],
    queryFn: ({ pageParam: cursor, signal }) =>
      readPage(toQuery({ ...query, cursor, limit: cursor === null ? firstPage : morePages }), signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    // comparing every row of every page with every row of every page before it is what makes long lists slow
    structuralSharing: false,
  });
}

/** What is left to be read again when nobody needs the rest: reading hundreds of pages anew serves no one. */
export function firstPageOf<Data extends InfiniteData<DevicePage>>(data: Data): Data {
  return { ...data, pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) };
}

/** What changed last among the same devices, and the counts: one small answer every few seconds. */
export function devicePulseQuery(query: DeviceQuery & { newest: DevicePage | undefined }) {
  return queryOptions({
    queryKey: ['devices', 'pulse', toQuery({ ...query, sort: '-changed', limit: 50 })],
    queryFn: ({ signal }) => readPage(toQuery({ ...query, sort: '-changed', limit: 50 }), signal),
    enabled: query.newest !== undefined,
    initialData: () => query.newest,
    initialDataUpdatedAt: () => Date.now(),
    staleTime: pulseEvery,
    refetchInterval: pulseEvery,
    refetchOnWindowFocus: 'always',
  });
}

/** Only the counts under some filters: what would be left if one came off. */
export function deviceCountQuery(query: Omit<DeviceQuery, 'sort'>) {
  const path = toQuery({ ...query, limit: 0 });
  return queryOptions({
    queryKey: ['devices', 'count', path],
    queryFn: async ({ signal }) => (await readPage(path, signal)).total,
  });
}

/** One device as the list shows it, also when the list does not hold it; null when there is none. */
export function deviceRowQuery(id: string) {
  return queryOptions({
    queryKey: ['devices', 'one', id],
    queryFn: async ({ signal }) => {
      const page = await readPage(toQuery({ filters: { q: id }, limit: 10 }), signal);
      return page.items.find((device) => device.id === id) ?? null;
    },
    refetchInterval: pulseEvery,
  });
}

export async function readResource(id: string, signal?: AbortSignal): Promise<ResourceRead> {
  const {
    data: resource,
    etag,
    at,
  } = await send<Resource>({
    path: `/api/resources/${id}`,
    ...(signal ? { signal } : {}),
  });
  return { resource, etag, at };
}

export function resourceQuery(id: string) {
  return queryOptions({
    queryKey: ['resource', id],
    queryFn: ({ signal }) => readResource(id, signal),
    refetchInterval: pulseEvery,
  });
}

export function resourceSwarmsQuery(id: string) {
  return queryOptions({
    queryKey: ['resource', id, 'swarms'],
    queryFn: async ({ signal }) => (await send<Swarm[]>({ path: `/api/resources/${id}/swarms`, signal })).data,
  });
}

/** Whoever shows lists and maps learns that a device is new, changed or gone; lists nobody looks at are read anew. */
function announce(client: QueryClient) {
  void client.invalidateQueries({ queryKey: ['devices', 'pages'], refetchType: 'none' });
  for (const queryKey of [['devices', 'pulse'], ['devices', 'count'], ['devices', 'one'], ['map']]) {
    void client.invalidateQueries({ queryKey });
  }
}

/** Devices were seen to change elsewhere: the map follows. */
export function announceMoves(client: QueryClient) {
  void client.invalidateQueries({ queryKey: ['map'] });
}

export function useCreateDevice() {
  const client = useQueryClient();
  return useMutation({
    /** `idempotencyKey` stays the same when the same form is sent again: a lost answer must not double the device. */
    mutationFn: async ({ device, idempotencyKey }: { device: ResourceCreate; idempotencyKey: string }) =>
      (
        await send<Resource>({
          method: 'POST',
          path: '/api/resources',
          body: device,
          headers: { 'idempotency-key': idempotencyKey },
        })
      ).data,
    onSuccess: () => {
      announce(client);
      void client.invalidateQueries({ queryKey: ['devices', 'pages'] });
      void client.invalidateQueries({ queryKey: ['account'], exact: true });
    },
  });
}

const isMoved = (error: unknown) => error instanceof ProblemError && error.problem.status === 412;

function writeResource(id: string) {
  return async ({ body, etag }: { body: ResourceUpdate; etag: string | null }): Promise<ResourceRead> => {
    const answer = await send<Resource>({
      method: 'PUT',
      path: `/api/resources/${id}`,
      body,
      headers: etag === null ? {} : { 'if-match': etag },
    });
    return { resource: answer.data, etag: answer.etag, at: answer.at };
  };
}

export function useSaveDevice(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: { base: DeviceValues; mine: DeviceValues; etag: string | null }) =>
      saveDevice({ ...change, read: () => readResource(id), write: writeResource(id), isMoved }),
    onSuccess: (result) => {
      client.setQueryData(resourceQuery(id).queryKey, result.kind === 'saved' ? result.read : result.theirs);
      announce(client);
    },
  });
}

/** Puts a device somewhere. The place was chosen by hand just now: it goes over one that came in between. */
export function usePlaceDevice() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, position }: { id: string; position: Position | null }) =>
      writeResource(id)({ body: { position }, etag: null }),
    onSuccess: (read, { id }) => {
      client.setQueryData(resourceQuery(id).queryKey, read);
      announce(client);
    },
  });
}

/** Destroys it; one that is gone already is as good. Its row leaves every list that is loaded. */
export async function destroyDevice(options: { client: QueryClient; id: string; keepalive: boolean }): Promise<void> {
  const { client, id, keepalive } = options;
  try {
    await send({ method: 'DELETE', path: `/api/resources/${id}`, keepalive });
  } catch (error) {
    if (!(error instanceof ProblemError) || error.problem.status !== 404) throw error;
  }
  client.setQueriesData<InfiniteData<DevicePage>>(
    { queryKey: ['devices', 'pages'] },
    (data) => data && without(data, id),
  );
  client.removeQueries({ queryKey: ['resource', id] });
  announce(client);
  void client.invalidateQueries({ queryKey: ['account'], exact: true });
}

function without(data: InfiniteData<DevicePage>, id: string): InfiniteData<DevicePage> {
  if (!data.pages.some((page) => page.items.some((device) => device.id === id))) return data;
  const pages = data.pages.map((page) => ({
    ...page,
    total: page.total - 1,
    items: page.items.filter((device) => device.id !== id),
  }));
  return { ...data, pages };
}
