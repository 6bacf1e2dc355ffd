import { searchWords } from '../../core/store/search-text.ts';
import type { ActionRefs, AudienceRows } from './audience-rows.store.ts';
import type { DeviceTable } from './device-table.ts';
import { refOf, searchedTextsOf } from './index-row.store.ts';
import { matchesWords, type SearchedTexts, type TextColumn } from './text-column.ts';

export type DeviceSearch = ReturnType<typeof createDeviceSearch>;

/**
 * The devices of a table that match the filters `q` and `action`. It must receive all changes of the table from its creation
 * on.
 */
export function createDeviceSearch(options: {
  table: DeviceTable;
  texts: TextColumn;
  audience: string;
  /** For texts that are too large to be in memory. */
  rows: AudienceRows;
  q: string | undefined;
  /** The devices of `action`. */
  actionRefs: ActionRefs | undefined;
  name: string;
}) {
  const { table, texts, audience, rows, q = '', actionRefs, name } = options;
  const words = searchWords(q);
  const ofAction = actionRefs ? 1 : 0;
  /** By slot: the number of conditions that were met so far, and this for a match. */
  const matching = words.length + ofAction;
  let found = new Uint8Array(0);
  /** The refs that have changed since the search began: a row that it reads may be older. */
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
    for (const [index, word] of words.entries()) {
      const before = ofAction + index;
      yield* texts.find(word, (slot) => {
        if (found[slot] === before) found[slot] = before + 1;
      });
    }
  }

  async function* findInRows(): AsyncGenerator<void, void> {
    for await (const chunk of rows.chunks()) {
      for (const row of chunk.rows) {
        const slot = table.slotOf(refOf(row));
        if (slot === undefined || found[slot]! < ofAction || changedRefs!.has(refOf(row))) continue;
        if (matchesWords(searchedTextsOf(row, audience), words)) found[slot] = matching;
      }
      yield;
    }
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
    /** The refs among these that belong to the action; undefined without one. */
    read: async (refs: readonly number[]): Promise<ReadonlySet<number> | undefined> =>
      actionRefs && new Set(await actionRefs.byRefs(refs)),
    /** A device was added or changed. `refsOfAction`: what `read` returned for it. */
    put(slot: number, device: SearchedTexts, refsOfAction: ReadonlySet<number> | undefined): void {
      const ref = table.columns.ref[slot]!;
      changedRefs?.add(ref);
      set(slot, (!refsOfAction || refsOfAction.has(ref)) && matchesWords(device, words));
    },
    remove: (slot: number): void => set(slot, false),
    /** Searches all devices. Yields every few milliseconds. */
    async *find(): AsyncGenerator<void, void> {
      found = new Uint8Array(table.columns.ref.length);
      changedRefs = new Set();
      for await (const refs of actionRefs?.chunks() ?? []) {
        for (const ref of refs) {
          const slot = table.slotOf(ref);
          if (slot !== undefined && !changedRefs.has(ref)) found[slot] = 1;
        }
        yield;
      }
      if (texts.isStored) yield* findInMemory();
      // They may have become too large meanwhile.
      if (!texts.isStored) yield* findInRows();
      changedRefs = undefined;
    },
  };
}
