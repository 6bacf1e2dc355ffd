/** Actions as the browser shows them, with their items if they are few. */
import type { Action } from '../../contract.ts';
import { actionLimits } from '../../core/limits/field-rules.ts';
import type { ActionRow } from './action-row.ts';
import { chunksOf, readBytesOfItems, readChunksOf, resultOf, type ActionChunk, type Reads } from './chunks.store.ts';
import { actionList, type ActionListBytes } from './action-list.shape.ts';

/** The actions in this order, with their items if these are at most `most` and of few bytes. */
export async function withItems(
  reads: Reads,
  rows: readonly ActionRow[],
  { record, most = actionLimits.itemsShown }: { record: (row: ActionRow) => Action; most?: number },
): Promise<Action[]> {
  const shown = await withinLimits(reads, rows, most);
  const chunks = await readChunksOf(
    reads,
    shown.map(({ id }) => id),
  );
  return rows.map((row) => {
    const ofAction = chunks.get(row.id);
    return ofAction ? { ...record(row), ...itemsOf(row, ofAction) } : record(row);
  });
}

/** An ActionList of these actions. The reader thread makes its JSON, which may have 600 KB: on the main thread, that took 11 ms. */
export async function listText(
  reads: Reads,
  rows: readonly ActionRow[],
  { record }: { record: (row: ActionRow) => Action },
): Promise<Uint8Array<ArrayBuffer>> {
  const shown = await withinLimits(reads, rows, actionLimits.itemsShown);
  const ids = new Set(shown.map(({ id }) => id));
  const actions = rows.map((row) => ({
    id: row.id,
    json: JSON.stringify(record(row)),
    ...(ids.has(row.id) && { shows: row.state === 'ended' ? { results: row.done } : {} }),
  }));
  const [list] = await reads.read<ActionListBytes>({ ...chunksOf([...ids]), shape: actionList({ actions }) });
  return list!.bytes;
}

/** Those of the actions that are shown with their items. Their bytes are counted before they are read. */
async function withinLimits(reads: Reads, rows: readonly ActionRow[], most: number): Promise<ActionRow[]> {
  const small = rows.filter(({ total, state }) => total <= most && state !== 'uploading');
  const few = firstWithin(actionLimits.itemsListed, small, ({ total }) => total);
  const bytes = await readBytesOfItems(
    reads,
    few.map(({ id }) => id),
  );
  return firstWithin(actionLimits.bytesListed, few, ({ id }) => bytes.get(id) ?? 0);
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
