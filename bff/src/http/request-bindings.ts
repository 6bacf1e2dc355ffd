import type { ServerResponse } from 'node:http';
import type { Context } from 'hono';

/** The bindings of a request to a module, from server.ts. */
export interface RequestBindings {
  requestId?: () => string;
  clientAddress?: () => string;
  outgoing?: ServerResponse;
}

export const bindingsOf = (c: Context): RequestBindings => (c.env as RequestBindings | undefined) ?? {};
