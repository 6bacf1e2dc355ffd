/** The one after it, or before, round and round; from outside one begins at the first, or at the last. */
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
