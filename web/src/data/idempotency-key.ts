import { useQueryClient } from '@tanstack/react-query';
import { userOf } from './of-client.ts';
import { tabStorage } from './tab-storage.ts';

/**
 * The `Idempotency-Key` of each request of a form. It is the same until the request has succeeded, also after the form was
 * closed and opened again or the page was loaded again, so that a retry does not create a second record. Another body has another
 * key, because the service rejects one key with two bodies.
 */
export function useIdempotencyKeys(path: string) {
  const user_id = userOf(useQueryClient());
  const nameOf = (body: unknown) => `idempotency:${user_id}:${path} ${JSON.stringify(body)}`;
  return {
    keyFor(body: unknown): string {
      const name = nameOf(body);
      const known = tabStorage.read(name);
      if (known !== null) return known;
      const key = crypto.randomUUID();
      tabStorage.write(name, key);
      return key;
    },
    /** The outbox has the request with its key: after this page, the same body creates another record. */
    noteStored: (body: unknown) => tabStorage.moveToMemory(nameOf(body)),
    /** The next request with this body creates another record. */
    noteDone: (body: unknown) => tabStorage.write(nameOf(body), null),
  };
}
