/** A list of actions with their items as JSON, made in the reader thread. */
import type { ActionResult } from '../../contract.ts';
import { defineShape } from '../../core/store/shape.ts';
import { chunkSize, problemsOf, resultOf, type ChunkRow } from './chunks.store.ts';

/** The result of a read of chunks: one row. */
export interface ActionListBytes {
  bytes: Uint8Array<ArrayBuffer>;
}

/** An action without its items, as JSON. `shows`: it is listed with its items and, if it has ended, so many results. */
interface ListedAction {
  id: string;
  json: string;
  shows?: { results?: number };
}

type ItemsRow = Omit<ChunkRow, 'before'>;

const utf8 = new TextEncoder();

/** Gets the chunks of these actions, those of each in their order. */
export const actionList = defineShape(
  new URL('./action-list.shape.ts', import.meta.url),
  'actionList',
  (rows: readonly ItemsRow[], { actions }: { actions: readonly ListedAction[] }): ActionListBytes[] => {
    const byAction = Map.groupBy(rows, ({ action_id }) => action_id);
    const texts = actions.map(({ id, json, shows }) => {
      if (!shows) return json;
      const chunks = byAction.get(id) ?? [];
      // Each is the JSON of an array.
      const items = chunks.map((chunk) => chunk.items.slice(1, -1)).join(',');
      const results = shows.results === undefined ? '' : `,"results":${resultsText(chunks, shows.results)}`;
      return `${json.slice(0, -1)},"items":[${items}]${results}}`;
    });
    return [{ bytes: utf8.encode(`{"actions":[${texts.join(',')}]}`) }];
  },
);

function resultsText(chunks: readonly ItemsRow[], count: number): string {
  const problems = chunks.map(problemsOf);
  const results = Array.from({ length: Math.min(count, chunks.length * chunkSize) }, (_, index): ActionResult =>
    resultOf({ problems: problems[Math.floor(index / chunkSize)] }, index % chunkSize),
  );
  return JSON.stringify(results);
}
