import { Problem, problemResponse } from '../http/problem.ts';
import type { Report } from '../http/problem.ts';
import { requireTurn } from '../limits/rate.ts';
import type { Rate } from '../limits/rate.ts';
import type { Caller, Keys } from './keys.store.ts';

/** The bindings of a request from the app that mounts the service. */
export interface ServiceBindings {
  requestId?: () => string;
  clientAddress?: () => string;
  /** The caller, if the gateway has identified it. The key in the request's header is then ignored. */
  caller?: Caller;
  /** Throws if the session or the key has ended since the request was accepted. */
  recheckAccess?: () => Promise<void> | void;
}

export interface ServiceEnv {
  Bindings: ServiceBindings & { caller: Caller; report: Report };
}

interface Identified {
  caller: Caller;
  recheckAccess: () => Promise<void> | void;
}

/**
 * Identifies the caller of each request, and passes the request to `serve`. The only reader of `x-serviceapikey`;
 * `recheckAccess` checks the key again. An address with too many invalid keys must wait before another key is read. A
 * key that was valid before is exempt: one device with a revoked key must not lock out the others at its address.
 * Synchronous if the key is cached. Responds with `key.throttled`, `key.invalid` or `rate.exceeded`.
 */
export function createKeyGuard({
  keys,
  failures,
  requests,
  serve,
  report,
}: {
  keys: Pick<Keys, 'verify' | 'wasValid'>;
  /** Invalid keys by client address. */
  failures: Rate;
  /** Requests by user. */
  requests: Rate;
  serve: (request: Request, bindings: ServiceEnv['Bindings']) => Response | Promise<Response>;
  report: Report;
}): (request: Request, bindings?: ServiceBindings) => Response | Promise<Response> {
  function identify(request: Request, bindings: ServiceBindings): Identified | Promise<Identified> {
    const { caller, clientAddress, recheckAccess = () => {} } = bindings;
    if (caller) return { caller, recheckAccess };
    const key = request.headers.get('x-serviceapikey');
    const address = () => clientAddress?.() ?? 'unknown';
    const isExempt = key !== null && keys.wasValid(key);
    // Counted before the key is read, so that of many concurrent requests only the allowed number is read.
    const wait = isExempt ? 0 : failures.take(address());
    if (wait > 0) throw new Problem('key.throttled', { headers: { 'retry-after': String(wait) } });
    const verified = (found: Caller | undefined): Identified => {
      if (key === null || !found) {
        if (isExempt) failures.take(address());
        throw new Problem('key.invalid');
      }
      if (!isExempt) failures.giveBack(address());
      const verifyAgain = async () => {
        if (!(await keys.verify(key))) throw new Problem('key.invalid');
      };
      return { caller: found, recheckAccess: verifyAgain };
    };
    const found = key === null ? undefined : keys.verify(key);
    return found instanceof Promise ? found.then(verified) : verified(found);
  }

  return (request, bindings = {}) => {
    const fail = (error: unknown) =>
      problemResponse({ error, requestId: bindings.requestId?.() ?? '', request, report });
    const admit = (identified: Identified) => {
      requireTurn(requests, identified.caller.userId);
      return serve(request, { ...bindings, ...identified, report });
    };
    try {
      const identified = identify(request, bindings);
      return identified instanceof Promise ? identified.then(admit).catch(fail) : admit(identified);
    } catch (error) {
      return fail(error);
    }
  };
}
