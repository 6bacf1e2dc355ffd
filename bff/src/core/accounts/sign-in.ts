/** Sign-up, sign-in, sessions and passwords. It knows nothing about the records of users. */
import type { JoinPreview, NewRecoveryCodes } from '../../contract.ts';
import { Problem } from '../problem.ts';
import type { CheckedBindings } from '../http/request-bindings.ts';
import { operatorActor } from '../limits/field-rules.ts';
import { lockUser } from '../store/user-locks.ts';
import { foldUserName, requireUsablePassword, requireUserName } from './account-rules.ts';
import { authRoutes } from './auth.routes.ts';
import { confirmRoutes } from './confirm/confirm.routes.ts';
import { createOriginChecks } from './origin-checks.ts';
import { createDeps, type DepsOptions } from './deps.ts';
import { passkeySignInRoutes } from '../../capabilities/passkeys/passkey-sign-in.routes.ts';
import { passwordRoutes } from './password.routes.ts';
import { singleSignOnRoutes } from '../../capabilities/providers/single-sign-on.routes.ts';
import { recoveryRoutes } from '../../capabilities/recovery/recovery.routes.ts';
import { secondFactorRoutes } from '../../capabilities/authenticator-app/second-factor.routes.ts';
import { clearedSessionCookie } from './session-cookie.ts';
import type { Session, SessionLives } from './sessions.store.ts';
import { throwNameTaken } from './users.store.ts';

export type { SessionLives };

export type SignIn = ReturnType<typeof createSignIn>;

/** Makes the parts (deps.ts), and gives the endpoints of each way those that they name. */
export function createSignIn(
  options: DepsOptions & {
    /** Called after a user has replaced the recovery codes. */
    onCodesReplaced: (replaced: { userName: string; userAgent: string }) => Promise<void>;
    /** What a link to join a swarm shows before sign-in. @throws Problem `link.not_found` */
    previewJoinLink: (code: string) => Promise<JoinPreview>;
  },
) {
  const { db, signUp, publicUrl, report } = options;
  const deps = createDeps(options);
  const { users, sessions, steps, passwords, recoveryCodes, passwordChanges, totp, browsers, loginThrottle } = deps;
  const { secondFactors, passkeys, confirmation, providers, singleSignOn, links, addressMails } = deps;
  const { requireAttempt, requireVisit, requireGuess, begin } = deps;
  const { requireConfirmed } = confirmation;
  const { requireSameOrigin, requireOwnPage } = createOriginChecks({ publicUrl });

  const routes = authRoutes({
    ways: [
      singleSignOnRoutes({ singleSignOn, sessions, requireAttempt, requireVisit }),
      passwordRoutes({
        signUp,
        passwords,
        users,
        recoveryCodes,
        sessions,
        browsers,
        steps,
        totp,
        loginThrottle,
        requireAttempt,
        begin,
        changePassword: passwordChanges.byUser,
      }),
      secondFactorRoutes({ steps, users, totp, recoveryCodes, requireAttempt, requireGuess, begin }),
      confirmRoutes({ confirmation, sessions, requireOwnPage }),
      passkeySignInRoutes({ passkeys, requireAttempt, requireVisit, begin }),
      recoveryRoutes({
        passwords,
        addressMails,
        loginThrottle,
        links,
        recover: passwordChanges.byCode,
        requireAttempt,
        report,
      }),
    ],
    offered: {
      sign_up: signUp,
      passwords,
      passkeys: passkeys.isAvailable,
      mail_link: passwords && addressMails.isAvailable,
      providers: singleSignOn.providers,
    },
    sessions,
    signOutUrl: ({ way }) => providers.signOutUrl(way),
    previewJoinLink: options.previewJoinLink,
    requireAttempt,
    requireSameOrigin,
    report,
  });

  return {
    endpoints: routes.routes,
    handle: async (request: Request, bindings: CheckedBindings): Promise<Response> => routes.fetch(request, bindings),
    requireOwnPage,
    requireConfirmed,
    recoveryCodesLeft: recoveryCodes.left,
    noteStoredCodes: recoveryCodes.noteStored,
    addressMails,
    singleSignOn,
    examineProviders: providers.examine,
    secondFactors,

    /** Returns the new codes. @throws Problem `session.confirm`, or `session.missing` if the session has ended */
    async replaceRecoveryCodes(session: Session, { userAgent }: { userAgent: string }): Promise<NewRecoveryCodes> {
      const { userName } = session;
      const lives = requireConfirmed(session);
      const { made, statements } = recoveryCodes.replacement(userName);
      const { ok } = await db.write([lockUser(userName), lives, ...statements]);
      if (!ok) throw new Problem('session.missing');
      await options.onCodesReplaced({ userName, userAgent }).catch(report);
      return made;
    },

    totp,
    requireGuess,
    clearedSessionCookie,
    sessions,
    purgeSteps: steps.purge,
    passkeys,
    endRolesOfOthers: singleSignOn.endRolesOfOthers,
    measurePasswords: deps.passwordHash.measure,

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

    createLink: links.create,

    changePassword: passwordChanges.byOperator,
  };
}
