import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** Changes what has been read, which makes it neither younger nor good again where it was to be read anew. */
export function changeKnown(client: QueryClient, key: QueryKey, data: unknown): void {
  const before = client.getQueryState(key);
  client.setQueryData(key, data, before && { updatedAt: before.dataUpdatedAt });
  const isIt = ({ state }: { state: object }) => state === client.getQueryState(key);
  if (before?.isInvalidated) void client.invalidateQueries({ predicate: isIt, refetchType: 'none' });
}
