/** Stores the items of actions that have not begun, and deletes those that are not executed any more. */
import type { Database } from '../../core/store/database.ts';
import { firstRow } from '../../core/store/statement.ts';
import { tooLarge, withinBytes } from './action-limits.store.ts';
import { columns, stateProblem, type ActionRow } from './action-row.ts';
import { inState, requireAction } from './actions.store.ts';
import {
  bytesIn,
  bytesOf,
  chunksAtOnce,
  chunkSize,
  insertChunk,
  insertChunks,
  mostChunksOfBatch,
  type StoredItem,
} from './chunks.store.ts';

/**
 * Stores items of an action that is being uploaded, from the chunk `first` on; what was stored in these chunks before is
 * replaced. An undo may have any size, because an ended action has stored the same; only the user's other actions are bounded.
 * @throws `action.not_found`, `action.state`, `action.too_many_items`
 */
export async function putItems(
  db: Database,
  { id, user_id: user, kind }: Pick<ActionRow, 'id' | 'user_id' | 'kind'>,
  { first, items }: { first: number; items: readonly StoredItem[] },
): Promise<void> {
  const inserts = await insertChunks(id, { first, items });
  const replaced = 'FROM action_parts WHERE action_id = $1 AND part >= $2 AND part < $3';
  const params = [id, first, first + inserts.length];
  const written = await db.write([
    inState({ id, user }, ['uploading']),
    {
      sql: `UPDATE actions SET bytes = bytes + $4 - ${bytesIn(replaced)} WHERE id = $1`,
      params: [...params, bytesOf(inserts)],
    },
    withinBytes(user, 0, kind === 'undo' ? id : ''),
    { sql: `DELETE ${replaced}`, params },
    ...inserts,
  ]);
  if (!written.ok && written.failed === 'too large') throw tooLarge();
  if (!written.ok) throw stateProblem(await requireAction(db, { id, user }));
}

/** Stores items that the server reads. Returns their number. */
export async function fillAction(
  db: Database,
  action: Pick<ActionRow, 'id' | 'user_id' | 'kind'>,
  source: AsyncIterable<StoredItem[]>,
): Promise<number> {
  const most = chunksAtOnce * chunkSize;
  let count = 0;
  let buffered: StoredItem[] = [];
  const store = async (items: StoredItem[]) => {
    await putItems(db, action, { first: count / chunkSize, items });
    count += items.length;
  };
  for await (const page of source) {
    // Not push(...some): so many arguments do not fit on the stack.
    buffered = buffered.concat(page);
    while (buffered.length >= most) {
      await store(buffered.slice(0, most));
      buffered = buffered.slice(most);
    }
  }
  if (buffered.length > 0) await store(buffered);
  return count;
}

/**
 * Writes the chunks that have changed of an action that waits, and deletes those beyond `newTotal`. Undefined if other
 * items were removed since the action was read.
 * @throws `action.not_found`, `action.state`
 */
export async function replaceChunks(
  db: Database,
  { id, user_id: user, total }: ActionRow,
  { changed, newTotal }: { changed: { number: number; items: StoredItem[] }[]; newTotal: number },
): Promise<ActionRow | undefined> {
  const inserts = changed.map(({ number, items }) => insertChunk(id, number, items));
  const replaced = `FROM action_parts WHERE action_id = $1
        AND (part >= $2 OR part IN (SELECT CAST(value AS bigint) FROM elements($3)))`;
  const params = [id, Math.ceil(newTotal / chunkSize), JSON.stringify(changed.map(({ number }) => number))];
  const written = await db.write([
    inState({ id, user }, ['pending']),
    {
      sql: `UPDATE actions SET total = $5, bytes = bytes + $6 - ${bytesIn(replaced)}
                WHERE id = $1 AND total = $4 RETURNING ${columns}`,
      params: [...params, total, newTotal, bytesOf(inserts)],
      orFail: 'other items',
      isResult: true,
    },
    { sql: `DELETE ${replaced}`, params },
    ...inserts,
  ]);
  if (written.ok) return firstRow<ActionRow>(written.rows);
  if (written.failed === 'other state') throw stateProblem(await requireAction(db, { id, user }));
  return undefined;
}

/** Deletes the items of a stopped action, except those that a batch has begun or may have read for the next one. */
export async function removeNotExecuted(db: Database, { id, done }: ActionRow): Promise<void> {
  const first = Math.ceil(done / chunkSize) + 2 * mostChunksOfBatch;
  const chunks = `FROM action_parts WHERE action_id = $1 AND part >= $2 AND part < $3`;
  for (let from = first; ; from += chunksAtOnce) {
    const params = [id, from, from + chunksAtOnce];
    const { ok } = await db.write([
      { sql: `UPDATE actions SET bytes = bytes - ${bytesIn(chunks)} WHERE id = $1`, params },
      { sql: `DELETE ${chunks}`, params, orFail: 'none left' },
    ]);
    if (!ok) return;
  }
}
