import { problemResponse } from '../http/problem-response.ts';
import { Problem, type Report } from '../problem.ts';
import {
  nothingToCheck,
  type AttachedSession,
  type RequestBindings,
  type ServiceBindings,
} from '../http/request-bindings.ts';
import { BoundedMap } from '../limits/bounded-map.ts';
import type { ChangeFeed } from '../feed/change-feed.ts';
import { idFormat } from '../limits/field-rules.ts';
import { keyLimits, memoryTable } from '../limits/part-limits.ts';
import type { Rate } from '../limits/rate.ts';
import type { DeviceNotes } from './device-notes.ts';
import type { Caller, Keys } from '../keys/api-keys.store.ts';
import { challengeOf, routedPath, takesPassword } from './routed-path.ts';
import type { Access, Serve } from './service-app.ts';

export const keyHeader = 'x-serviceapikey';

/** Synchronous if the key is cached. */
type Found = Access | Promise<Access>;

/**
 * Identifies the caller of each request by the key in `x-serviceapikey`, by that of Basic authentication (where an app has no header),
 * or by the key that the gateway attaches, and passes the request to `serve`. The key may be revoked while a body arrives:
 * `recheckAccess` checks it again.
 *
 * A right key is never refused because of the wrong ones of its address, which all clients of a proxy may share: an unknown
 * key waits for its read, whatever came before it. A wrong key is counted after it was read, and then only its response differs:
 * `key.invalid`, or `key.throttled` for too many. Guessing is hopeless (30 random characters), so there is nothing else to
 * limit: one address has a turn in a read that it shares with others. A key that was refused at an address is not read again, and is
 * counted for itself. A key of the gateway is not a client's attempt, so it is not counted. Synchronous if the key is cached.
 */
export function createKeyGuard({
  keys,
  feed,
  invalidKeys,
  devices,
  serve,
  report,
}: {
  keys: Pick<Keys, 'cached' | 'verify'>;
  feed: Pick<ChangeFeed, 'subscribe'>;
  /** The rate of each client address. */
  invalidKeys: Rate;
  devices: Pick<DeviceNotes, 'wrongKey'>;
  serve: Serve;
  report: Report;
}): (request: Request, bindings: ServiceBindings) => Response | Promise<Response> {
  /** Addresses with keys that were refused. A key becomes valid again only if its user is enabled. */
  const refused = new BoundedMap<string, true>(memoryTable.refused_keys.most);
  /** How often this has happened: a read from before it must not refuse the key from then on. */
  let timesEnabled = 0;
  feed.subscribe((entries) => {
    if (entries && !entries.some(({ kind }) => kind === 'account.enabled')) return;
    timesEnabled += 1;
    refused.clear();
  });

  /** @throws `key.invalid`, or `key.throttled` if too many wrong keys were counted for the same */
  function refuse(countedFor: string): never {
    const seconds = invalidKeys.take(countedFor);
    if (seconds > 0) throw new Problem('key.throttled', { headers: { 'retry-after': String(seconds) } });
    throw new Problem('key.invalid');
  }

  async function recheckKey(key: string) {
    if (!(await keys.verify(key))) throw new Problem('key.invalid');
  }

  /** The access of a client's own key. */
  const accessOf = (key: string, caller: Caller): Access => ({
    caller,
    recheckAccess: () => recheckKey(key),
    requireConfirmed: nothingToCheck,
  });

  function identifyAttached({ apiKey, recheckAccess, requireConfirmed }: AttachedSession): Found {
    const recheckBoth = async () => {
      await recheckAccess();
      await recheckKey(apiKey);
    };
    const verified = async (caller: Caller | undefined) => {
      // A user who was disabled meanwhile has no session any more, which says more than an invalid key.
      if (!caller) await recheckAccess();
      if (!caller) throw new Problem('key.invalid');
      return { caller, recheckAccess: recheckBoth, requireConfirmed };
    };
    const found = keys.verify(apiKey);
    if (found instanceof Promise) return found.then(verified);
    return found ? { caller: found, recheckAccess: recheckBoth, requireConfirmed } : verified(undefined);
  }

  function identify(request: Request, { clientAddress }: RequestBindings): Found {
    const inHeader = request.headers.get(keyHeader);
    const basic = inHeader === null ? basicCredentials(request) : undefined;
    const key = inHeader ?? basic?.key ?? '';
    const isRight = (caller: Caller) => !basic || basic.device === caller.resourceId;
    const cached = keys.cached(key);
    if (cached && isRight(cached)) return accessOf(key, cached);
    const address = clientAddress();
    const attempt = `${address} ${key}`;
    const refuseKey = (countedFor: string): never => {
      // A request without any key says nothing about the device.
      const device = basic?.device ?? (inHeader === null ? undefined : deviceIn(routedPath(request)));
      if (device !== undefined && idFormat.test(device)) devices.wrongKey(device, address);
      return refuse(countedFor);
    };
    if (refused.has(attempt)) refuseKey(attempt);
    const enabledBefore = timesEnabled;
    const verified = (caller: Caller | undefined) => {
      if (caller && isRight(caller)) return accessOf(key, caller);
      if (!caller && attempt.length <= keyLimits.refusedLength && timesEnabled === enabledBefore)
        refused.set(attempt, true);
      return refuseKey(address);
    };
    const found = keys.verify(key, address);
    return found instanceof Promise ? found.then(verified) : verified(found);
  }

  return (request, bindings) => {
    const fail = (error: unknown, access?: Access) => {
      const known = { ...bindings, ...access };
      return problemResponse({ error, request, bindings: known, report, challenge: challengeOf(request, bindings) });
    };
    const answer = (access: Access) => {
      try {
        return serve(request, bindings, access);
      } catch (error) {
        return fail(error, access);
      }
    };
    try {
      const { session } = bindings;
      const identified = session ? identifyAttached(session) : identify(request, bindings);
      return identified instanceof Promise
        ? identified.then(answer).catch((error: unknown) => fail(error))
        : answer(identified);
    } catch (error) {
      return fail(error);
    }
  };
}

/** What a path says of the device that it is about. */
const deviceIn = (path: string) => /^\/resources\/([^/]+)/.exec(path)?.[1];

/** The id of the device, and its key, which an app without a setting for a header sends. */
function basicCredentials(request: Request): { device: string; key: string } | undefined {
  if (!takesPassword(request)) return undefined;
  const [, encoded] = /^Basic +([\w+/=-]+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  const [, device, key] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString()) ?? [];
  return device === undefined || key === undefined ? undefined : { device, key };
}
