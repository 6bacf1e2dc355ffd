import type { ServerResponse } from 'node:http';
import type { Context } from 'hono';

/** The bindings of a request to a module: from server.ts, and the last one from the module that accepted the request. */
export interface RequestBindings {
  requestId?: () => string;
  clientAddress?: () => string;
  outgoing?: ServerResponse;
  /** Throws if the session or the key has ended since the request was accepted. */
  recheckAccess?: () => Promise<void> | void;
}

export const bindingsOf = (c: Context): RequestBindings => (c.env as RequestBindings | undefined) ?? {};
