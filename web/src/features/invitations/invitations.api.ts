/** The queries of the inbox, and the request that answers an invitation. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Invitation, InvitationItem, InvitationPage } from '@swarmdeck/bff/contract';
import { send } from '../../api/client.ts';
import { pollInterval } from '../../api/connection-status.ts';
import { queryKeys } from '../../api/query-keys.ts';
import type { BoxQuery } from '../../api/query-keys.ts';
import { t } from '../../text/text.ts';

export type Answer = 'accept' | 'reject' | 'withdraw';

const refetchInterval = pollInterval(20_000);
const firstPage = 100;
const morePages = 200;

function pathOf({ box, side, q, resource }: BoxQuery, page: { cursor?: string | null; limit: number }): string {
  const params = new URLSearchParams({ box, state: side });
  if (q) params.set('q', q);
  if (resource) params.set('resource', resource);
  if (page.cursor) params.set('cursor', page.cursor);
  params.set('limit', String(page.limit));
  return `/api/inbox?${params.toString()}`;
}

async function readPage(path: string, signal: AbortSignal): Promise<InvitationPage> {
  return (await send<InvitationPage>({ path, signal })).data;
}

/** One side of a box, page by page. It is not fetched again while it is shown: `headQuery` adds new rows. */
export function invitationPagesQuery(query: BoxQuery) {
  return infiniteQueryOptions({
    queryKey: queryKeys.invitations.list(query),
    queryFn: ({ pageParam: cursor, signal }) =>
      readPage(pathOf(query, { cursor, limit: cursor === null ? firstPage : morePages }), signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    // Only for a search in the same list: otherwise the buttons would act on rows of another list.
    placeholderData: (rows, before) =>
      isSameSide(before?.queryKey.at(-1) as BoxQuery | undefined, query) ? rows : undefined,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    structuralSharing: false,
  });
}

const isSameSide = (one: BoxQuery | undefined, other: BoxQuery) =>
  one?.box === other.box && one.side === other.side && one.resource === other.resource;

/** The newest rows of a list. */
export function headQuery(query: BoxQuery) {
  return queryOptions({
    queryKey: queryKeys.invitations.head(query),
    queryFn: ({ signal }) => readPage(pathOf(query, { limit: firstPage }), signal),
    refetchInterval,
    refetchOnWindowFocus: 'always',
  });
}

/** One invitation, for one that no list contains. */
export function invitationQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.invitations.item(id),
    queryFn: async ({ signal }) => (await send<InvitationItem>({ path: `/api/inbox/${id}`, signal })).data,
    refetchInterval,
  });
}

/** Sends one answer. Idempotent. */
export async function sendAnswer({
  item,
  answer,
  keepalive,
}: {
  item: Pick<InvitationItem, 'id' | 'resource_id' | 'swarm_id'>;
  answer: Answer;
  keepalive: boolean;
}): Promise<Invitation | null> {
  if (answer === 'withdraw') {
    await send({ method: 'DELETE', path: `/api/swarms/${item.swarm_id}/invitations/${item.id}`, keepalive });
    return null;
  }
  const path = `/api/resources/${item.resource_id}/invitations/${item.id}`;
  return (await send<Invitation>({ method: 'PUT', path, body: { status: answer }, keepalive })).data;
}

/** The name of an invited device, or its id if the name is not visible to the user. */
export function deviceName({ device, resource_id, status }: InvitationItem): string {
  return device?.name ?? (status === 'new' ? resource_id : t.invitations.deleted_device);
}
