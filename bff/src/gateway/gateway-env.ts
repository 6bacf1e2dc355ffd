import type { ServerResponse } from 'node:http';

export interface GatewaySession {
  userName: string;
  sessionId: string;
  expiresAt: Date;
  /** `Set-Cookie` for the answer, where this request renewed the session. */
  setCookie?: string;
}

/** What the gateway is told of a request. */
export interface GatewayBindings {
  requestId?: () => string;
  clientAddress?: () => string;
  outgoing?: ServerResponse;
}

/** What the gateway's handlers find in their context. */
export interface GatewayEnv {
  Bindings: GatewayBindings & {
    session: GatewaySession;
    /** Throws where the session has ended since. */
    recheckAccess: () => void;
  };
}
