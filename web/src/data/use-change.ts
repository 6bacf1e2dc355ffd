/** The user's own requests that change something, and what they change in the cache. */
import { useIsMutating, useMutation, useQueryClient, type UseMutationOptions } from '@tanstack/react-query';
import type { Change } from './stream/changes.ts';
import { applyChanges, refetchChanges } from './stream/lazy-changes.ts';
import { send } from './client.ts';
import { useIdempotencyKeys } from './idempotency-key.ts';
import { doneOnceIfUnknown } from './problem.ts';

interface ChangeOptions extends Pick<UseMutationOptions, 'mutationKey' | 'meta'> {
  /** The response has something that is never shown again: it is shown at once, and not kept once nothing shows it. */
  isShownOnce?: boolean;
}

/** The mutation is pending until what is outdated was fetched again, unless its response is shown once. */
export function useChange<Variables = void, Data = unknown>(
  request: (variables: Variables) => Promise<Data>,
  change: Change,
  { isShownOnce = false, ...options }: ChangeOptions = {},
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (variables: Variables) => request(variables),
    ...options,
    ...(isShownOnce && { gcTime: 0 }),
    // Reads again also after a failure, because another tab may have changed it.
    onSettled: () => (isShownOnce ? applyChanges(client, change) : refetchChanges(client, change)),
  });
}

/** Sends a request that the server executes once, however often it is sent. */
export async function sendOnce<Answer>(request: Parameters<typeof send>[0]): Promise<Answer> {
  try {
    return (await send<Answer>(request)).data;
  } catch (error) {
    throw doneOnceIfUnknown(error);
  }
}

/** Creates records. A form that is sent again has the same key, so that a lost response does not create a second record. */
export function useCreate<Body extends object, Created>(path: string, changeOf: (created: Created) => Change) {
  const client = useQueryClient();
  const { keyFor, noteDone } = useIdempotencyKeys(path);
  const mutationKey = [path];
  const create = useMutation({
    mutationKey,
    mutationFn: async (body: Body) => {
      const headers = { 'idempotency-key': keyFor(body) };
      return sendOnce<Created>({ method: 'POST', path, body, headers });
    },
    onSuccess(created, body) {
      noteDone(body);
      applyChanges(client, changeOf(created));
    },
  });
  return useSharedPending(create, mutationKey);
}

/** The mutation, which is also pending while the request of a form that was closed and opened again is. */
export function useSharedPending<Mutation extends object>(mutation: Mutation, mutationKey: readonly string[]) {
  return { ...mutation, isPending: useIsMutating({ mutationKey }) > 0 };
}
