import type { DirectoryPage, DirectorySort, DirectorySwarm } from '../../contract.ts';
import { checkedCursor, invalidCursor, writeCursor, type Cursor, type SortedCursor } from '../http/query.ts';
import type { FairQueue, Requester } from '../limits/fair-queue.ts';
import { createLongReads } from '../limits/long-reads.ts';
import type { Database } from '../store/database.ts';
import { createAdaptiveSliceSize } from '../store/adaptive-slice-size.ts';
import { lastActive } from '../store/visibility.ts';
import type { DirectoryRow } from '../store/row-types.ts';
import { searchWords } from '../store/search-text.ts';
import { allOf, always, raw, sql, type Sql, type Statement } from '../store/statement.ts';
import { foldedTexts } from './swarm-texts.store.ts';

/** The column by which each order sorts, and the direction. */
const orders = {
  '-active': { column: 'active_at', isDescending: true },
  '-members': { column: 'members', isDescending: true },
  name: { column: 'name_key', isDescending: false },
} as const satisfies Record<DirectorySort, object>;

/** The owner can sign in. An account that has ended lists nothing. */
const isOfActiveOwner = raw(
  `NOT EXISTS (SELECT 1 FROM "user" u WHERE u.username = d.user_id AND u.disabled_at IS NOT NULL)`,
);

/** Puts a swarm into the directory, or replaces the texts by which it is found. Triggers keep the rest. */
export const listInDirectory = (swarm: { id: string; name: string; description: string }): Statement => ({
  sql: `INSERT INTO directory (swarm_id, user_id, name_key, search_text, members, active_at)
        SELECT s.id, s.user_id, $2, $3,
          coalesce((SELECT size.members FROM swarm_sizes size WHERE size.swarm_id = s.id), 0), ${lastActive}
        FROM swarms s WHERE s.id = $1
        ON CONFLICT (swarm_id) DO UPDATE SET name_key = excluded.name_key, search_text = excluded.search_text,
          active_at = greatest(directory.active_at, excluded.active_at)`,
  params: [swarm.id, ...foldedTexts(swarm)],
});

export type Directory = ReturnType<typeof createDirectory>;

/** The public swarms that their owners list. */
export function createDirectory({ db, queue }: { db: Database; queue: FairQueue }) {
  /** A search looks at all swarms of the directory, so users take turns, and it reads them in slices. */
  const readsOf = createLongReads({ db, queue });

  return {
    /** @throws `query.invalid` if the cursor is of a page with another order */
    async page(query: {
      requester: Requester;
      q?: string;
      sort: DirectorySort;
      cursor?: SortedCursor;
      limit: number;
    }): Promise<DirectoryPage> {
      const { requester, q = '', sort, limit } = query;
      const cursor = checkedCursor(query.cursor, sort);
      const { column, isDescending } = orders[sort];
      const words = searchWords(q);
      const matching = allOf([isOfActiveOwner, ...words.map(contains)]);
      const direction = raw(isDescending ? 'DESC' : 'ASC');
      const place = raw(`(d.${column}, d.swarm_id)`);
      const order = sql`ORDER BY d.${raw(column)} ${direction}, d.swarm_id ${direction}`;

      /**
       * Reads the rows from a place on, in a search by slices, until `read` returns true: the database executes one long
       * statement at a time.
       */
      async function readSlices(from: Sql, readSlice: (rows: Sql) => Promise<boolean>): Promise<void> {
        if (words.length === 0) return void (await readSlice(from));
        const size = createAdaptiveSliceSize();
        for (let rest = from; ;) {
          const [end] = await readsOf(requester).read<{ key: string | number; id: string }>(
            sql`SELECT d.${raw(column)} AS key, d.swarm_id AS id FROM directory d WHERE ${rest}
                ${order} LIMIT 1 OFFSET ${size.rows - 1}`,
          );
          const last = end && sql`(${end.key}, ${end.id})`;
          const slice = last ? sql`${rest} AND ${place} ${raw(isDescending ? '>=' : '<=')} ${last}` : rest;
          if ((await size.timed(() => readSlice(slice))) || !last) return undefined;
          rest = sql`${place} ${raw(isDescending ? '<' : '>')} ${last}`;
        }
      }

      const found: (DirectorySwarm & { key: string | number })[] = [];
      await readSlices(cursor ? after({ cursor, column, isDescending }) : always, async (rows) => {
        const swarms = await readsOf(requester).read<(typeof found)[0]>(
          sql`SELECT s.id, s.user_id, s.name, s.description, s.created_at, d.members AS member_count, d.active_at,
                d.key FROM (SELECT d.swarm_id, d.members, d.active_at, d.${raw(column)} AS key FROM directory d WHERE ${allOf([rows, matching])}
                  ${order} LIMIT ${limit + 1 - found.length}) d
                JOIN swarms s ON s.id = d.swarm_id
              ORDER BY d.key ${direction}, d.swarm_id ${direction}`,
        );
        found.push(...swarms);
        return found.length > limit;
      });
      const shown = found.slice(0, limit);
      const last = found.length > limit ? shown.at(-1) : undefined;
      const next = last ? writeCursor({ sort, key: String(last.key), id: last.id }) : null;
      const items = shown.map(({ key: _key, ...swarm }) => swarm);
      if (cursor) return { items, next };
      let total = 0;
      await readSlices(always, async (rows) => {
        const [counted] = await readsOf(requester).read<{ total: number }>(
          sql`SELECT count(*) AS total FROM directory d WHERE ${allOf([rows, matching])}`,
        );
        total += counted!.total;
        return false;
      });
      return { items, next, total };
    },
  };
}

const contains = (word: string): Sql => sql`strpos(d.search_text, ${word}) > 0 OR strpos(d.user_id, ${word}) > 0`;

/** The rows after the cursor. @throws `query.invalid` if its key is no value of the column */
function after(options: { cursor: Cursor; column: keyof DirectoryRow; isDescending: boolean }): Sql {
  const { cursor, column, isDescending } = options;
  const isNumber = column === 'members';
  if (isNumber && !/^\d{1,15}$/.test(cursor.key)) throw invalidCursor();
  const key = isNumber ? Number(cursor.key) : cursor.key;
  return sql`(d.${raw(column)}, d.swarm_id) ${raw(isDescending ? '<' : '>')} (${key}, ${cursor.id})`;
}
