import { queryOptions } from '@tanstack/react-query';
import type { NewShareLink, ShareLink, ShareLinkCreate } from '@swarmdeck/bff/contract';
import { queryKeys } from '../../data/cache/query-keys.ts';
import { send } from '../../data/client.ts';
import { useChange } from '../../data/use-change.ts';

/** In ms: how many look has no event. */
const refetchInterval = 20_000;

const pathOf = (resource_id: string) => `/api/resources/${resource_id}/share-links`;
const changed = (resource_id: string) => ({ type: 'share_links.changed', data: { resource_id } }) as const;

/** The open links that show an own device, oldest first. */
export const shareLinksQuery = (resource_id: string) =>
  queryOptions({
    queryKey: queryKeys.shareLinks(resource_id),
    queryFn: async ({ signal }) => (await send<ShareLink[]>({ path: pathOf(resource_id), signal })).data,
    refetchInterval,
  });

export const useCreateShareLink = (resource_id: string) =>
  useChange(
    async (body: ShareLinkCreate) =>
      (await send<NewShareLink>({ method: 'POST', path: pathOf(resource_id), body })).data,
    changed(resource_id),
    // Its code is not kept after its dialog.
    { gcTime: 0 },
  );

export const useShortenShareLink = ({ resource_id, id }: ShareLink) =>
  useChange(
    (expires_at: string) => send({ method: 'PUT', path: `${pathOf(resource_id)}/${id}`, body: { expires_at } }),
    changed(resource_id),
  );

export const useEndShareLink = ({ resource_id, id }: ShareLink) =>
  useChange(() => send({ method: 'DELETE', path: `${pathOf(resource_id)}/${id}` }), changed(resource_id));
