import type { MiddlewareHandler } from 'hono';
import { Problem } from '../problem.ts';
import type { Rate } from '../rate.ts';
import type { Caller, Keys } from './keys.store.ts';

export interface ServiceEnv {
  Bindings: { requestId?: string; clientAddress?: () => string };
  Variables: { caller: Caller };
}

/** The only reader of `x-serviceapikey`: says who calls, or answers 401; slows down whoever guesses. */
export function keyGuard({
  keys,
  failures,
  requests,
}: {
  keys: Keys;
  /** By client address: keys that were not valid. */
  failures: Rate;
  /** By user. */
  requests: Rate;
}): MiddlewareHandler<ServiceEnv> {
  return async (c, next) => {
    const key = c.req.header('x-serviceapikey');
    const caller = key === undefined ? undefined : keys.verify(key);
    if (!caller) {
      const wait = failures.take(c.env?.clientAddress?.() ?? 'unknown');
      if (wait > 0) throw new Problem('key.throttled', { headers: { 'retry-after': String(wait) } });
      throw new Problem('key.invalid');
    }
    const wait = requests.take(caller.userId);
    if (wait > 0) throw new Problem('rate.exceeded', { headers: { 'retry-after': String(wait) } });
    c.set('caller', caller);
    return next();
  };
}
