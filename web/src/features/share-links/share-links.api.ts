import { queryOptions } from '@tanstack/react-query';
import type { NewShareLink, Resource, ShareLink, ShareLinkCreate } from '@swarmdeck/bff/contract';
import { queryKeys } from '../../data/cache/query-keys.ts';
import { send } from '../../data/client.ts';
import { useChange } from '../../data/use-change.ts';

/** In ms: how many look has no event. */
const refetchInterval = 20_000;

/** What links show: an own device, or members of an own swarm. */
export type ShownByLinks = { resource_id: string } | { swarm_id: string };

/** What the forms of a link need of a device. */
export type SharedOwn = Pick<Resource, 'name' | 'keep_track'>;

const idOf = (of: ShownByLinks) => ('resource_id' in of ? of.resource_id : of.swarm_id);
const pathOf = (of: ShownByLinks) =>
  'resource_id' in of ? `/api/resources/${of.resource_id}/share-links` : `/api/swarms/${of.swarm_id}/share-links`;
const changed = (of: ShownByLinks) => ({ type: 'share_links.changed', data: { id: idOf(of) } }) as const;
/** What this link shows. */
const shownBy = ({ resource_id, swarm_id = '' }: ShareLink): ShownByLinks =>
  resource_id === undefined ? { swarm_id } : { resource_id };

/** The open links, oldest first. */
export const shareLinksQuery = (of: ShownByLinks) =>
  queryOptions({
    queryKey: queryKeys.shareLinks(idOf(of)),
    queryFn: async ({ signal }) => (await send<ShareLink[]>({ path: pathOf(of), signal })).data,
    refetchInterval,
  });

export const useCreateShareLink = (of: ShownByLinks) =>
  useChange(
    async (body: ShareLinkCreate) => (await send<NewShareLink>({ method: 'POST', path: pathOf(of), body })).data,
    changed(of),
    // Its code is not kept after its dialog.
    { gcTime: 0 },
  );

export function useShortenShareLink(link: ShareLink) {
  const of = shownBy(link);
  const path = `${pathOf(of)}/${link.id}`;
  return useChange((expires_at: string) => send({ method: 'PUT', path, body: { expires_at } }), changed(of));
}

export function useEndShareLink(link: ShareLink) {
  const of = shownBy(link);
  const path = `${pathOf(of)}/${link.id}`;
  return useChange(() => send({ method: 'DELETE', path }), changed(of));
}
