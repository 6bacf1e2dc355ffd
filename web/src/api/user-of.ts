import type { QueryClient } from '@tanstack/react-query';
import type { Account } from '@swarmdeck/bff/contract';

/** Who is signed in; undefined until that has been read. */
export const userOf = (client: QueryClient) => client.getQueryData<Account>(['account'])?.user_id;
