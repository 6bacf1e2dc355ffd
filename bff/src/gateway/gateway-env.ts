import type { RequestBindings } from '../http/request-bindings.ts';
import type { SignIn } from '../sign-in/sign-in.ts';

/** `setCookie`: a header for the response if this request renewed the session. */
export type GatewaySession = NonNullable<Awaited<ReturnType<SignIn['sessions']['check']>>>;

/** The variables of the gateway's handlers. */
export interface GatewayEnv {
  Bindings: RequestBindings & { session: GatewaySession };
}
