import type { QueryClient } from '@tanstack/react-query';
import type { Account } from '@swarmdeck/bff/contract';
import { queryKeys } from './query-keys.ts';

/** The user who is signed in; undefined until the account has been read. */
export const userOf = (client: QueryClient) => client.getQueryData<Account>(queryKeys.account)?.user_id;
