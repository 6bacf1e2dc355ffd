import type { Rows } from './paged-rows.ts';

/** The rows of two lists, one after the other. */
export function joinRows<Item extends { id: string }>(first: Rows<Item>, second: Rows<Item>): Rows<Item> {
  return {
    length: first.length + second.length,
    at: (row) => (row < first.length ? first.at(row) : second.at(row - first.length)),
    get: (id) => first.get(id) ?? second.get(id),
    indexOf(id) {
      const row = first.indexOf(id);
      if (row >= 0) return row;
      const next = second.indexOf(id);
      return next < 0 ? -1 : first.length + next;
    },
    all: () => [...first.all(), ...second.all()],
  };
}
