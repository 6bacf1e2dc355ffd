/** Sign-up, sign-in, sessions and passwords. It knows nothing about the records of users. */
import { Hono } from 'hono';
import type { SignInOptions } from '../../contract.ts';
import type { Part } from '../part.ts';
import { Problem } from '../problem.ts';
import type { CheckedBindings } from '../http/request-bindings.ts';
import { operatorActor } from '../limits/field-rules.ts';
import { createAccounts, type AccountsOptions, type MakeWay } from './accounts.ts';
import { foldUserName, requireUsablePassword, requireUserName } from './account-rules.ts';
import { authRoutes } from './auth.routes.ts';
import { confirmRoutes } from './confirm/confirm.routes.ts';
import { createOriginChecks } from './origin-checks.ts';
import { createPasswordChanges } from './password-changes.ts';
import { passwordRoutes } from './password.routes.ts';
import { clearedSessionCookie } from './session-cookie.ts';
import type { SessionLives } from './sessions.store.ts';
import { shownWay } from './shown-way.ts';
import { throwNameTaken } from './users.store.ts';
import type { SignInChanged, Way } from './ways.ts';

export type { SessionLives };

export type SignIn = ReturnType<typeof createSignIn>;

/** Makes what the ways to sign in share, the ways of the capabilities, and the endpoints of all. */
export function createSignIn(
  options: AccountsOptions & {
    /** Those of the capabilities. */
    ways: readonly MakeWay[];
  },
) {
  const { db, signUp, publicUrl, report } = options;
  const accounts = createAccounts(options);
  const { ways, users, sessions, steps, passwords, confirmation, secondFactors } = accounts;
  for (const make of options.ways) ways.push(make(accounts));
  const passwordChanges = createPasswordChanges(accounts);
  const { requireSameOrigin, requireOwnPage } = createOriginChecks({ publicUrl });

  const routesOf = (more: readonly Hono[]) =>
    authRoutes({
      routes: [
        passwordRoutes({ ...accounts, changePassword: passwordChanges.byUser }),
        confirmRoutes({ confirmation, sessions, requireOwnPage }),
        ...ways.flatMap(({ routes = [] }) => routes),
        ...more,
      ],
      offered: Object.assign(
        { sign_up: signUp, passwords, passkeys: false, mail_link: false, providers: [] },
        ...ways.map(({ offered }) => offered),
      ) as SignInOptions,
      sessions,
      signOutUrl: async ({ way }) => firstOf(ways, (each) => each.signOutUrl?.(way)),
      requireSameOrigin,
      report,
    });

  const screens = new Hono();
  for (const way of ways) if (way.screens) screens.route('/', way.screens);

  return {
    /** The endpoints of `/auth`, with those of capabilities. */
    serve(ofCapabilities: readonly Hono[]) {
      const routes = routesOf(ofCapabilities);
      return {
        endpoints: routes.routes,
        handle: async (request: Request, bindings: CheckedBindings): Promise<Response> =>
          routes.fetch(request, bindings),
      };
    },
    requireAttempt: accounts.requireAttempt,
    screens,
    requireOwnPage,
    requireConfirmed: accounts.requireConfirmed,
    secondFactors,
    clearedSessionCookie,
    sessions,
    /** What runs by itself. */
    parts: [
      {
        everyHour: [
          { name: 'sessionsPurge', run: sessions.purge },
          { name: 'stepsPurge', run: steps.purge },
        ],
      },
      ...ways,
    ] satisfies Part[],
    measurePasswords: accounts.passwordHash.measure,
    shownWay: (way: string): string => shownWay(way, ways),

    /** Tells the user of a change outside of the app. */
    async tell(changed: SignInChanged): Promise<void> {
      for (const way of ways) await way.tell?.(changed);
    },
    writeMail: async (mails: Parameters<NonNullable<Way['writeMail']>>[0]) =>
      firstOf(ways, (way) => way.writeMail?.(mails)),

    /** The name as it is stored. @throws Problem `user.not_found` */
    async requireUser(typed: string): Promise<string> {
      const userName = foldUserName(typed);
      if (!(await users.exists(userName))) throw new Problem('user.not_found');
      return userName;
    },

    /** @throws Problem `sign_up.name_invalid`, `sign_up.name_taken`, `password.too_weak`, `password.too_common` */
    async addUser({ userName, password }: { userName: string; password: string }): Promise<void> {
      const name = foldUserName(userName);
      requireUserName(name);
      await requireUsablePassword({ password, pointer: '/password' });
      await db
        .write(await users.creation({ userName: name, password, requestedBy: operatorActor }))
        .catch(throwNameTaken);
    },

    /** A link by which the user chooses a new password; undefined for a user who cannot have one. */
    createLink: (userName: string) => firstOf(ways, (way) => way.createLink?.(userName)),
    /** Takes a lost second factor away. Undefined if no way can. */
    takeFactor: (...given: Parameters<NonNullable<Way['takeFactor']>>) =>
      firstOf(ways, (way) => way.takeFactor?.(...given)),

    changePassword: passwordChanges.byOperator,
  };
}

/** What the first of the ways returns that returns something. */
async function firstOf<T>(
  ways: readonly Way[],
  ask: (way: Way) => Promise<T | undefined> | undefined,
): Promise<T | undefined> {
  for (const way of ways) {
    const found = await ask(way);
    if (found !== undefined) return found;
  }
  return undefined;
}
