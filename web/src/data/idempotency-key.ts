import { useQueryClient } from '@tanstack/react-query';
import { oncePerClient } from './of-client.ts';

/** By requests: their keys. */
const keysOf = oncePerClient(() => new Map<string, string>());

/**
 * The `Idempotency-Key` of each request of a form. It is the same until the request has succeeded, also after the form was
 * closed and opened again, so that a retry does not create a second record. Another body has another key, because the
 * service rejects one key with two bodies.
 */
export function useIdempotencyKeys(path: string) {
  const keys = keysOf({ client: useQueryClient() });
  const requestOf = (body: unknown) => `${path} ${JSON.stringify(body)}`;
  return {
    keyFor(body: unknown): string {
      const request = requestOf(body);
      const key = keys.get(request) ?? crypto.randomUUID();
      keys.set(request, key);
      return key;
    },
    /** The next request with this body creates another record. */
    noteDone: (body: unknown) => void keys.delete(requestOf(body)),
  };
}
