/** Removes items of an action that waits, which a user undoes one by one. */
import type { ActionItem } from '../../contract.ts';
import type { Database } from '../../core/store/database.ts';
import { replaceChunks } from './action-items.store.ts';
import { stateProblem, type ActionRow } from './action-row.ts';
import { requireAction } from './actions.store.ts';
import { chunkSize, findChunks, type ActionChunk, type Reads, type StoredItem } from './chunks.store.ts';

/**
 * Removes these items. Returns undefined if no item would be left. `reads`: users take turns in them, because they grow
 * with the action.
 * @throws `action.state`, `action.not_found`
 */
export async function removeItems(
  { db, reads }: { db: Database; reads: Reads },
  { action, ids }: { action: ActionRow; ids: readonly string[] },
): Promise<ActionRow | undefined> {
  const { id, user_id: user } = action;
  // The loop tries again if another request removes other items between the read and the write.
  let row = action;
  for (; row.state === 'pending'; row = await requireAction(db, { id, user })) {
    const { total } = row;
    // The last items replace those that are removed, so that the other chunks stay as they are.
    const first = Math.max(0, Math.floor((total - ids.length) / chunkSize));
    const chunks = await findChunks(reads, { action: id, ids, first });
    const last = chunks[0];
    const isCurrent = last && last.number * chunkSize + last.items.length === total;
    if (!isCurrent) continue;
    const { changed, newTotal } = without(ids, { chunks, total });
    if (newTotal === 0) return undefined;
    if (newTotal === total) return row;
    const replaced = await replaceChunks(db, row, { changed, newTotal });
    if (replaced) return replaced;
  }
  throw stateProblem(row);
}

/**
 * The chunks that change when these items are removed, and how many items are left. `chunks`: those with the items and
 * those at the end, the last one first.
 */
function without(
  ids: readonly string[],
  { chunks, total }: { chunks: readonly ActionChunk[]; total: number },
): { changed: { number: number; items: StoredItem[] }[]; newTotal: number } {
  const indexedChunks = chunks.map(({ number, items, before }) => ({
    number,
    first: number * chunkSize,
    items: items.map((item, index): StoredItem => ({ item, ...(before && { before: before[index]! }) })),
  }));
  const left = new Set(ids);
  const removed = new Set(indexedChunks.flatMap(({ items }) => items.filter(({ item }) => left.delete(idOf(item)))));
  const newTotal = total - removed.size;
  const movers = indexedChunks
    .flatMap(({ first, items }) => items.slice(Math.max(0, newTotal - first)))
    .filter((each) => !removed.has(each));
  const changed = indexedChunks
    .filter(
      ({ first, items }) => first < newTotal && items.some((each, at) => removed.has(each) || first + at >= newTotal),
    )
    .map(({ first, number, items }) => ({
      number,
      items: items.slice(0, newTotal - first).map((each) => (removed.has(each) ? movers.pop()! : each)),
    }));
  return { changed, newTotal };
}

const idOf = (item: ActionItem) => (item as { id?: string }).id!;
