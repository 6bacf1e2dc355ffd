import { AsyncLocalStorage } from 'node:async_hooks';
import { betterAuth } from 'better-auth';
import { username } from 'better-auth/plugins';
import type { Report } from '../http/problem.ts';
import type { Database } from '../store/database.ts';
import { createPasswordHash } from './password-hash.ts';
import { sessionSlides } from './session-check.ts';
import { sessionCookieName } from './session-cookie.ts';
import { userNameRule } from './user-name.ts';

export const authPath = '/auth';

export type Auth = ReturnType<typeof createBetterAuth>;

/** Better Auth logs the errors that its answers hide: the last one of the request that is being answered. */
const loggedErrors = new AsyncLocalStorage<{ cause?: Error }>();

/** Better Auth's answer, and the error behind it if it logged one. */
export async function askBetterAuth(
  auth: Auth,
  request: Request,
): Promise<{ answer: Response; cause: Error | undefined }> {
  const logged: { cause?: Error } = {};
  const answer = await loggedErrors.run(logged, () => auth.handler(request));
  return { answer, cause: logged.cause };
}

/**
 * Better Auth hashes passwords and creates users and sessions. It sees only the requests that auth.routes.ts makes
 * for it, after the limits there, so its other endpoints are out of reach.
 */
export function createBetterAuth(options: { db: Database; secret: string; origin: string; report: Report }) {
  const { db, secret, origin, report } = options;
  return betterAuth({
    baseURL: origin,
    basePath: authPath,
    secret,
    database: { db: db.kysely, type: 'sqlite', transaction: true },
    // our own rule counts code points (passwords.store.ts); these bounds are UTF-16 units
    emailAndPassword: { enabled: true, minPasswordLength: 8, maxPasswordLength: 256, password: createPasswordHash() },
    plugins: [
      username({
        displayUsername: false,
        minUsernameLength: 3,
        maxUsernameLength: 32,
        usernameValidator: (name) => userNameRule.test(name),
      }),
    ],
    session: { expiresIn: sessionSlides / 1000, disableSessionRefresh: true },
    rateLimit: { enabled: false },
    advanced: {
      // the __Host- prefix is in the name; Better Auth would put __Secure- in front of it
      useSecureCookies: false,
      defaultCookieAttributes: { secure: true },
      cookies: { session_token: { name: sessionCookieName } },
      ipAddress: { disableIpTracking: true },
      // same-origin.ts has refused what comes from elsewhere
      disableCSRFCheck: true,
      disableOriginCheck: true,
    },
    // nothing shows the address, so it is not kept
    databaseHooks: { session: { create: { before: async (session) => ({ data: { ...session, ipAddress: '' } }) } } },
    // what is not an answer of its own (storage away) comes out as it was thrown
    onAPIError: { throw: true },
    logger: { level: 'error', log: (_level, message, ...facts) => reportUnexpected({ message, facts, report }) },
    telemetry: { enabled: false },
  });
}

/** With a request it becomes the cause of its answer, which is reported; without one it is reported here. */
function reportUnexpected({ message, facts, report }: { message: string; facts: unknown[]; report: Report }) {
  const error = facts.find((fact) => fact instanceof Error) ?? new Error(`Better Auth: ${message}`);
  const request = loggedErrors.getStore();
  if (request) request.cause = error;
  else report(error);
}
