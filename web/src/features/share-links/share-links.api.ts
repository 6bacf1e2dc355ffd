import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { NewShareLink, Resource, ShareLink, ShareLinkCreate } from '@swarmdeck/bff/contract';
import { refetchOutdated } from '../../data/cache/query-cache.ts';
import { queryKeys } from '../../data/cache/query-keys.ts';
import { send } from '../../data/client.ts';
import { pathTo } from '../../data/path-to.ts';
import { createShownOnce } from '../../data/create-shown-once.ts';

/** In ms: how many look has no event. */
const refetchInterval = 20_000;

/** What links show: an own device, or members of an own swarm. */
export type LinkTarget = { resource_id: string } | { swarm_id: string };

/** What the forms of a link need of a device. */
export type LinkedDevice = Pick<Resource, 'name' | 'keep_track'>;

const idOf = (of: LinkTarget) => ('resource_id' in of ? of.resource_id : of.swarm_id);
const pathOf = (of: LinkTarget) =>
  'resource_id' in of
    ? pathTo('/api/resources/:id/share-links', { id: of.resource_id })
    : pathTo('/api/swarms/:id/share-links', { id: of.swarm_id });
/** Nothing else of the app reads them, so the key is not with the others, which load first. */
const keyOf = (of: LinkTarget) => ['share-links', idOf(of)];

/** The open links, oldest first. */
export const shareLinksQuery = (of: LinkTarget) =>
  queryOptions({
    queryKey: keyOf(of),
    queryFn: async ({ signal }) => (await send({ path: pathOf(of), signal })).data,
    refetchInterval,
  });

/**
 * Pending until what is outdated was fetched again, also after a failure: another tab may have changed it. A response that is
 * shown once is shown before, and is not kept.
 */
function useLinkChange<Variables, Data>(
  of: LinkTarget,
  mutationFn: (variables: Variables) => Promise<Data>,
  { isShownOnce = false } = {},
) {
  const client = useQueryClient();
  const refetch = [keyOf(of), queryKeys.audience.all, queryKeys.activity.all];
  return useMutation({
    mutationFn,
    ...(isShownOnce && { gcTime: 0 }),
    onSettled() {
      const fetched = refetchOutdated(client, { refetch });
      return isShownOnce ? undefined : fetched;
    },
  });
}

export function useCreateShareLink(of: LinkTarget) {
  const client = useQueryClient();
  const create = (body: ShareLinkCreate) => createShownOnce<NewShareLink>({ client, path: pathOf(of), body });
  return useLinkChange(of, create, { isShownOnce: true });
}

export function useSetLinkEnd(of: LinkTarget, { id }: ShareLink) {
  const path = `${pathOf(of)}/${id}`;
  return useLinkChange(of, (expires_at: string) => send({ method: 'PUT', path, body: { expires_at } }));
}

export function useEndShareLink(of: LinkTarget, { id }: ShareLink) {
  const path = `${pathOf(of)}/${id}`;
  return useLinkChange<void, unknown>(of, () => send({ method: 'DELETE', path }));
}
