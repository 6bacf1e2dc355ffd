import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import {
  invitationStates,
  type InboxCount,
  type InboxSummary,
  type InvitationFilters,
  type InvitationItem,
  type InvitationPage,
} from '../contract.ts';
import { Problem } from '../problem.ts';
import {
  id,
  oneOf,
  paramsOf,
  readQuery,
  checkedCursor,
  pageParameters,
  searchParameter,
  type Cursor,
} from '../http/query.ts';
import { noStore, type Reads, type ViewOptions } from './caller.ts';
import {
  countInvitations,
  countOffers,
  invitationMatchesOf,
  invitationSort,
  readInvitation,
  readInvitations,
  staleBefore,
  summarise,
  totalOf,
  type Scope,
} from './inbox-and-board.store.ts';

interface InvitationQuery {
  box: 'received' | 'sent';
  filters: InvitationFilters;
  cursor: Cursor | undefined;
  /** 0 returns only the counts. */
  limit: number;
}

const pageSize = 1000;

/**
 * `GET /inbox`: an InvitationPage of the received invitations, or with `box=sent` of the sent ones. Query: the
 * contract's InvitationFilters, `cursor` (`next` of the previous page), and `limit` from 0 to 1000. `/inbox/count`: an
 * InboxCount. `/inbox/summary`: an InboxSummary of all matches. `/inbox/:id`: an InvitationItem from either box. `GET
 * /swarms/:swarm_id/board`: an InvitationPage of the invitations of the swarm, for its owner.
 * 400 `query.invalid`, 403 `swarm.forbidden`, 404 `swarm.not_found`, `invitation.not_found`.
 */
export function inboxAndBoardRoutes(app: Hono, { now, requesterOf, requireSwarm }: ViewOptions): void {
  async function findMatches({ db, scope, filters }: { db: Reads; scope: Scope; filters: InvitationFilters }) {
    const at = now();
    const stale_before = staleBefore(at);
    const matches = await invitationMatchesOf({ db, scope, filters, staleBefore: stale_before });
    const count = () => countInvitations({ db, matches, staleBefore: stale_before });
    return { matches, count, stale_before, at: at.toISOString() };
  }

  async function page({
    db,
    scope,
    query,
  }: {
    db: Reads;
    scope: Scope;
    query: InvitationQuery;
  }): Promise<InvitationPage> {
    const { matches, count, ...times } = await findMatches({ db, scope, filters: query.filters });
    const [counts, rows] = await Promise.all([count(), readInvitations({ db, matches, page: query })]);
    return { ...rows, total: totalOf(counts, query.filters.state), counts, ...times };
  }

  async function one({ db, scope, id }: { db: Reads; scope: Scope; id: string }) {
    const { matches } = await findMatches({ db, scope, filters: {} });
    return readInvitation({ db, matches, id });
  }

  app.get('/inbox', async (c) => {
    const { user, db } = await requesterOf(c);
    const query = readInvitationQuery(paramsOf(c.req));
    return c.json<InvitationPage>(await page({ db, scope: scopeOf(query, user), query }), 200, noStore);
  });

  app.get('/inbox/count', async (c) => {
    const { user, db } = await requesterOf(c);
    const of = (scope: Scope) => findMatches({ db, scope, filters: {} });
    const [inbox, outbox] = await Promise.all([of({ received: user }), of({ sent: user })]);
    const [offers, received, sent] = await Promise.all([countOffers({ db, user }), inbox.count(), outbox.count()]);
    return c.json<InboxCount>({ offers, received, sent, at: inbox.at }, 200, noStore);
  });

  app.get('/inbox/summary', async (c) => {
    const { user, db } = await requesterOf(c);
    const query = readInvitationQuery(paramsOf(c.req));
    const { matches, at } = await findMatches({ db, scope: scopeOf(query, user), filters: query.filters });
    return c.json<InboxSummary>({ ...(await summarise({ db, matches })), at }, 200, noStore);
  });

  app.get('/inbox/:invitation_id', async (c) => {
    const { user, db } = await requesterOf(c);
    const id = c.req.param('invitation_id');
    const found = (await one({ db, scope: { received: user }, id })) ?? (await one({ db, scope: { sent: user }, id }));
    if (!found) throw new Problem('invitation.not_found');
    return c.json<InvitationItem>(found, 200, noStore);
  });

  app.get('/swarms/:swarm_id/board', async (c) => {
    const { user, db } = await requesterOf(c);
    const id = c.req.param('swarm_id');
    await requireSwarm({ user, id, operation: 'listSentInvitations' });
    const query = readInvitationQuery(paramsOf(c.req));
    return c.json<InvitationPage>(await page({ db, scope: { board: id, viewer: user }, query }), 200, noStore);
  });
}

/** The matching invitations, in pages. @throws `query.invalid` */
export async function* matchingInvitations(options: {
  db: Reads;
  user: string;
  params: URLSearchParams;
  now: () => Date;
}): AsyncGenerator<InvitationItem[], void> {
  const { db, user, params, now } = options;
  const query = readInvitationQuery(params);
  const { filters } = query;
  const matches = await invitationMatchesOf({
    db,
    scope: scopeOf(query, user),
    filters,
    staleBefore: staleBefore(now()),
  });
  let cursor: Cursor | undefined;
  do {
    const { items, next } = await readInvitations({ db, matches, page: { cursor, limit: pageSize } });
    yield items;
    const read = next === null ? undefined : readInvitationQuery(new URLSearchParams({ cursor: next }));
    cursor = read?.cursor;
  } while (cursor);
}

function scopeOf({ box }: InvitationQuery, user: string): Scope {
  return box === 'received' ? { received: user } : { sent: user };
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

/**
 * Parses the query of inbox and board.
 * @throws `query.invalid` (400) with all invalid parameters
 */
function readInvitationQuery(params: URLSearchParams): InvitationQuery {
  const { box, limit, cursor, ...filters } = readQuery(params, invitationQuery);
  return { box, filters, limit, cursor: checkedCursor(cursor, invitationSort) };
}
