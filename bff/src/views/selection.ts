import type { Rows } from './audience-rows.store.ts';
import { createRefTable } from './points/ref-table.ts';

/** The refs of the devices of an audience that match a search or are in a swarm. */
export interface Selection {
  has(ref: number): boolean;
  each(visit: (ref: number) => void): void;
  readonly size: number;
  /** Changes with every change of the selection. */
  readonly version: string;
  /** Reads the refs. Yields every few milliseconds. */
  find(): Generator<void, void>;
  /** Marks changed devices, which `refresh` checks. Returns the number of marked devices. */
  changed(refs: readonly number[]): number;
  /** Updates the selection to the last commit that was passed to `changed`. */
  refresh(): void;
}

export function createSelection({
  readRows,
  name,
}: {
  /** Called late, because prepared statements take memory. */
  readRows: () => Rows<readonly [ref: number]>;
  name: string;
}): Selection {
  let prepared: Rows<readonly [ref: number]> | undefined;
  const rows = () => (prepared ??= readRows());
  const selected = createRefTable();
  const unchecked = new Set<number>();
  let changes = 0;
  const has = (ref: number) => selected.get(ref) !== undefined;

  return {
    has,
    each: (visit) => selected.each(visit),
    get size() {
      return selected.size;
    },
    get version() {
      return `${name}-${changes}`;
    },
    *find() {
      for (const chunk of rows().chunks()) {
        for (const [ref] of chunk.rows) selected.set(ref, 0);
        yield;
      }
    },
    changed(refs) {
      for (const ref of refs) unchecked.add(ref);
      return unchecked.size;
    },
    refresh() {
      if (unchecked.size === 0) return;
      const refs = [...unchecked];
      unchecked.clear();
      const matching = new Set(
        rows()
          .these(refs)
          .map(([ref]) => ref),
      );
      for (const ref of refs) {
        if (matching.has(ref) === has(ref)) continue;
        if (matching.has(ref)) selected.set(ref, 0);
        else selected.delete(ref);
        changes += 1;
      }
    },
  };
}
