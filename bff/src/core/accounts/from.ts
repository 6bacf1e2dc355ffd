import type { Context } from 'hono';
import { bindingsOf, userAgentOf } from '../http/request-bindings.ts';

/** From where a request comes. */
export interface From {
  request: Request;
  userAgent: string;
  requestId: string;
  address: string;
}

/** The address for rate limits. */
export const addressOf = (c: Context): string => bindingsOf(c).clientAddress();

export const fromOf = (c: Context): From => ({
  request: c.req.raw,
  userAgent: userAgentOf(c),
  requestId: bindingsOf(c).requestId(),
  address: addressOf(c),
});
