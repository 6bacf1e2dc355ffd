/** Actions as the browser shows them, with their items if they are few. */
import type { Action } from '../contract.ts';
import { actionLimits } from '../limits/field-rules.ts';
import type { ActionRow } from './action-row.ts';
import { readBytesOfItems, readChunksOf, resultOf, type ActionChunk, type Reads } from './chunks.store.ts';

/**
 * The actions in this order, with their items if these are at most `most` and of few bytes. The bytes of the items are counted before they are
 * read.
 */
export async function withItems(
  reads: Reads,
  rows: readonly ActionRow[],
  { record, most = actionLimits.itemsShown }: { record: (row: ActionRow) => Action; most?: number },
): Promise<Action[]> {
  const small = rows.filter(({ total, state }) => total <= most && state !== 'uploading');
  const few = firstWithin(actionLimits.itemsListed, small, ({ total }) => total);
  const bytes = await readBytesOfItems(
    reads,
    few.map(({ id }) => id),
  );
  const shown = firstWithin(actionLimits.bytesListed, few, ({ id }) => bytes.get(id) ?? 0);
  const chunks = await readChunksOf(
    reads,
    shown.map(({ id }) => id),
  );
  return rows.map((row) => {
    const ofAction = chunks.get(row.id);
    return ofAction ? { ...record(row), ...itemsOf(row, ofAction) } : record(row);
  });
}

/** The first of these actions that together have at most so much. */
function firstWithin(most: number, actions: ActionRow[], amountOf: (action: ActionRow) => number): ActionRow[] {
  let sum = 0;
  const beyond = actions.findIndex((action) => (sum += amountOf(action)) > most);
  return beyond === -1 ? actions : actions.slice(0, beyond);
}

function itemsOf({ state, done }: ActionRow, chunks: readonly ActionChunk[]) {
  const items = chunks.flatMap((chunk) => chunk.items) as never;
  const results = chunks.flatMap((chunk) => chunk.items.map((_, index) => resultOf(chunk, index)));
  return { items, ...(state === 'ended' && { results: results.slice(0, done) }) };
}
