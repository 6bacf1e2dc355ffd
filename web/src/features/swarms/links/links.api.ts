import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { JoinLink, JoinLinkCreate, JoinOffer } from '@swarmdeck/bff/contract';
import { applyOwnChanges } from '../../../api/changes.ts';
import { send } from '../../../api/client.ts';
import { pollInterval } from '../../../api/connection-status.ts';
import { queryKeys } from '../../../api/query-keys.ts';

/** Poll interval of a visible page while the stream is not live. */
const refetchInterval = pollInterval(20_000);

/** The links of an own swarm, oldest first. */
export const linksQuery = (swarm_id: string) =>
  queryOptions({
    queryKey: queryKeys.swarm.links(swarm_id),
    queryFn: async ({ signal }) => (await send<JoinLink[]>({ path: `/api/swarms/${swarm_id}/links`, signal })).data,
    refetchInterval,
  });

/** What a link offers. It is opened again while its page is shown, because no event says that it has ended. */
export const offerQuery = (code: string) =>
  queryOptions({
    queryKey: queryKeys.joinOffer(code),
    queryFn: async ({ signal }) =>
      (await send<JoinOffer>({ path: `/api/links?code=${encodeURIComponent(code)}`, signal })).data,
    refetchInterval: 20_000,
    refetchOnWindowFocus: 'always',
  });

export function useCreateLink(swarm_id: string) {
  const client = useQueryClient();
  return useMutation({
    /** `idempotencyKey` is the same for a retry of the form. */
    mutationFn: async ({ link, idempotencyKey }: { link: JoinLinkCreate; idempotencyKey: string }) =>
      (
        await send<JoinLink>({
          method: 'POST',
          path: `/api/swarms/${swarm_id}/links`,
          body: link,
          headers: { 'idempotency-key': idempotencyKey },
        })
      ).data,
    onSuccess: () => applyOwnChanges(client, { type: 'link.changed', data: { swarm_id } }),
  });
}

export function useEndLink({ swarm_id, id }: Pick<JoinLink, 'swarm_id' | 'id'>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => send<void>({ method: 'DELETE', path: `/api/swarms/${swarm_id}/links/${id}` }),
    onSuccess: () => applyOwnChanges(client, { type: 'link.changed', data: { swarm_id } }),
  });
}
