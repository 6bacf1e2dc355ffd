/** What the inbox reads and sends. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { InfiniteData } from '@tanstack/react-query';
import type { Invitation, InvitationItem, InvitationPage } from '@swarmdeck/bff/contract';
import { send } from '../../api/client.ts';
import { pulse } from '../../api/liveness.ts';
import { withNextPage } from '../../api/pages.ts';

export type Box = 'received' | 'sent';
/** `new` waits for an answer, `answered` is history. */
export type Side = 'new' | 'answered';

export interface BoxQuery {
  box: Box;
  side: Side;
  q: string;
  /** Of one device alone. */
  resource?: string;
}

export type Answer = 'accept' | 'reject' | 'withdraw';

const refetchInterval = pulse(20_000);
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

/** One side of a box, page by page. It is not read again behind the reader's back: news come by `headQuery`. */
export function invitationPagesQuery(query: BoxQuery) {
  return infiniteQueryOptions({
    queryKey: ['invitations', 'pages', query],
    queryFn: ({ pageParam: cursor, signal }) =>
      readPage(pathOf(query, { cursor, limit: cursor === null ? firstPage : morePages }), signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    // while the same side of the same box is searched, never rows of another one: their buttons would act on them
    placeholderData: (rows, before) =>
      isSameSide(before?.queryKey[2] as BoxQuery | undefined, query) ? rows : undefined,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    structuralSharing: (before, read) =>
      withNextPage(before as InfiniteData<InvitationPage> | undefined, read as InfiniteData<InvitationPage>),
  });
}

const isSameSide = (one: BoxQuery | undefined, other: BoxQuery) =>
  one?.box === other.box && one.side === other.side && one.resource === other.resource;

/** The newest rows of it, asked for when there are news. */
export function headQuery(query: BoxQuery) {
  return queryOptions({
    queryKey: ['invitations', 'head', query],
    queryFn: ({ signal }) => readPage(pathOf(query, { limit: firstPage }), signal),
    refetchInterval,
    refetchOnWindowFocus: 'always',
  });
}

/** One of either box, also where no list holds it. */
export function invitationQuery(id: string) {
  return queryOptions({
    queryKey: ['invitations', 'one', id],
    queryFn: async ({ signal }) => (await send<InvitationItem>({ path: `/api/inbox/${id}`, signal })).data,
    refetchInterval,
  });
}

/** Sends one answer. The same one again changes nothing, so a lost answer of the server does no harm. */
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
