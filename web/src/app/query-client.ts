import { MutationCache, QueryCache, QueryClient, type Query } from '@tanstack/react-query';
import {
  asksForSignIn,
  errorParts,
  isOutcomeUnknown,
  isPutOff,
  isSignedOut,
  isUnreachable,
  ProblemError,
} from '../data/problem.ts';
import { applyChanges } from '../data/stream/lazy-changes.ts';
import { queryKeys } from '../data/cache/query-keys.ts';

/** In ms, if the server does not say when to try again. */
const repeatedAfter = 15_000;
/** In ms, also if the server says that it may be tried at once. */
const leastWait = 1000;

/**
 * Fetches shown data again that the server has refused to send once more: too many requests, or a fault of its own. It is older than
 * what an event has announced, and there may be no other event. Data that was never shown, and the next page of a list, have a Retry
 * button instead.
 */
function repeatRefused(client: QueryClient, query: Query<unknown, unknown>, error: Error): void {
  const isRefused = error instanceof ProblemError && (isPutOff(error) || error.problem.status >= 500);
  const { data, fetchMeta } = query.state;
  if (!isRefused || isUnreachable(error) || data === undefined || fetchMeta?.fetchMore) return;
  const again = () => {
    if (query.state.error !== error) return;
    void client.refetchQueries({ predicate: (other) => other === query, type: 'active' });
  };
  setTimeout(again, error.retryAfter === null ? repeatedAfter : Math.max(leastWait, error.retryAfter * 1000));
}

/**
 * Pages show their own errors. Three errors concern the whole app: the session has ended, it needs a second factor, and the server
 * cannot be reached. Refetching the account finds out which of them is still true.
 */
export function createQueryClient(): QueryClient {
  const refetchAccount = () => void client.invalidateQueries({ queryKey: queryKeys.account });
  const followToSignIn = async () => {
    // Without a network, this code cannot be loaded, and there is nothing to go to.
    const { goToNetworkSignIn } = await import('./network-sign-in.ts').catch(() => ({ goToNetworkSignIn() {} }));
    goToNetworkSignIn(client);
  };
  const settle = (error: Error, isOfAccount = false) => {
    if (asksForSignIn(error)) void followToSignIn();
    if (isOfAccount) return;
    if (isSignedOut(error) || isUnreachable(error) || errorParts(error).code === 'second_factor.required')
      refetchAccount();
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        settle(error, query.queryKey[0] === queryKeys.account[0]);
        repeatRefused(client, query, error);
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
