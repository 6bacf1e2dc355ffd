/** How many invitations and offers a user has. */
import { invitationStates, type Invitation, type InvitationCounts, type InvitationFilters } from '../../contract.ts';
import { allOf, join, raw, sql } from '../../store/statement.ts';
import { isOpen } from '../../store/visibility.ts';
import type { Reads } from '../caller.ts';
import { sentBefore, type InvitationMatches } from './matches.store.ts';
import { readSlices, whereOf, type Range } from './slices.store.ts';

/** The number of invitations in each state, ignoring the filter by state. */
export async function countInvitations(options: {
  db: Reads;
  matches: InvitationMatches;
  staleBefore: string;
}): Promise<InvitationCounts> {
  const { db, matches, staleBefore } = options;
  const sum = { new: 0, accepted: 0, rejected: 0, stale: 0 };
  const ranges = invitationStates.flatMap((status) =>
    matches.sources.map((source): Range => {
      const indexed = allOf([source.scope, sql`i.status = ${status}`]);
      return { source, status, indexed, rest: allOf([source.shown, source.rest]) };
    }),
  );
  async function read(some: readonly Range[]): Promise<boolean> {
    const selects = some.map(
      (range) => sql`SELECT ${raw(`'${range.status}'`)} AS status, count(*) AS count,
        count(*) FILTER (WHERE ${sentBefore(staleBefore)}) AS stale
        FROM ${range.source.from} WHERE ${whereOf(range)}`,
    );
    const rows = await db.read<{ status: Invitation['status']; count: number; stale: number }>(
      join(selects, ' UNION ALL '),
    );
    for (const { status, count, stale } of rows) {
      sum[status] += count;
      if (status === 'new') sum.stale += stale;
    }
    return false;
  }
  await readSlices({ db, isSearch: matches.searching, ranges, read });
  return sum;
}

/** The devices that a user is offered, and the swarms that the user is asked to manage, to watch or to own. */
export async function countOffers({ db, user }: { db: Reads; user: string }): Promise<number> {
  const [row] = await db.read<{
    offers: number;
  }>(sql`SELECT (SELECT count(*) FROM resource_offers WHERE to_user = ${user})
      + (SELECT count(*) FROM managers WHERE user_id = ${user} AND (agreed_at IS NULL OR offered_at IS NOT NULL)
        AND ${raw(isOpen('managers'))}) AS offers`);
  return row!.offers;
}

export function totalOf(counts: InvitationCounts, state: InvitationFilters['state']): number {
  if (state === undefined) return counts.new + counts.accepted + counts.rejected;
  return state === 'answered' ? counts.accepted + counts.rejected : counts[state];
}
