import { Problem } from '../http/problem.ts';
import type { Report } from '../http/problem.ts';
import { requireTurn } from '../limits/rate.ts';
import type { Rate } from '../limits/rate.ts';
import type { Caller, Keys } from './keys.store.ts';

/** The bindings of a request from the app that mounts the service. */
export interface ServiceBindings {
  requestId?: () => string;
  clientAddress?: () => string;
  /** The caller's key, if the gateway supplies it. The key in the request's header is then ignored. */
  heldKey?: string;
  /** Throws if the session or the key has ended since the request was accepted. */
  recheckAccess?: () => Promise<void> | void;
}

export interface ServiceEnv {
  Bindings: ServiceBindings & { caller: Caller; report: Report };
}

interface Admitted {
  caller: Caller;
  recheckAccess: () => Promise<void> | void;
}

/**
 * The only reader of `x-serviceapikey`: identifies the caller, and `recheckAccess` checks the key again. An address with too many
 * wrong keys must wait before another key is even looked at. A key that was right before is exempt: one device with a
 * revoked key must not lock out the others at its address.
 * A promise only if the key is not cached.
 * @throws Problem `key.throttled`, `key.invalid`, `rate.exceeded`
 */
export function createKeyGuard({
  keys,
  failures,
  requests,
}: {
  keys: Pick<Keys, 'verify' | 'wasValid'>;
  /** Invalid keys by client address. */
  failures: Rate;
  /** Requests by user. */
  requests: Rate;
}): (request: Request, bindings: ServiceBindings) => Admitted | Promise<Admitted> {
  return (request, { heldKey, clientAddress, recheckAccess }) => {
    const key = heldKey ?? request.headers.get('x-serviceapikey');
    const address = () => clientAddress?.() ?? 'unknown';
    const isExempt = heldKey !== undefined || (key !== null && keys.wasValid(key));
    // the attempt is counted before the key is read: many at once must not all be looked at
    const wait = isExempt ? 0 : failures.take(address());
    if (wait > 0) throw new Problem('key.throttled', { headers: { 'retry-after': String(wait) } });

    const admit = (caller: Caller | undefined): Admitted => {
      if (key === null || !caller) {
        if (isExempt) failures.take(address());
        throw new Problem('key.invalid');
      }
      if (!isExempt) failures.giveBack(address());
      requireTurn(requests, caller.userId);
      const verifyAgain = async () => {
        if (!(await keys.verify(key))) throw new Problem('key.invalid');
      };
      return { caller, recheckAccess: recheckAccess ?? verifyAgain };
    };
    const caller = key === null ? undefined : keys.verify(key);
    return caller instanceof Promise ? caller.then(admit) : admit(caller);
  };
}
