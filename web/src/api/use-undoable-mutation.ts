import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { usePendingActions } from './pending-actions.ts';

/**
 * A mutation of TanStack Query with a pending phase: it is sent after ten seconds, in which the user can undo it, also
 * after they have left the page. Undo toasts show it on every page.
 */
export function useUndoableMutation<Variables = void>({
  key,
  label,
  mutationFn,
  onError,
}: {
  /** A mutation is ignored while another one with the same key is pending. */
  key: string | ((variables: Variables) => string);
  label: ReactNode | ((variables: Variables) => ReactNode);
  mutationFn(variables: Variables, options: { keepalive: boolean }): Promise<void>;
  onError(error: unknown, variables: Variables): void;
}) {
  const client = useQueryClient();
  const pending = usePendingActions();
  const keyOf = (variables: Variables) => (typeof key === 'function' ? key(variables) : key);
  return {
    mutate(variables: Variables) {
      pending.add({
        key: keyOf(variables),
        label: typeof label === 'function' ? label(variables) : label,
        async send({ keepalive }) {
          const options = { mutationFn: () => mutationFn(variables, { keepalive }) };
          await client.getMutationCache().build(client, options).execute(undefined);
        },
        onError: (error) => onError(error, variables),
      });
    },
    undo: (variables: Variables) => pending.undo(keyOf(variables)),
  };
}
