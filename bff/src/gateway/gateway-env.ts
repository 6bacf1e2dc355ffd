export interface GatewaySession {
  userName: string;
  sessionId: string;
  expiresAt: Date;
  /** `Set-Cookie` for the answer, where this request renewed the session. */
  setCookie?: string;
}

/** What the gateway's handlers find in their context. */
export interface GatewayEnv {
  Bindings: object;
  Variables: { session: GatewaySession };
}
