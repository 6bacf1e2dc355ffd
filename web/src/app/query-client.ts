import { MutationCache, QueryCache } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { FreshClient } from '../api/fresh-client.ts';
import { isAway, isSignedOut } from '../api/problem.ts';

/**
 * Errors are shown where they belong by the pages themselves. Two kinds concern everybody and are told to the
 * session: "you are signed out" and "nobody answers". Asking for the account again settles what is true of both.
 */
export function createQueryClient(): QueryClient {
  const askAgain = () => void client.invalidateQueries({ queryKey: ['account'], exact: true });
  const settle = (error: Error) => {
    if (isSignedOut(error) || isAway(error)) askAgain();
  };
  const client: QueryClient = new FreshClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (query.queryHash !== '["account"]') settle(error);
      },
    }),
    mutationCache: new MutationCache({
      onError: settle,
      // what one owns is counted beside one's name; after the last act of a session there is nobody to ask about
      onSuccess: (_data, _variables, _onMutateResult, mutation) => {
        if (!mutation.meta?.['ends_session']) askAgain();
      },
    }),
    defaultOptions: {
      // "Nobody answers" has one notice with its own next try (away-notice.tsx); nothing retries behind its back.
      // A machine without internet still reaches a server on its own network, hence networkMode.
      queries: { retry: false, staleTime: 5_000, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  return client;
}
