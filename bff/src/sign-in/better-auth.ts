import { betterAuth } from 'better-auth';
import { username } from 'better-auth/plugins';
import type { Database } from '../store/database.ts';
import { userNameRule } from '../limits/field-rules.ts';
import { createStoreAdapter } from './better-auth.store.ts';
import type { PasswordHash } from './password-hash.ts';
import { sessionCookieName, sessionIdleMs } from './sessions.store.ts';

export const authPath = '/auth';

export type Auth = ReturnType<typeof createBetterAuth>;

/**
 * Better Auth hashes passwords and creates users and sessions. It gets only the requests that auth.routes.ts makes,
 * after the rate limits there, so its other endpoints cannot be reached.
 */
export function createBetterAuth(options: { db: Database; passwords: PasswordHash; secret: string; origin: string }) {
  const { db, passwords, secret, origin } = options;
  return betterAuth({
    baseURL: origin,
    basePath: authPath,
    secret,
    database: createStoreAdapter(db),
    // The actual rule counts code points (account-rules.ts); these limits are in UTF-16 units.
    emailAndPassword: { enabled: true, minPasswordLength: 8, maxPasswordLength: 256, password: passwords },
    plugins: [
      username({
        displayUsername: false,
        minUsernameLength: 3,
        maxUsernameLength: 32,
        usernameValidator: (name) => userNameRule.test(name),
      }),
    ],
    session: { expiresIn: sessionIdleMs / 1000, disableSessionRefresh: true },
    rateLimit: { enabled: false },
    advanced: {
      // The cookie name has the __Host- prefix; Better Auth would add __Secure- before it.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: true },
      cookies: { session_token: { name: sessionCookieName } },
      ipAddress: { disableIpTracking: true },
      // `requireSameOrigin` has checked the origin.
      disableCSRFCheck: true,
      disableOriginCheck: true,
    },
    // The address is not used, so it is not stored.
    databaseHooks: { session: { create: { before: async (session) => ({ data: { ...session, ipAddress: '' } }) } } },
    // Errors without a response of their own (storage unavailable) are thrown unchanged.
    onAPIError: { throw: true },
    // It logs wrong passwords as errors. Unexpected errors are thrown.
    logger: { disabled: true },
    telemetry: { enabled: false },
  });
}
