import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { minuteMs } from '@swarmdeck/bff/durations';
import { read, send } from '../../data/client.ts';
import { isSignedOut, ProblemError } from '../../data/problem.ts';
import { queryKeys } from '../../data/cache/query-keys.ts';
import { dueSignOut, refusesAccount } from './session-tabs.ts';
import { pollUnlessLive } from '../../data/stream/poll-intervals.ts';

const sessionMissing = { type: '', title: '', status: 401, detail: '', code: 'session.missing', request_id: '' };

/** Fails until the server has ended the session, or has refused it for good: there is no session any more, or the server is an older one. */
export async function sendDueSignOut(signal: AbortSignal): Promise<void> {
  const session_id = dueSignOut.get();
  if (session_id === null) return;
  await send({ method: 'POST', path: '/auth/sign-out', body: { session_id }, signal }).catch((error: unknown) => {
    if (!(error instanceof ProblemError) || error.problem.status >= 429) throw error;
  });
  dueSignOut.set(null);
}

/**
 * The account of the signed-in user. Fails with `session.missing` if there is none; cached data stays. After that, only an
 * account ends it: without an answer, the page stays covered.
 */
export const accountQuery = queryOptions({
  queryKey: queryKeys.account,
  async queryFn({ client, signal }) {
    try {
      await sendDueSignOut(signal);
      const data = await read('/api/account', {}, { signal });
      if (refusesAccount(data.user_id)) throw new ProblemError({ problem: sessionMissing });
      return data;
    } catch (error) {
      const before = client.getQueryState(queryKeys.account)?.error;
      throw isSignedOut(before) ? before : error;
    }
  },
  staleTime: 60_000,
  // Soon if there is nothing to show yet, or if the user may be signing in in another tab, or says there that the recovery codes are
  // stored: new ones would make them worthless.
  refetchInterval: ({ state: { data, error } }) =>
    (error && (!data || isSignedOut(error))) || data?.unstored_codes ? 5_000 : 10 * minuteMs,
  refetchOnWindowFocus: ({ state }) => (state.data?.unstored_codes ? 'always' : true),
});

/** The user has signed out in this browser, or another one has signed in. The page is covered before the server answers. */
export function endSession(client: QueryClient): void {
  const error = new ProblemError({ problem: sessionMissing });
  client.getQueryCache().find({ queryKey: queryKeys.account })?.setState({ status: 'error', error });
  void client.invalidateQueries({ queryKey: queryKeys.account });
}

/** How many entries of the activity log are unread: the badge of every page. */
export const activityUnreadQuery = queryOptions({
  queryKey: queryKeys.activity.unread,
  queryFn: async ({ signal }) => (await read('/api/activity', {}, { query: 'limit=1', signal })).unread,
  refetchInterval: pollUnlessLive(60_000),
});
