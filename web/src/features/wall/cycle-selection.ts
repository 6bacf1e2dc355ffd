/** The next or the previous thing, with wrap-around. Without a selection, the first or the last one. */
export function stepFrom<Thing extends { id: string }>({
  things,
  id,
  by,
}: {
  things: readonly Thing[];
  id: string | null;
  by: 1 | -1;
}): Thing | undefined {
  const at = things.findIndex((thing) => thing.id === id);
  if (at < 0) return things.at(by > 0 ? 0 : -1);
  return things.at((at + by) % things.length);
}
