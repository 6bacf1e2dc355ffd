import { queryOptions } from '@tanstack/react-query';
import { useEffect } from 'react';
import { accountKeys } from '../../data/cache/account-keys.ts';

/** Held by each tab that shows new recovery codes. */
const lockName = 'recovery_codes_shown';

/** While the codes are on the screen, no tab of this browser offers to create others, which would make these worthless. */
export function useShowsCodes(areShown = true): void {
  useEffect(() => {
    if (!areShown) return undefined;
    const shown = Promise.withResolvers<void>();
    // Only secure pages have locks, and not with every setting of a browser. A closed tab releases its own.
    navigator.locks?.request(lockName, { mode: 'shared' }, () => shown.promise).catch(() => undefined);
    return () => shown.resolve();
  }, [areShown]);
}

/** Whether a tab of this browser shows them. */
export const codesShownQuery = queryOptions({
  queryKey: accountKeys.shownCodes,
  meta: { isLocal: true },
  queryFn: async () => {
    const { held = [] } = (await navigator.locks?.query().catch(() => undefined)) ?? {};
    return held.some(({ name }) => name === lockName);
  },
  networkMode: 'always',
  staleTime: 0,
  // No event says that a tab was closed.
  refetchInterval: 2_000,
});
