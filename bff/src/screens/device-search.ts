import { searchWords } from '../store/search-text.ts';
import type { Rows } from './audience-rows.store.ts';
import type { DeviceTable } from './device-table.ts';
import type { SearchFilters } from './query-types.ts';
import { matchesWords } from './text-column.ts';
import type { SearchedTexts, TextColumn } from './text-column.ts';

export type DeviceSearch = ReturnType<typeof createDeviceSearch>;

/**
 * The devices of a table that match the filters `q` and `action`. It must receive all changes of the table from its creation
 * on. The database searches for the items of an action, and if the texts are too large to be in memory.
 */
export function createDeviceSearch(options: {
  table: DeviceTable;
  texts: TextColumn;
  filters: SearchFilters;
  rows: Rows<readonly [ref: number]>;
  name: string;
}) {
  const { table, texts, filters, rows, name } = options;
  const words = searchWords(filters.q ?? '');
  const isInMemory = filters.action === undefined;
  /** By slot: the number of words that were found so far, and this for a match. */
  const matching = Math.max(1, words.length);
  let found = new Uint8Array(0);
  /** The refs that changed while the database searches: its rows may be older. */
  let changedRefs: Set<number> | undefined;
  let changes = 0;

  const has = (slot: number) => found[slot] === matching;

  function set(slot: number, isMatch: boolean) {
    if (slot >= found.length) {
      const larger = new Uint8Array(table.columns.ref.length);
      larger.set(found);
      found = larger;
    }
    if (has(slot) !== isMatch) changes += 1;
    found[slot] = isMatch ? matching : 0;
  }

  function* findInMemory(): Generator<void, void> {
    for (const [number, word] of words.entries()) {
      yield* texts.find(word, (slot) => {
        if (found[slot] === number) found[slot] = number + 1;
      });
    }
  }

  async function* findInDatabase(): AsyncGenerator<void, void> {
    changedRefs = new Set();
    for await (const chunk of rows.chunks()) {
      for (const [ref] of chunk.rows) {
        const slot = table.slotOf(ref);
        if (slot !== undefined && !changedRefs.has(ref)) set(slot, true);
      }
      yield;
    }
    changedRefs = undefined;
  }

  return {
    has,
    get bytes(): number {
      return found.length;
    },
    /** Changes with the result. */
    get version(): string {
      return `${name}-${changes}`;
    },
    /** The refs among these that match now, if the texts of a device do not tell it. */
    async read(refs: readonly number[]): Promise<ReadonlySet<number> | undefined> {
      return isInMemory ? undefined : new Set((await rows.these(refs)).map(([ref]) => ref));
    },
    /** A device was added or changed. `matchingRefs`: what `read` returned for it. */
    put(slot: number, device: SearchedTexts, matchingRefs: ReadonlySet<number> | undefined): void {
      const ref = table.columns.ref[slot]!;
      changedRefs?.add(ref);
      set(slot, matchingRefs ? matchingRefs.has(ref) : matchesWords(device, words));
    },
    remove: (slot: number): void => set(slot, false),
    /** Searches all devices. Yields every few milliseconds. */
    async *find(): AsyncGenerator<void, void> {
      found = new Uint8Array(table.columns.ref.length);
      if (isInMemory && texts.isStored) yield* findInMemory();
      if (isInMemory && texts.isStored) return;
      yield* findInDatabase();
    },
  };
}
