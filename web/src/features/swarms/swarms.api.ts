/** The queries of the swarm screens. */
import { queryOptions, type InfiniteData } from '@tanstack/react-query';
import type { InvitationItem, InvitationPage, InvitationState, SwarmItem } from '@swarmdeck/bff/contract';
import { readPages } from '../../data/read-pages.ts';
import { send } from '../../data/client.ts';
import { pathTo } from '../../data/path-to.ts';
import { lastValuesInterval, pollUnlessLive } from '../../data/stream/poll-intervals.ts';
import { filterParams, queryString } from '../../data/filter-params.ts';
import { isDenied } from '../../data/problem.ts';
import { pagedQuery } from '../../data/cache/paged-query.ts';
import { queryKeys } from '../../data/cache/query-keys.ts';
import { openKey, type Known } from './invite/invite-check.ts';
import type { MemberFilters, MemberSort } from './members/member-filters.ts';

/** Poll interval of a visible page while the stream is not live. */
const refetchInterval = pollUnlessLive(20_000);
/** For larger swarms, pasted lines are not checked against the members; the service checks them. */
export const checkedSwarm = 20_000;

const refresh = { refetchInterval, refetchOnWindowFocus: 'always' as const };

/** Owned ones first, then managed ones, then joined ones. */
export const swarmListQuery = (q: string) =>
  pagedQuery({
    key: queryKeys.swarms.list(q),
    path: (cursor) => pathTo('/api/swarm-list', {}, queryString({ q, cursor, limit: '100' })),
  });

export interface SwarmRead {
  swarm: SwarmItem;
  etag: string | null;
}

export async function readSwarm(id: string, signal?: AbortSignal): Promise<SwarmRead> {
  const path = pathTo('/api/swarms/:id/overview', { id });
  const { data: swarm, etag } = await send({ path, ...(signal && { signal }) });
  return { swarm, etag };
}

/** In ms. The stream has no events of a swarm that the user is not in. */
const guestInterval = 5000;

export const swarmQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.swarm.overview(id),
    queryFn: ({ signal }) => readSwarm(id, signal),
    ...refresh,
    refetchInterval(query) {
      if (query.state.data?.swarm.relation !== 'guest') return refetchInterval(query);
      return !isDenied(query.state.error) && guestInterval;
    },
  });

export const membersQuery = ({ id, filters, sort }: { id: string; filters: MemberFilters; sort: MemberSort }) => {
  const params = { ...filterParams(filters), sort: sort === 'name' ? undefined : sort };
  return pagedQuery({
    key: queryKeys.swarm.memberList(id, params),
    path: (cursor) => pathTo('/api/swarms/:id/members', { id }, queryString({ ...params, cursor, limit: '100' })),
    ...(filters.values && { interval: () => lastValuesInterval }),
  });
};

/** Whether a member matches the filters. */
export async function isListedMember(options: { id: string; filters: MemberFilters; resource_id: string }) {
  const { id, filters, resource_id } = options;
  const path = pathTo(
    '/api/swarms/:id/members',
    { id },
    queryString({ ...filterParams(filters), around: resource_id, limit: '1' }),
  );
  return (await send({ path })).data.items.some((member) => member.id === resource_id);
}

/** Which members: the query of the list without its page. */
export const membersListQuery = (filters: MemberFilters) => queryString(filterParams(filters));

/** Reads all members that match, page by page. */
export function readMembers({ id, filters, signal }: { id: string; filters: MemberFilters; signal: AbortSignal }) {
  return readPages({
    pathOf: (cursor) =>
      pathTo('/api/swarms/:id/members', { id }, queryString({ ...filterParams(filters), cursor, limit: '1000' })),
    signal,
  });
}

interface BoardQueryOptions {
  id: string;
  state?: InvitationState;
  /** Only the invitations of those who joined by this link. */
  link?: string;
  /** Words in the names of devices and their owners. */
  q?: string;
}

export const boardQuery = ({ id, ...filters }: BoardQueryOptions) => ({
  ...pagedQuery({
    key: queryKeys.swarm.board(id, filters),
    path: (cursor) => pathTo('/api/swarms/:id/board', { id }, queryString({ ...filters, cursor, limit: '100' })),
  }),
  select: staleByMinute,
});

/** `stale_before` follows the time of the response. To the minute, a response without changes renders nothing. */
const staleByMinute = ({ pages, pageParams }: InfiniteData<Omit<InvitationPage, 'at'>>) => ({
  pages: pages.map((page) => ({ ...page, stale_before: page.stale_before.slice(0, 16) })),
  pageParams,
});

interface ReadBoardOptions {
  id: string;
  state: InvitationState;
  q?: string;
  signal?: AbortSignal;
  onProgress?(read: number): void;
}

/** Reads all invitations in a state that match, page by page. */
export async function readBoard({ id, state, q, signal, onProgress }: ReadBoardOptions): Promise<InvitationItem[]> {
  const found: InvitationItem[] = [];
  const pathOf = (cursor: string) =>
    pathTo('/api/swarms/:id/board', { id }, queryString({ state, q: q || undefined, cursor, limit: '200' }));
  for await (const { items } of readPages({ pathOf, signal })) {
    found.push(...items);
    onProgress?.(found.length);
  }
  return found;
}

const ownDevicesPath = (params: { q: string; cursor: string; limit: string }) =>
  pathTo('/api/devices', {}, queryString({ audience: 'own', ...params }));

/** Own devices to select from. */
export const ownDevicesQuery = (q: string) =>
  pagedQuery({
    key: queryKeys.devices.choice(q),
    path: (cursor) => ownDevicesPath({ q, cursor, limit: '100' }),
  });

/** All members and open invitations of a swarm. */
export const knownQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.swarm.known(id),
    queryFn: async ({ signal }): Promise<Known> => {
      const [members, sent] = await Promise.all([
        send({ path: pathTo('/api/swarms/:id/resources', { id }), signal }),
        send({ path: pathTo('/api/swarms/:id/invitations', { id }), signal }),
      ]);
      const open = sent.data.filter(({ status }) => status === 'new');
      return {
        members: new Map(members.data.map(({ resource_id, resource_type }) => [resource_id, resource_type])),
        ends: new Map(members.data.flatMap(({ resource_id, ends_at }) => (ends_at ? [[resource_id, ends_at]] : []))),
        open: new Map(open.map((invitation) => [openKey(invitation, invitation.resource_type), invitation.sent_at])),
      };
    },
    // Structural sharing does not support maps.
    structuralSharing: false,
  });
