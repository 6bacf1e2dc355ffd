/** The selected rows, by id: rows that arrive later are never selected by accident. */
export interface Selection {
  ids: ReadonlySet<string>;
  /** Where a range starts: the row that was selected last. */
  anchor: string | null;
}

export const noSelection: Selection = { ids: new Set(), anchor: null };

export function toggle(selection: Selection, id: string): Selection {
  const ids = new Set(selection.ids);
  if (!ids.delete(id)) ids.add(id);
  return { ids, anchor: id };
}

/** Selects or clears all rows from the anchor to this one. `order` has the ids of the list in their order. */
export function toggleRange(selection: Selection, id: string, order: readonly string[]): Selection {
  const from = selection.anchor === null ? -1 : order.indexOf(selection.anchor);
  const to = order.indexOf(id);
  if (from < 0 || to < 0) return toggle(selection, id);
  const on = !selection.ids.has(id);
  const ids = new Set(selection.ids);
  for (const each of order.slice(Math.min(from, to), Math.max(from, to) + 1)) {
    if (on) ids.add(each);
    else ids.delete(each);
  }
  return { ids, anchor: id };
}

export function selectAll(ids: Iterable<string>): Selection {
  return { ids: new Set(ids), anchor: null };
}
