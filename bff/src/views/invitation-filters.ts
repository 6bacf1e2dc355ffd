import { invitationStates } from '../contract.ts';
import type { InvitationFilters } from '../contract.ts';
import { createQueryReader, oneOf, readId } from './query-reader.ts';
import type { Cursor } from './query-reader.ts';

type Box = 'received' | 'sent';

export interface InvitationQuery {
  box: Box;
  filters: InvitationFilters;
  cursor: Cursor | undefined;
  /** 0 returns only the counts. */
  limit: number;
}

const states = [...invitationStates, 'answered', 'stale'] as const;
/** The only sort order of inbox and board. */
export const invitationSort = 'invitations';

/**
 * Parses the query of inbox and board.
 * @throws `query.invalid` (400) with all invalid parameters
 */
export function readInvitationQuery(params: URLSearchParams): InvitationQuery {
  const query = createQueryReader(params);
  const { read } = query;
  const box = read('box', oneOf(['received', 'sent'] as const), '`received` or `sent`') ?? 'received';
  const state = read('state', oneOf(states), `one of ${states.join(', ')}`);
  const q = query.text();
  const swarm = read('swarm', readId, 'the id of a swarm');
  const resource = read('resource', readId, 'the id of a resource');
  const page = query.page({ sort: invitationSort });
  query.refuse();
  const filters = { ...(state && { state }), ...(q && { q }), ...(swarm && { swarm }), ...(resource && { resource }) };
  return { box, filters, ...page };
}

const staleAfterDays = 14;

/** The time before which an open invitation was sent if it is stale. */
export function staleBefore(at: Date): string {
  return new Date(at.getTime() - staleAfterDays * 24 * 3600 * 1000).toISOString();
}
