import { queryOptions } from '@tanstack/react-query';
import type { Account } from '@swarmdeck/bff/contract';
import { send } from '../../api/client.ts';
import { isSignedOut } from '../../api/problem.ts';
import { queryKeys } from '../../api/query-keys.ts';

/** Who is signed in. Signed out it fails with `session.missing`; what the screen shows of it stays. */
export const accountQuery = queryOptions({
  queryKey: queryKeys.account,
  queryFn: async ({ signal }) => (await send<Account>({ path: '/api/account', signal })).data,
  staleTime: 60_000,
  // soon where nothing can be shown before, or where somebody may be signing in beside us
  refetchInterval: ({ state }) => (state.error && (!state.data || isSignedOut(state.error)) ? 5_000 : 10 * 60_000),
});
