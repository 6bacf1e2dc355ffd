/** The user's own requests that change something, and what they change in the cache. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Change } from './stream/changes.ts';
import { applyChanges, refetchChanges } from './stream/lazy-changes.ts';
import { send } from './client.ts';
import { createIdempotencyKey } from './idempotency-key.ts';

/** The mutation is pending until what is outdated was fetched again. */
export function useChange<Variables = void, Data = unknown>(
  request: (variables: Variables) => Promise<Data>,
  change: Change,
  /** In ms: how long the response is kept once nothing shows it. */
  { gcTime }: { gcTime?: number } = {},
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (variables: Variables) => request(variables),
    ...(gcTime !== undefined && { gcTime }),
    // Reads again also after a failure, because another tab may have changed it.
    onSettled: () => refetchChanges(client, change),
  });
}

/** Creates records. A retry of a form has the same key, so that a lost response does not create a second record. */
export function useCreate<Body extends object, Created>(path: string, changeOf: (created: Created) => Change) {
  const client = useQueryClient();
  const [keyFor] = useState(createIdempotencyKey);
  return useMutation({
    mutationFn: async (body: Body) =>
      (await send<Created>({ method: 'POST', path, body, headers: { 'idempotency-key': keyFor(body) } })).data,
    onSuccess: (created) => applyChanges(client, changeOf(created)),
  });
}
