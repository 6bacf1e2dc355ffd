import { queryOptions, useMutation } from '@tanstack/react-query';
import type { NewRecoveryCodes } from '@swarmdeck/bff/contract';
import { read, send } from '../../../data/client.ts';
import { pathTo } from '../../../data/path-to.ts';
import { accountKeys } from '../../../data/cache/account-keys.ts';
import { useChange } from '../../../data/use-change.ts';
import type { Entered } from '../sign-in.api.ts';

const path = '/api/account/identities';

export const identitiesQuery = queryOptions({
  queryKey: accountKeys.identities,
  queryFn: async ({ signal }) => (await read(path, {}, { signal })).items,
});

export const useUnlink = () =>
  useChange((provider: string) => send({ method: 'DELETE', path: `${path}/${provider}` }), {
    type: 'identities.changed',
    data: {},
  });

/** Leaves the app for the page of a provider. The user comes back to `next`. */
export const useVisit = (purpose: 'link' | 'confirm') =>
  useMutation({
    mutationFn: async ({ provider, next }: { provider: string; next: string }) => {
      const { data } = await send<{ url: string }>({
        method: 'POST',
        path: pathTo('/auth/oidc/:provider', { provider }),
        body: { purpose, next },
        changesNothing: true,
      });
      location.assign(data.url);
    },
  });

/** What a user who came from a provider for the first time is asked. */
export const newcomerQuery = queryOptions({
  queryKey: accountKeys.newcomer,
  queryFn: ({ signal }) => read('/auth/sign-up/identity', {}, { signal }),
  retry: false,
  gcTime: 0,
});

/** Creates the account of such a user. */
export const useNewcomer = () =>
  useMutation({
    mutationFn: async (username: string): Promise<Entered> => {
      const { data } = await send<NewRecoveryCodes>({
        method: 'POST',
        path: '/auth/sign-up/identity',
        body: { username },
      });
      return { account: await read('/api/account', {}), codes: data };
    },
  });
