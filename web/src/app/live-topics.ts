/** What the live stream is asked for: the topics of the queries that are shown. */
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { Swarm } from '@swarmdeck/bff/contract';
import { userOf } from '../data/of-client.ts';
import { audienceIn, beginsWith, idIn, liveSourceIn } from '../data/cache/key-parts.ts';
import { queryKeys } from '../data/cache/query-keys.ts';
import { readableSwarms } from '../data/cache/sent-messages.ts';
import type { Topics } from './live-tabs.ts';

const audience = /^(own|visible|(swarm|messages):[0-9a-f-]{36})$/;
const id = /^[0-9a-f-]{36}$/;
/** The server's limit. */
const atMost = 20;

/** Those in which the stream has what an own device sends. */
function swarmsOfSent(client: QueryClient, id: string) {
  const user_id = userOf(client);
  const swarms = client.getQueryData<Swarm[]>(queryKeys.device.swarms(id));
  return user_id === undefined || !swarms ? [] : readableSwarms({ id, user_id }, swarms);
}

/** Those in which the stream has what an open chart shows (data/values/live-values.ts). */
function swarmsOfValues(client: QueryClient, { resource_id, swarm_id }: { resource_id?: string; swarm_id?: string }) {
  if (swarm_id !== undefined) return [{ id: swarm_id }];
  return resource_id === undefined ? [] : swarmsOfSent(client, resource_id);
}

/** The swarms whose messages a query shows. */
function swarmsOfMessages(client: QueryClient, queryKey: QueryKey): string[] {
  const swarm = idIn(queryKey, queryKeys.messages.of);
  if (swarm !== undefined) return [swarm];
  const sender = idIn(queryKey, queryKeys.device.sent);
  const source = liveSourceIn(queryKey);
  const swarms = sender !== undefined ? swarmsOfSent(client, sender) : source ? swarmsOfValues(client, source) : [];
  return swarms.map(({ id }) => id);
}

/** The topics of the active queries. */
export function topicsShown(client: QueryClient): Topics {
  const audiences = new Set<string>();
  const resources = new Set<string>();
  for (const { queryKey } of client.getQueryCache().findAll({ type: 'active' })) {
    if (beginsWith(queryKey, queryKeys.devices.all)) audiences.add('own');
    const audience = audienceIn(queryKey);
    if (audience !== undefined) audiences.add(audience);
    const device = idIn(queryKey, queryKeys.device.all);
    if (device !== undefined) resources.add(device);
    for (const id of swarmsOfMessages(client, queryKey)) audiences.add(`messages:${id}`);
  }
  return {
    audiences: [...audiences].filter((one) => audience.test(one)).toSorted(),
    resources: [...resources].filter((one) => id.test(one)).toSorted(),
  };
}

interface StreamStart {
  topics: Topics;
  /** The id of an event. */
  after: string | undefined;
  /** All data of the page contains the events up to this one. */
  first?: string | undefined;
}

/** The URL of the stream for these topics. Pages poll for topics beyond the limit. */
export function urlOf({ topics, after, first }: StreamStart): string {
  const query = new URLSearchParams({ watch: topics.audiences.slice(0, atMost).join(',') });
  if (topics.resources.length > 0) query.set('resource', topics.resources.slice(0, atMost).join(','));
  if (after !== undefined) query.set(after === first ? 'position' : 'last_event_id', after);
  return `/api/events?${query.toString()}`;
}
