import { Problem } from '../http/problem.ts';
import type { Report } from '../http/problem.ts';
import { requireTurn } from '../limits/rate.ts';
import type { Rate } from '../limits/rate.ts';
import type { Caller, Keys } from './keys.store.ts';

/** What the app that mounts the service knows about a request. */
export interface ServiceBindings {
  requestId?: () => string;
  clientAddress?: () => string;
  /** The caller's key, if the gateway supplies it. The key in the request's header is then ignored. */
  heldKey?: string;
  /** Throws if the session or the key has ended since the request was accepted. */
  recheckAccess?: () => void;
}

export interface ServiceEnv {
  Bindings: ServiceBindings & { caller: Caller; report: Report };
}

/**
 * The only reader of `x-serviceapikey`: says who calls, and `still` checks the key again. An address with too many
 * wrong keys must wait before another key is even looked at. A key that was right before is exempt: one device with a
 * revoked key must not lock out the others at its address.
 * @throws Problem `key.throttled`, `key.invalid`, `rate.exceeded`
 */
export function createKeyGuard({
  keys,
  failures,
  requests,
}: {
  keys: Keys;
  /** By client address: keys that were not valid. */
  failures: Rate;
  /** By user. */
  requests: Rate;
}): (request: Request, bindings: ServiceBindings) => { caller: Caller; recheckAccess: () => void } {
  return (request, { heldKey, clientAddress, recheckAccess }) => {
    const key = heldKey ?? request.headers.get('x-serviceapikey');
    const address = () => clientAddress?.() ?? 'unknown';
    if (heldKey === undefined && (key === null || !keys.wasValid(key))) {
      const wait = failures.wait(address());
      if (wait > 0) throw new Problem('key.throttled', { headers: { 'retry-after': String(wait) } });
    }
    const caller = key === null ? undefined : keys.verify(key);
    if (key === null || !caller) {
      failures.take(address());
      throw new Problem('key.invalid');
    }
    requireTurn(requests, caller.userId);
    const verifyAgain = () => {
      if (!keys.verify(key)) throw new Problem('key.invalid');
    };
    return { caller, recheckAccess: recheckAccess ?? verifyAgain };
  };
}
