import type { QueryClient } from '@tanstack/react-query';
import type { Change, refetchOwnChanges } from './changes.ts';

let refetch: typeof refetchOwnChanges | undefined;

/** Loads the rules of data/stream/changes.ts, which a page needs for the stream and for changes of the user. */
export async function loadChanges(): Promise<void> {
  ({ refetchOwnChanges: refetch } = await import('./changes.ts'));
}

/** Applies the user's own actions to the cache, immediately if the rules have been loaded. */
export function applyChanges(client: QueryClient, ...changes: readonly Change[]): void {
  void refetchChanges(client, ...changes);
}

/** Like `applyChanges`. The promise resolves when the outdated queries have been fetched again. */
export async function refetchChanges(client: QueryClient, ...changes: readonly Change[]): Promise<void> {
  if (!refetch) await loadChanges().catch(() => undefined);
  // Without the rules, everything may be outdated.
  await (refetch ? refetch(client, ...changes) : client.invalidateQueries());
}
