/** The selected rows of a list, by id: rows that arrive later are never selected by accident. */
export interface Selection {
  /** All rows that match the filters are selected except `ids`. Otherwise, only `ids` are selected. */
  all: boolean;
  ids: ReadonlySet<string>;
  /** Where a range starts: the row that was selected last. */
  anchor: string | null;
}

export const noSelection: Selection = { all: false, ids: new Set(), anchor: null };
/** All rows that match, loaded or not. */
export const allSelected: Selection = { all: true, ids: new Set(), anchor: null };

export function isSelected({ all, ids }: Pick<Selection, 'all' | 'ids'>, id: string): boolean {
  return ids.has(id) !== all;
}

/** `total`: how many rows match. */
export function countSelected({ all, ids }: Selection, total: number): number {
  return all ? Math.max(0, total - ids.size) : ids.size;
}

export function toggle<Kind extends Selection>(selection: Kind, id: string): Kind {
  const ids = new Set(selection.ids);
  if (!ids.delete(id)) ids.add(id);
  return { ...selection, ids, anchor: id };
}

/** Selects or deselects all rows from the anchor to this one. `order` has the ids of the list in their order. */
export function toggleRange<Kind extends Selection>(selection: Kind, id: string, order: readonly string[]): Kind {
  const from = selection.anchor === null ? -1 : order.indexOf(selection.anchor);
  const to = order.indexOf(id);
  if (from < 0 || to < 0) return toggle(selection, id);
  const add = isSelected(selection, id) === selection.all;
  const ids = new Set(selection.ids);
  for (const each of order.slice(Math.min(from, to), Math.max(from, to) + 1)) {
    if (add) ids.add(each);
    else ids.delete(each);
  }
  return { ...selection, ids, anchor: id };
}

export function selectIds(ids: Iterable<string>): Selection {
  return { all: false, ids: new Set(ids), anchor: null };
}
