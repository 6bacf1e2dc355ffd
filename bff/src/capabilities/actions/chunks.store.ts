/**
 * The items of actions. Those that are stored and executed together are a chunk: a row of `action_parts`, whose column `part` is the number
 * of the chunk. A part of an upload has several chunks.
 */
import { setImmediate as nextLoopTick } from 'node:timers/promises';
import type { ActionItem, ActionResult } from '../../contract.ts';
import type { Database } from '../../core/store/database.ts';
import { createAdaptiveSliceSize } from '../../core/store/adaptive-slice-size.ts';
import type { Query, Statement, Value } from '../../core/store/statement.ts';
import type { ActionRow } from './action-row.ts';
import type { Before } from './kinds/kind.ts';

export type Reads = Pick<Database, 'read'>;

/** The number of items of a chunk. Another user's write waits for two chunks at most. */
export const chunkSize = 100;
/** The most chunks that are executed together: another user waits for their commits. */
export const mostChunksOfBatch = 5;
/** Chunks that one statement reads or deletes. */
export const chunksAtOnce = 10;
/** Chunks that one statement searches for ids, of up to 100 kB each or more. */
const searchedChunks = { least: 4, first: 4, most: 64 };

/** An item with the values that it replaces. For an undo, `before` has the original item and the values that it has replaced. */
export interface StoredItem {
  item: ActionItem;
  before?: Before;
}

export interface ActionChunk {
  /** From 0 on. */
  number: number;
  items: ActionItem[];
  before: Before[] | undefined;
  /** The problems by the index of the item; undefined until the items were executed. */
  problems: Record<string, NonNullable<ActionResult>> | undefined;
}

/** The result of an item after an unexpected error. */
export const serverFailed = { code: 'server.failed' };

/** The result of an item that was executed. The items of a chunk whose problems were not stored have ended by an unexpected error. */
export const resultOf = ({ problems }: Pick<ActionChunk, 'problems'>, index: number): ActionResult =>
  problems ? (problems[index] ?? null) : serverFailed;

const columns = 'action_id, part, items, before, results';
export type ChunkRow = {
  action_id: string;
  part: number;
  items: string;
  before: string | null;
  results: string | null;
};

function chunkOf(row: ChunkRow): ActionChunk {
  const { part, items, before } = row;
  return {
    number: part,
    items: JSON.parse(items) as ActionItem[],
    before: before === null ? undefined : (JSON.parse(before) as Before[]),
    problems: problemsOf(row),
  };
}

export const problemsOf = ({ results }: Pick<ChunkRow, 'results'>): ActionChunk['problems'] =>
  results === null ? undefined : (JSON.parse(results) as ActionChunk['problems']);

/** Reads `count` chunks of an action. */
export async function readChunks(
  reads: Reads,
  { action, first, count }: { action: string; first: number; count: number },
): Promise<ActionChunk[]> {
  const rows = await reads.read<ChunkRow>({
    sql: `SELECT ${columns} FROM action_parts WHERE action_id = $1 AND part >= $2 AND part < $3 ORDER BY part`,
    params: [action, first, first + count],
  });
  return rows.map(chunkOf);
}

/** Selects the chunks of these actions. */
export const chunksOf = (ids: readonly string[]): Query => ({
  sql: `SELECT action_id, part, items, NULL AS before, results FROM action_parts
              WHERE action_id IN (SELECT value FROM elements($1)) ORDER BY action_id, part`,
  params: [JSON.stringify(ids)],
});

/** The chunks of these actions. */
export async function readChunksOf(reads: Reads, ids: readonly string[]): Promise<Map<string, ActionChunk[]>> {
  const rows = await reads.read<ChunkRow>(chunksOf(ids));
  const byAction = new Map<string, ActionChunk[]>(ids.map((id) => [id, []]));
  for (const row of rows) byAction.get(row.action_id)!.push(chunkOf(row));
  return byAction;
}

/** The bytes of the items of these actions. */
export async function readBytesOfItems(reads: Reads, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await reads.read<{ action_id: string; bytes: number }>({
    sql: `SELECT action_id, CAST(sum(octet_length(items)) AS bigint) AS bytes FROM action_parts
              WHERE action_id IN (SELECT value FROM elements($1)) GROUP BY action_id`,
    params: [JSON.stringify(ids)],
  });
  return new Map(rows.map(({ action_id, bytes }) => [action_id, bytes]));
}

/**
 * The last chunks of an action, from `first` on, and those before them that have items with these ids. The last chunk is the
 * first of the list.
 */
export async function findChunks(
  reads: Reads,
  { action, ids, first }: { action: string; ids: readonly string[]; first: number },
): Promise<ActionChunk[]> {
  const left = new Set(ids);
  const found: ActionChunk[] = [];
  const add = (chunks: ActionChunk[]) => {
    found.push(...chunks.toReversed());
    for (const { items } of chunks) for (const item of items) left.delete((item as { id?: string }).id!);
  };
  add(await readChunks(reads, { action, first, count: 2 }));
  const size = createAdaptiveSliceSize(searchedChunks);
  for (let upTo = first; upTo > 0 && left.size > 0;) {
    const from = Math.max(0, upTo - size.rows);
    const slice: Query = {
      sql: `SELECT ${columns} FROM action_parts WHERE action_id = $1 AND part >= $2 AND part < $3
                  AND EXISTS (SELECT 1 FROM elements(items) e
                    WHERE json_extract(e.value, '$.id') IN (SELECT value FROM elements($4)))
                ORDER BY part`,
      params: [action, from, upTo, JSON.stringify([...left])],
    };
    add((await size.timed(() => reads.read<ChunkRow>(slice))).map(chunkOf));
    upTo = from;
  }
  return found;
}

/** The ids in those items of the user's open actions that were not executed. */
export async function readOpenIds(reads: Reads, user: string): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  const openActions = await reads.read<Pick<ActionRow, 'id'>>({
    sql: 'SELECT id FROM actions WHERE user_id = $1 AND ended_at IS NULL',
    params: [user],
  });
  for (const { id } of openActions) {
    for (let after = -1; ;) {
      const rows = await reads.read<{ part: number; id: string | null }>({
        sql: `SELECT p.part, json_extract(e.value, '$.id') AS id
                  FROM (SELECT part, items FROM action_parts WHERE action_id = $1 AND part > $2 AND results IS NULL
                    ORDER BY part LIMIT ${chunksAtOnce}) p, elements(p.items) e
                  ORDER BY p.part`,
        params: [id, after],
      });
      if (rows.length === 0) break;
      for (const row of rows) ids.add(row.id ?? '');
      after = rows.at(-1)!.part;
    }
  }
  return ids;
}

/** The parts of an upload that are missing. */
export async function findMissingParts(
  reads: Reads,
  { id, total }: Pick<ActionRow, 'id' | 'total'>,
  partSize: number,
): Promise<number[]> {
  const stored = await reads.read<{ part: number }>({
    sql: 'SELECT part FROM action_parts WHERE action_id = $1',
    params: [id],
  });
  const storedParts = new Set(stored.map(({ part }) => Math.floor((part * chunkSize) / partSize)));
  return Array.from({ length: Math.ceil(total / partSize) }, (_, part) => part).filter(
    (part) => !storedParts.has(part),
  );
}

export const insertChunk = (action: string, number: number, items: readonly StoredItem[]): Statement => ({
  sql: 'INSERT INTO action_parts (action_id, part, items, before) VALUES ($1, $2, $3, $4)',
  params: [
    action,
    number,
    JSON.stringify(items.map(({ item }) => item)),
    items.some(({ before }) => before !== undefined) ? JSON.stringify(items.map(({ before }) => before)) : null,
  ],
});

/** Makes a statement for each chunk. In between, other requests are answered, because the texts may be long. */
export async function insertChunks(
  action: string,
  { first, items }: { first: number; items: readonly StoredItem[] },
): Promise<Statement[]> {
  const inserts: Statement[] = [];
  for (let from = 0; from < items.length; from += chunkSize) {
    if (from > 0) await nextLoopTick();
    inserts.push(insertChunk(action, first + from / chunkSize, items.slice(from, from + chunkSize)));
  }
  return inserts;
}

/** The bytes that the chunks of these statements count in `actions.bytes`. */
export const bytesOf = (inserts: readonly Statement[]): number =>
  inserts.reduce((sum, { params: [, , items, before] = [] }) => sum + byteLength(items) + byteLength(before), 0);

/** SQL: the bytes of the chunks that `rows` selects. */
export const bytesIn = (rows: string) =>
  `(SELECT coalesce(sum(octet_length(items) + coalesce(octet_length(before), 0)), 0) ${rows})`;

export const byteLength = (value: Value | undefined) => (typeof value === 'string' ? Buffer.byteLength(value) : 0);
