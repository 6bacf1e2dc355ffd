/** The query of inbox and board. */
import { z } from '@hono/zod-openapi';
import { invitationStates, type InvitationFilters } from '../../contract.ts';
import {
  id,
  oneOf,
  readQuery,
  checkedCursor,
  pageParameters,
  searchParameter,
  type Cursor,
} from '../../core/http/query.ts';
import type { Scope } from './matches.store.ts';

export const pageSize = 1000;
/** The only sort order of inbox and board. */
export const invitationSort = 'invitations';

export interface InvitationQuery {
  box: 'received' | 'sent';
  filters: InvitationFilters;
  cursor: Cursor | undefined;
  /** 0 returns only the counts. */
  limit: number;
}

const invitationQuery = z.object({
  box: oneOf(['received', 'sent']).default('received'),
  state: oneOf([...invitationStates, 'answered', 'stale']).optional(),
  q: searchParameter,
  swarm: id('the id of a swarm').optional(),
  resource: id('the id of a resource').optional(),
  link: id('the id of a link').optional(),
  until: z
    .string()
    .regex(/^[\dT:.-]{23}Z$/, 'must be a time, as in responses')
    .optional(),
  ...pageParameters({ most: pageSize }),
});

/** @throws `query.invalid` (400) with all invalid parameters */
export function readInvitationQuery(params: URLSearchParams): InvitationQuery {
  const { box, limit, cursor, ...filters } = readQuery(params, invitationQuery);
  return { box, filters, limit, cursor: checkedCursor(cursor, invitationSort) };
}

export const scopeOf = ({ box }: InvitationQuery, user: string): Scope =>
  box === 'received' ? { received: user } : { sent: user };
