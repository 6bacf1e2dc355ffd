import type { QueryClient } from '@tanstack/react-query';
import type { applyOwnChanges, Change } from './changes.ts';

let apply: typeof applyOwnChanges | undefined;

/** Loads the rules of data/stream/changes.ts, which the first page does not need until the user does something. */
export async function loadChanges(): Promise<void> {
  ({ applyOwnChanges: apply } = await import('./changes.ts'));
}

/** Applies the user's own actions to the cache, immediately if the rules have been loaded. */
export function applyChanges(client: QueryClient, ...changes: readonly Change[]): void {
  if (apply) return apply(client, ...changes);
  // Without the rules, everything may be outdated.
  void loadChanges().then(
    () => apply?.(client, ...changes),
    () => client.invalidateQueries(),
  );
}
