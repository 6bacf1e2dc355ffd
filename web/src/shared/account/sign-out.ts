import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { SignedOut } from '@swarmdeck/bff/contract';
import { send } from '../../data/client.ts';
import { isUnreachable } from '../../data/problem.ts';
import { accountQuery } from './account.api.ts';
import { t } from '../../text/text.ts';
import { announceSignOut, dueSignOut } from './session-tabs.ts';

export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      send<SignedOut | undefined>({ method: 'POST', path: '/auth/sign-out', body: {} }).catch((error: unknown) => {
        const session_id = client.getQueryData(accountQuery.queryKey)?.session_id;
        if (!isUnreachable(error) || session_id === undefined) throw error;
        dueSignOut.set(session_id);
      }),
    meta: { ends_session: true, failure: () => t.palette.not_signed_out },
    // Not of one call: the palette has closed before the response.
    onSuccess: (answer) => announceSignOut(answer?.data?.url),
  });
}
