/** Reads invitations of one status after the other, in slices if each row has to be searched. */
import type { Invitation } from '../../contract.ts';
import { createAdaptiveSliceSize } from '../../core/store/adaptive-slice-size.ts';
import { allOf, always, join, sql, type Sql } from '../../core/store/statement.ts';
import type { Reads } from '../caller.ts';
import type { Source } from './matches.store.ts';

/** Rows of one source with one status. */
export interface Range {
  source: Source;
  status: Invitation['status'];
  /** What an index answers. */
  indexed: Sql;
  /** The other conditions. */
  rest: Sql;
}

export const whereOf = ({ indexed, rest }: Pick<Range, 'indexed' | 'rest'>) => allOf([indexed, rest]);

/** A statement of a slice reads at least so many rows of each range. Below it, finding the end of a slice takes longer. */
const sliceSize = { least: 250, first: 500 };

/**
 * Reads the ranges, in a search by slices of `changed_at`, newest first, until `read` returns true. SQLite executes one long
 * read at a time and cannot interrupt it, so that other users' lists wait for each statement.
 */
export async function readSlices(options: {
  db: Reads;
  isSearch: boolean;
  ranges: readonly Range[];
  read: (slice: readonly Range[]) => Promise<boolean>;
}): Promise<boolean> {
  const { db, isSearch, ranges, read } = options;
  if (!isSearch) return read(ranges);
  const size = createAdaptiveSliceSize(sliceSize);
  for (let within = always; ;) {
    const ends = ranges.map(
      ({
        source: { from },
        indexed,
      }) => sql`SELECT * FROM (SELECT i.changed_at FROM ${from} WHERE ${indexed} AND ${within}
        ORDER BY i.changed_at DESC LIMIT 1 OFFSET ${size.rows - 1}) slice`,
    );
    const [row] = await db.read<{ end: string | null }>(
      sql`SELECT max(changed_at) AS "end" FROM (${join(ends, ' UNION ALL ')}) ends`,
    );
    const end = row!.end;
    const slice = end === null ? within : sql`${within} AND i.changed_at >= ${end}`;
    const rows = ranges.map((range) => ({ ...range, indexed: sql`${range.indexed} AND ${slice}` }));
    const isEnough = await size.timed(() => read(rows));
    if (isEnough || end === null) return isEnough;
    within = sql`i.changed_at < ${end}`;
  }
}
