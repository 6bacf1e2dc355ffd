/** How many invitations and offers a user has. */
import {
  invitationStates,
  type InboxCount,
  type Invitation,
  type InvitationCounts,
  type InvitationFilters,
} from '../../contract.ts';
import { allOf, join, raw, sql, type Sql } from '../../core/store/statement.ts';
import { isOpen } from '../../core/store/visibility.ts';
import type { Reads } from '../caller.ts';
import { invitationMatchesOf, sentBefore, type InvitationMatches, type Scope } from './matches.store.ts';
import { readSlices, whereOf, type Range } from './slices.store.ts';

/** The number of invitations in each state, ignoring the filter by state. */
export async function countInvitations(options: {
  db: Reads;
  matches: InvitationMatches;
  staleBefore: string;
}): Promise<InvitationCounts> {
  const { db, matches, staleBefore } = options;
  const sum = noneCounted();
  async function read(slice: readonly Range[]): Promise<boolean> {
    const rows = await db.read<CountRow>(
      join(
        slice.map((range) => countOf(range, staleBefore)),
        ' UNION ALL ',
      ),
    );
    for (const row of rows) add(sum, row);
    return false;
  }
  await readSlices({ db, isSearch: matches.searching, ranges: rangesOf(matches), read });
  return sum;
}

/**
 * The invitations in both boxes of a user, and the offers: the devices that the user is offered, and the swarms that the user is asked
 * to manage, to watch or to own. It is one read, because each waits for its turn.
 */
export async function countInbox(options: {
  db: Reads;
  user: string;
  staleBefore: string;
}): Promise<Omit<InboxCount, 'at'>> {
  const { db, user, staleBefore } = options;
  const countsOf = async (box: 'received' | 'sent', scope: Scope) => {
    const ranges = rangesOf(await invitationMatchesOf({ db, scope, filters: {}, staleBefore }));
    return ranges.map(
      (range) =>
        sql`SELECT ${raw(`'${box}'`)} AS box, status, count, stale FROM (${countOf(range, staleBefore)}) counted`,
    );
  };
  const offers = sql`SELECT 'offers' AS box, 'new' AS status, (SELECT count(*) FROM resource_offers WHERE to_user = ${user})
      + (SELECT count(*) FROM managers WHERE user_id = ${user} AND (agreed_at IS NULL OR offered_at IS NOT NULL)
        AND ${raw(isOpen('managers'))}) AS count, 0 AS stale`;
  const rows = await db.read<CountRow & { box: 'received' | 'sent' | 'offers' }>(
    join(
      [...(await countsOf('received', { received: user })), ...(await countsOf('sent', { sent: user })), offers],
      ' UNION ALL ',
    ),
  );
  const counts = { offers: 0, received: noneCounted(), sent: noneCounted() };
  for (const { box, ...row } of rows) {
    if (box === 'offers') counts.offers = row.count;
    else add(counts[box], row);
  }
  return counts;
}

interface CountRow {
  status: Invitation['status'];
  count: number;
  stale: number;
}

const noneCounted = (): InvitationCounts => ({ new: 0, accepted: 0, rejected: 0, stale: 0 });

function add(sum: InvitationCounts, { status, count, stale }: CountRow): void {
  sum[status] += count;
  if (status === 'new') sum.stale += stale;
}

const rangesOf = ({ sources }: InvitationMatches): Range[] =>
  invitationStates.flatMap((status) =>
    sources.map((source): Range => {
      const indexed = allOf([source.scope, sql`i.status = ${status}`]);
      return { source, status, indexed, rest: allOf([source.shown, source.rest]) };
    }),
  );

const countOf = (range: Range, staleBefore: string): Sql =>
  sql`SELECT ${raw(`'${range.status}'`)} AS status, count(*) AS count,
    count(*) FILTER (WHERE ${sentBefore(staleBefore)}) AS stale
    FROM ${range.source.from} WHERE ${whereOf(range)}`;

export function totalOf(counts: InvitationCounts, state: InvitationFilters['state']): number {
  if (state === undefined) return counts.new + counts.accepted + counts.rejected;
  return state === 'answered' ? counts.accepted + counts.rejected : counts[state];
}
