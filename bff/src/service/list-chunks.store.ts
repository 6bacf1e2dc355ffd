import type { Database } from '../store/database.ts';
import type { Value } from '../store/statement.ts';

const timestampLength = '2026-01-02T03:04:05.678Z'.length;

/** Where a list ordered by a time and an id goes on: the last row it had. */
export interface Cursor {
  at: string;
  id: string;
}

export const chunkSize = 1000;

/**
 * SQL for a chunk of a list in the order of `time`, then `id`: the rows' JSON with commas between, and the last
 * pair. Parameters: $1 and $2 are time and id of the cursor, then those of `where`. The time has a fixed length, so the
 * greatest pair is the greatest text.
 */
export function chunkSql({
  json,
  time,
  id,
  from,
  where,
}: Record<'json' | 'time' | 'id' | 'from' | 'where', string>): string {
  return `SELECT group_concat(json, ',') AS json, max(at || id) AS last
    FROM (SELECT ${json} AS json, ${time} AS at, ${id} AS id FROM ${from}
          WHERE ${where} AND (${time}, ${id}) > ($1, $2) ORDER BY ${time}, ${id} LIMIT ${chunkSize})`;
}

/** Reads one chunk; undefined after the last. */
export async function readChunk({
  db,
  sql,
  params,
  after,
}: {
  db: Database;
  sql: string;
  params: Value[];
  after: Cursor | undefined;
}) {
  const [found] = await db.read<{ json: string | null; last: string }>({
    sql,
    params: [after?.at ?? '', after?.id ?? '', ...params],
  });
  if (!found?.json) return undefined;
  const { json, last } = found;
  return { json, next: { at: last.slice(0, timestampLength), id: last.slice(timestampLength) } };
}
