import type { PasswordLink } from '../contract.ts';
import type { ChangeFeed } from '../change-feed/change-feed.ts';
import { Problem, type Report } from '../problem.ts';
import type { Database } from '../store/database.ts';
import type { Secrets } from '../store/secret.ts';
import { lockUser } from '../store/user-locks.ts';
import type { BeginSession, From } from './begin-session.ts';
import { createPasswordLinks } from './password-links.ts';
import { firstStep } from './second-factor.routes.ts';
import type { Steps } from './steps.store.ts';
import type { Totp } from './totp.store.ts';
import type { Users } from './users.store.ts';

export interface EnteredByLink {
  /** `Set-Cookie` headers. */
  cookies: string[];
  /** The user has an authenticator app, and is asked for a code. */
  isAsked: boolean;
}

/** The links of an operator: they set a password or, on a server without passwords, begin a session. */
export function createLinkUses({
  secrets,
  feed,
  publicUrl,
  db,
  users,
  steps,
  totp,
  beginSession,
  onPasswordChanged,
  report,
  now,
}: {
  secrets: Secrets;
  feed: ChangeFeed;
  publicUrl: string;
  db: Database;
  users: Users;
  steps: Steps;
  totp: Totp;
  beginSession: BeginSession;
  onPasswordChanged: (userName: string, by: 'operator') => Promise<void>;
  report: Report;
  now: () => Date;
}) {
  const links = createPasswordLinks({ secret: secrets[0], feedName: feed.name, now });

  /** @throws Problem `password_link.not_found` */
  async function open(code: string) {
    const userName = links.userOf(code);
    const hash = userName && (await users.passwordHash(userName));
    if (!userName || hash === undefined || !links.isGenuine({ code, hash }))
      throw new Problem('password_link.not_found');
    return { userName, hash, precondition: users.unchanged({ userName, hash }) };
  }

  return {
    openLink: async (code: string): Promise<string> => (await open(code)).userName,

    async useLink({ code, newPassword: password }: { code: string; newPassword: string }): Promise<void> {
      const { userName, precondition } = await open(code);
      const isUsed = await users.setPassword({ userName, password, keep: 'none', precondition });
      if (!isUsed) throw new Problem('password_link.not_found');
      await onPasswordChanged(userName, 'operator').catch(report);
    },

    async enterByLink(code: string, from: From): Promise<EnteredByLink> {
      const { userName, hash, precondition } = await open(code);
      const once = [precondition, steps.used(links.stepOf(code))];
      if (await totp.isOn(userName)) {
        const { ok } = await db.write([lockUser(userName), ...once]);
        if (!ok) throw new Problem('password_link.not_found');
        return { cookies: [firstStep({ steps, userName, way: 'link', hash })], isAsked: true };
      }
      const cookies = await beginSession({ userName, way: 'link', after: [totp.isOff(userName), ...once] }, from);
      if (!cookies) throw new Problem('password_link.not_found');
      return { cookies, isAsked: false };
    },

    /** Returns a link for the operator, by which the user chooses a new password. @throws Problem `user.no_password` */
    async create(userName: string): Promise<PasswordLink> {
      const hash = await users.passwordHash(userName);
      if (hash === undefined) throw new Problem('user.no_password');
      const { code, expires_at } = links.codeOf({ userName, hash });
      // Browsers do not send the fragment, so that no log has the code.
      return { url: `${publicUrl}/sign-in#link=${code}`, expires_at };
    },
  };
}
