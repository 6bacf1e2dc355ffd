import type { Identified, ListRows } from './list-sections.ts';

const wrapped = new WeakMap<readonly Identified[], ListRows>();

/** The rows of an array. The same array gives the same object. */
export function listRows(items: readonly Identified[]): ListRows {
  const known = wrapped.get(items);
  if (known) return known;
  const indexOf = (id: string) => items.findIndex((item) => item.id === id);
  const rows = { length: items.length, at: (row: number) => items[row], indexOf };
  wrapped.set(items, rows);
  return rows;
}
