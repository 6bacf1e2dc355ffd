import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { minuteMs } from '@swarmdeck/bff/durations';
import { refetchChanges } from '../../data/stream/lazy-changes.ts';
import { read, send } from '../../data/client.ts';
import { queryKeys } from '../../data/cache/query-keys.ts';
import { t } from '../../text/text.ts';

/** Whether there is a demo, and what the user has added to it. */
export const demoQuery = queryOptions({
  queryKey: queryKeys.demo,
  queryFn: ({ signal }) => read('/api/demo', {}, { signal }),
  staleTime: 5 * minuteMs,
});

/**
 * Adds or removes the demo. `onDone` belongs to the mutation, because the component that calls it is unmounted by the
 * change.
 */
interface ChangeDemoOptions {
  method: 'POST' | 'DELETE';
  onDone(): void;
  /** List and map have the change. */
  onShown?(): void;
}

export function useChangeDemo({ method, onDone, onShown }: ChangeDemoOptions) {
  const client = useQueryClient();
  return useMutation({
    meta: { failure: () => t.start.demo[method === 'POST' ? 'failed' : 'not_removed'] },
    mutationFn: () => send({ method, path: '/api/demo' }),
    onSuccess: async () => {
      onDone();
      await refetchChanges(client, { type: 'everything.changed', data: {} });
      // They render it before the next frame.
      if (onShown) requestAnimationFrame(() => onShown());
    },
  });
}
