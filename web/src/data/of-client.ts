/** What belongs to the QueryClient, of which the app has one. */
import type { QueryClient } from '@tanstack/react-query';
import type { Account } from '@swarmdeck/bff/contract';
import { queryKeys } from './cache/query-keys.ts';

/** The user who is signed in; undefined until the account has been read. */
export const userOf = (client: QueryClient) => client.getQueryData<Account>(queryKeys.account)?.user_id;

/** Creates one object per QueryClient, so that it outlives pages. */
export function oncePerClient<Options extends { client: QueryClient }, Made>(make: (options: Options) => Made) {
  const made = new WeakMap<QueryClient, Made>();
  return (options: Options): Made => {
    const one = made.get(options.client) ?? make(options);
    made.set(options.client, one);
    return one;
  };
}
