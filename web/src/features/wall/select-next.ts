/** The next or the previous item, with wrap-around. Without a selection, the first or the last one. */
export function selectNext<Item extends { id: string }>({
  items,
  id,
  by,
}: {
  items: readonly Item[];
  id: string | null;
  by: 1 | -1;
}): Item | undefined {
  const at = items.findIndex((item) => item.id === id);
  if (at < 0) return items.at(by > 0 ? 0 : -1);
  return items.at((at + by) % items.length);
}
