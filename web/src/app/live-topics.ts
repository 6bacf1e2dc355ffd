import type { QueryClient } from '@tanstack/react-query';
import type { Topics } from './live-tabs.ts';

const audience = /^(own|visible|swarm:[0-9a-f-]{36})$/;
const id = /^[0-9a-f-]{36}$/;
/** The server's limit. */
const atMost = 20;

/** The topics of the active queries. */
export function topicsShown(client: QueryClient): Topics {
  const audiences = new Set<string>();
  const resources = new Set<string>();
  for (const { queryKey } of client.getQueryCache().findAll({ type: 'active' })) {
    const [root, of] = queryKey;
    if (root === 'devices') audiences.add('own');
    if (root === 'map') audiences.add((of as { audience: string }).audience);
    if (root === 'resource') resources.add(String(of));
  }
  return {
    audiences: [...audiences].filter((one) => audience.test(one)).toSorted(),
    resources: [...resources].filter((one) => id.test(one)).toSorted(),
  };
}

/** The URL of the stream for these topics. Pages poll for topics beyond the limit. */
export function urlOf({ topics, after }: { topics: Topics; after: string | undefined }): string {
  const query = new URLSearchParams({ watch: topics.audiences.slice(0, atMost).join(',') });
  if (topics.resources.length > 0) query.set('resource', topics.resources.slice(0, atMost).join(','));
  if (after !== undefined) query.set('last_event_id', after);
  return `/api/events?${query.toString()}`;
}
