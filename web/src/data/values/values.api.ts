/** What devices said over time: of one device, and of devices of a swarm. */
import type { Resource, ValueSeries } from '@swarmdeck/bff/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { hourMs } from '@swarmdeck/bff/durations';
import { queryKeys } from '../cache/query-keys.ts';
import { read } from '../client.ts';
import { lastValuesInterval } from '../stream/poll-intervals.ts';
import { keyParam, queryString } from '../filter-params.ts';
import { serverNow } from '../server-clock.ts';
import { seriesId, seriesOf, type Series, type Span } from './series.ts';

/** A length of time that ends now, or a part of the past. */
export type Range = { length: number } | { span: Span };

/** The series of a range, and until when they are complete. */
export interface ReadValues {
  series: Series[];
  /** In ms. What came later is in the stream. */
  end: number;
  /** Undefined: of several devices. Null: its values are not recorded. */
  keptSince?: string | null;
  /** In ms. Of devices of a swarm: what one of them has sent before is not shown to the user. */
  since?: number | undefined;
  /** The user's share of the storage is used up. */
  isFull: boolean;
  /** Of the user's own device: keys that are not recorded, and those that the user has chosen. */
  leftOut: readonly string[];
  chosen: readonly string[] | null;
}

/** In ms. The stream has what comes meanwhile, in the steps in which it was sent. */
const everyMs = hourMs;

/** In ms. What is shown again later is read again. */
export const readAgain = 60_000;

const shared = {
  // The charts stay until those of another range have come.
  placeholderData: keepPreviousData,
  gcTime: readAgain,
  // The columns are long, and differ in each answer.
  structuralSharing: false,
  staleTime: everyMs,
} as const;

interface DeviceValuesOptions {
  device: Pick<Resource, 'id' | 'keep_values'>;
  range: Range;
  /** The stream has what it says. */
  isLive: boolean;
}

/** With another way of keeping them, there are other values. */
export const deviceValuesQuery = ({ device: { id: resource_id, keep_values }, range, isLive }: DeviceValuesOptions) =>
  queryOptions({
    queryKey: queryKeys.values.ofDevice(resource_id, { range, keep_values }),
    async queryFn({ signal }): Promise<ReadValues> {
      const query = rangeParams(range);
      const data = await read('/api/resources/:id/values', { id: resource_id }, { query, signal });
      const series = data.series.map((each) => readSeries(each, { resource_id, step: data.step }));
      const { kept_since: keptSince, is_full, left_out: leftOut = [], chosen_keys: chosen = null } = data;
      return { series, end: Date.parse(data.to), keptSince, isFull: is_full === true, leftOut, chosen };
    },
    refetchInterval: isLive ? everyMs : 20_000,
    ...shared,
  });

/** The last value of each key of a device, however old. */
export const lastValuesQuery = (resource_id: string) =>
  queryOptions({
    queryKey: queryKeys.values.last(resource_id),
    async queryFn({ signal }): Promise<Series[]> {
      const data = await read('/api/resources/:id/values', { id: resource_id }, { query: 'last=yes', signal });
      return data.series.map((each) => readSeries(each, { resource_id, step: 0 }));
    },
    refetchInterval: lastValuesInterval,
  });

export type ValuesQuery = ReturnType<typeof deviceValuesQuery>;

export const swarmValuesQuery = (options: {
  swarm_id: string;
  resource_ids: readonly string[];
  key: string;
  range: Range;
}) => {
  const { swarm_id, resource_ids, key, range } = options;
  return queryOptions({
    queryKey: queryKeys.values.ofSwarm(swarm_id, { resource_ids, key, range }),
    async queryFn({ signal }): Promise<ReadValues> {
      const query = `${queryString({ resource_ids: resource_ids.join(','), keys: keyParam(key) })}&${rangeParams(range)}`;
      const data = await read('/api/swarms/:id/values', { id: swarm_id }, { query, signal });
      const series = data.items.flatMap((item) =>
        item.series.map((each) => readSeries(each, { resource_id: item.resource_id, step: data.step })),
      );
      const times = data.items.flatMap(({ since }) => (since === undefined ? [] : [Date.parse(since)]));
      const since = times.length > 0 ? Math.min(...times) : undefined;
      return { series, end: Date.parse(data.to), since, isFull: false, leftOut: [], chosen: null };
    },
    enabled: resource_ids.length > 0 && key !== '',
    refetchInterval: everyMs,
    ...shared,
  });
};

/** Messages of a swarm whose values can be chosen. */
const mostRecent = 200;

/** The series of the newest messages of a swarm: which device says what. */
export const recentValuesQuery = (swarm_id: string) =>
  queryOptions({
    queryKey: queryKeys.values.recent(swarm_id),
    async queryFn({ signal }): Promise<Series[]> {
      const query = `limit=${mostRecent}`;
      const { items } = await read('/api/swarms/:id/messages', { id: swarm_id }, { query, signal });
      return seriesOf(items.filter(({ to }) => to === undefined).toReversed());
    },
    ...shared,
  });

/** The values that devices of an audience have recorded. */
export const valueKeysQuery = (audience: string) =>
  queryOptions({
    queryKey: queryKeys.values.keys(audience),
    queryFn: async ({ signal }) =>
      (await read('/api/values/keys', {}, { query: new URLSearchParams({ audience }), signal })).keys,
    // The server reads messages in turns.
    refetchInterval: 5000,
  });

/** Members that have recorded a number and match `q`, by name. */
export const recordingMembersQuery = (swarm_id: string, { key, q, most }: { key: string; q: string; most: number }) =>
  queryOptions({
    queryKey: queryKeys.values.members(swarm_id, key, q),
    async queryFn({ signal }): Promise<string[]> {
      const query = queryString({ value: keyParam(key), q: q || undefined, limit: String(most) });
      const { items } = await read('/api/swarms/:id/members', { id: swarm_id }, { query, signal });
      return items.map(({ id }) => id);
    },
    enabled: key !== '',
    placeholderData: keepPreviousData,
  });

/** The names of some members, by their ids; null for devices that are no members any more. At most 100. */
export const memberNamesQuery = (swarm_id: string, ids: readonly string[]) =>
  queryOptions({
    queryKey: queryKeys.swarm.namesOf(swarm_id, ids),
    async queryFn({ signal }): Promise<Record<string, string | null>> {
      const query = `audience=swarm:${swarm_id}&ids=${ids.join(',')}`;
      const found = await read('/api/devices/by-id', {}, { query, signal });
      const members = new Map(found.map(({ id, name }) => [id, name]));
      return Object.fromEntries(ids.map((id) => [id, members.get(id) ?? null]));
    },
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  });

export function rangeParams(range: Range): string {
  const now = serverNow();
  const [from, to] = 'span' in range ? range.span : [now - range.length, now];
  return queryString({ from: new Date(from).toISOString(), to: new Date(to).toISOString() });
}

function readSeries(read: ValueSeries, { resource_id, step }: { resource_id: string; step: number }): Series {
  const { key, kind, times, values } = read;
  const length = step === 0 ? null : step * 1000;
  const series = { id: seriesId(resource_id, kind, key), resource_id, key, kind, times, values, step: length };
  if (kind === 'state' || !read.min || !read.max || !read.count) return series;
  return { ...series, least: read.min, most: read.max, counts: read.count };
}
