import { useMutation } from '@tanstack/react-query';
import type { SignedOut } from '@swarmdeck/bff/contract';
import { send } from '../../data/client.ts';
import { isUnreachable } from '../../data/problem.ts';
import { announceSignOut, dueSignOut } from './session-tabs.ts';

export function useSignOut() {
  return useMutation({
    mutationFn: () =>
      send<SignedOut | undefined>({ method: 'POST', path: '/auth/sign-out', body: {} }).catch((error: unknown) => {
        if (!isUnreachable(error)) throw error;
        dueSignOut.set('yes');
      }),
    meta: { ends_session: true },
    // Not of one call: the palette has closed before the response.
    onSuccess: (answer) => announceSignOut(answer?.data?.url),
  });
}
