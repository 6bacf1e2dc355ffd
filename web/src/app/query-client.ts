import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { errorParts, isOutcomeUnknown, isUnreachable, isSignedOut } from '../data/problem.ts';
import { applyChanges } from '../data/stream/lazy-changes.ts';
import { queryKeys } from '../data/cache/query-keys.ts';

/**
 * Pages show their own errors. Three errors concern the whole app: the session has ended, it needs a second factor, and the server
 * cannot be reached. Refetching the account finds out which of them is still true.
 */
export function createQueryClient(): QueryClient {
  const refetchAccount = () => void client.invalidateQueries({ queryKey: queryKeys.account });
  const settle = (error: Error) => {
    if (isSignedOut(error) || isUnreachable(error) || errorParts(error).code === 'second_factor.required')
      refetchAccount();
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (query.queryKey[0] !== queryKeys.account[0]) settle(error);
      },
    }),
    mutationCache: new MutationCache({
      onError(error) {
        settle(error);
        // Shows whether the change was made.
        if (isOutcomeUnknown(error)) applyChanges(client, { type: 'reset', data: {} });
      },
      // The account contains the counts of the user's objects. After the session has ended there is no account.
      onSuccess: (_data, _variables, _onMutateResult, mutation) => {
        if (!mutation.meta?.ends_session) refetchAccount();
      },
    }),
    defaultOptions: {
      // One notice says that the server cannot be reached, and retries (unreachable-notice.tsx): queries do not retry themselves.
      // A computer without internet may still reach a server in its own network, hence networkMode.
      queries: { retry: false, staleTime: 5_000, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  return client;
}
