import type { CheckedBindings } from '../http/request-bindings.ts';
import type { SignIn } from '../accounts/sign-in.ts';

export type GatewaySession = NonNullable<Awaited<ReturnType<SignIn['sessions']['check']>>>;

/** The variables of the gateway's handlers. */
export interface GatewayEnv {
  Bindings: CheckedBindings & { session: GatewaySession };
}
