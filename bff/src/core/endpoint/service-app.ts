/** The app of the service, which counts the requests of each caller, and notes what devices have sent. */
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { notRouted, problemResponse } from '../http/problem-response.ts';
import type { CheckedBindings, ServiceBindings } from '../http/request-bindings.ts';
import type { SlotsByName, Rates } from '../limits/limit-tables.ts';
import { moreRequestsOf } from '../limits/operation-limits.ts';
import type { Release } from '../limits/slots.ts';
import { requireTokens, takeAllTokens, tooFast } from '../limits/rate.ts';
import { Problem, type Report } from '../problem.ts';
import type { Caller, Keys } from '../keys/api-keys.store.ts';
import { noteRefused, type DeviceNotes, type Refusal } from './device-notes.ts';
import type { Idempotency } from './idempotency.store.ts';
import type { Operation } from './policy.ts';
import { challengeOf, routedPath } from './routed-path.ts';

/** What the key of a request allows. */
export interface Access extends Pick<CheckedBindings, 'recheckAccess'> {
  caller: Caller;
  /** Throws if the key is that of a session whose user has not shown lately that it is them. `nothingToCheck` for other keys. */
  requireConfirmed: () => void;
}

interface ServiceEnv {
  Bindings: ServiceBindings &
    Access & {
      idempotency: Idempotency;
      report: Report;
      takeRequestSlot: (caller: Caller) => Release;
      chargeBody: (caller: Caller, bytes: number) => void;
      devices: DeviceNotes;
      /** What the request asks for, when it is routed. */
      operation?: Operation;
      /** It gets a success, but its report was not used (`noteUnused`). */
      isRefused?: true;
    };
}

/** Serves a request whose key was verified. @throws `rate.exceeded` */
export type Serve = (request: Request, bindings: ServiceBindings, access: Access) => Response | Promise<Response>;

export type ServiceApp = OpenAPIHono<ServiceEnv>;
export type ServiceContext = Context<ServiceEnv>;

/** The app of the endpoints, and `serve`, which counts and answers the requests of a caller. */
export function createServiceApp({
  idempotency,
  rates,
  slots,
  devices,
  keys,
  report,
}: {
  idempotency: Idempotency;
  rates: Pick<Rates, 'service' | 'device' | 'devices_of_user'>;
  slots: Pick<SlotsByName, 'service' | 'device' | 'devices_of_user'>;
  devices: DeviceNotes;
  keys: Pick<Keys, 'noteRefusedKey'>;
  report: Report;
}): { app: ServiceApp; serve: Serve } {
  const takeRequestSlot = createSlotsOfCallers(slots);
  /** Counts a large body, of an operation that takes it, as more requests of its caller. */
  function chargeBody({ userId, resourceId }: Caller, bytes: number): void {
    const more = moreRequestsOf(bytes);
    if (more === 0) return;
    if (resourceId === undefined) return rates.service.charge(userId, more);
    rates.device.charge(resourceId, more);
    rates.devices_of_user.charge(userId, more);
  }
  const app: ServiceApp = new OpenAPIHono<ServiceEnv>({ getPath: routedPath });
  app.notFound((c) => {
    throw notRouted(app, c.req.path);
  });
  app.onError((error, { req: { raw: request }, env: bindings }) => {
    const { caller, operation } = bindings;
    noteRefused(devices, caller, { error, operation });
    if (operation && error instanceof Problem && error.code === 'key.scope')
      keys.noteRefusedKey({ keyId: caller.keyId, operation });
    return problemResponse({ error, request, bindings, report, challenge: challengeOf(request, bindings) });
  });
  return {
    app,
    serve(request, bindings, access) {
      const { outgoing } = bindings;
      const { caller } = access;
      if (outgoing) {
        outgoing.user = caller.userId;
        outgoing.keyId = caller.keyId;
      }
      if (caller.resourceId === undefined) requireTokens(rates.service, caller.userId);
      else {
        if (!bindings.isWill) devices.heard(caller.resourceId);
        const seconds = takeAllTokens([
          { rate: rates.device, key: caller.resourceId },
          { rate: rates.devices_of_user, key: caller.userId },
        ]);
        if (seconds > 0) {
          const error = tooFast(seconds);
          noteRefused(devices, caller, { error, operation: undefined });
          throw error;
        }
      }
      const env: ServiceEnv['Bindings'] = {
        ...bindings,
        ...access,
        idempotency,
        report,
        takeRequestSlot,
        chargeBody,
        devices,
      };
      return app.fetch(request, env);
    },
  };
}

/**
 * The resource was heard: its owner's program has sent something for it, with a key in its own header. A request with the key of the
 * resource is noted when it arrives. What a browser sends, for which the gateway attaches a key, is no sign of life.
 */
export function noteHeard(c: ServiceContext, id: string): void {
  if (c.env.caller.resourceId === undefined && !c.env.session) c.env.devices.heard(id);
}

/**
 * Tells the owner of the device why its report was not used, although it gets a success: after a failure, its client would send it again
 * for ever.
 */
export function noteUnused(c: ServiceContext, why: Refusal): void {
  const { resourceId: id, userId } = c.env.caller;
  if (id === undefined) return;
  c.env.isRefused = true;
  c.env.devices.refused({ id, userId }, why);
}

/**
 * Counts the requests of each caller until their handlers have ended, also if the client has left. Devices with keys of their
 * own take no slots of their user: they may all connect at once.
 */
function createSlotsOfCallers(slots: Pick<SlotsByName, 'service' | 'device' | 'devices_of_user'>) {
  return ({ userId, resourceId }: Caller): Release => {
    if (resourceId === undefined) return slots.service.take(userId);
    const release = slots.device.take(resourceId);
    try {
      const releaseAlso = slots.devices_of_user.take(userId);
      return () => {
        release();
        releaseAlso();
      };
    } catch (error) {
      release();
      throw error;
    }
  };
}
