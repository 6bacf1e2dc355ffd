import type { Rows } from './audience-rows.store.ts';
import { createRefTable } from './points/ref-table.ts';
import { createStaleRefs } from './stale-refs.ts';

/** The refs of the devices of an audience that match a search or are in a swarm. */
export interface Selection {
  has(ref: number): boolean;
  each(visit: (ref: number) => void): void;
  readonly size: number;
  /** Changes with every change of the selection. */
  readonly version: string;
  /** Reads the refs in chunks. */
  find(): AsyncGenerator<void, void>;
  /** Marks changed devices, which `refresh` reads. Returns the number of marked devices. */
  changed(refs: readonly number[]): number;
  /** Applies the changes that were passed to `changed` before this call. Only after `find`. */
  refresh(): Promise<void>;
}

export function createSelection({ rows, name }: { rows: Rows<readonly [ref: number]>; name: string }): Selection {
  const selected = createRefTable();
  let changes = 0;
  const has = (ref: number) => selected.get(ref) !== undefined;

  const stale = createStaleRefs(async (refs) => {
    const matching = new Set((await rows.these(refs)).map(([ref]) => ref));
    for (const ref of refs) {
      if (matching.has(ref) === has(ref)) continue;
      if (matching.has(ref)) selected.set(ref, 0);
      else selected.delete(ref);
      changes += 1;
    }
  });

  return {
    has,
    each: (visit) => selected.each(visit),
    get size() {
      return selected.size;
    },
    get version() {
      return `${name}-${changes}`;
    },
    async *find() {
      for await (const chunk of rows.chunks()) {
        for (const [ref] of chunk.rows) selected.set(ref, 0);
        yield;
      }
    },
    changed(refs) {
      stale.add(refs);
      return stale.size;
    },
    refresh: stale.refresh,
  };
}
