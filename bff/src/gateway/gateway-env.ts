import type { ServerResponse } from 'node:http';
import type { SignIn } from '../sign-in/sign-in.ts';

/** `setCookie`: a header for the response if this request renewed the session. */
export type GatewaySession = NonNullable<Awaited<ReturnType<SignIn['sessions']['check']>>>;

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
