import type { ServerResponse } from 'node:http';

export interface GatewaySession {
  userName: string;
  sessionId: string;
  expiresAt: Date;
  /** A `Set-Cookie` header for the response if this request renewed the session. */
  setCookie?: string;
}

/** The bindings of a request to the gateway. */
export interface GatewayBindings {
  requestId?: () => string;
  clientAddress?: () => string;
  outgoing?: ServerResponse;
}

/** The variables of the gateway's handlers. */
export interface GatewayEnv {
  Bindings: GatewayBindings & {
    session: GatewaySession;
    /** Throws if the session has ended meanwhile. */
    recheckAccess: () => Promise<void> | void;
  };
}
