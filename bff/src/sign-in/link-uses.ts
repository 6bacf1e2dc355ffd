import type { PasswordLink } from '../contract.ts';
import type { ChangeFeed } from '../change-feed/change-feed.ts';
import { Problem, type Report } from '../problem.ts';
import type { Secrets } from '../store/secret.ts';
import { lockUser } from '../store/user-locks.ts';
import type { SignedIn } from './auth.routes.ts';
import type { Browsers } from './browsers.ts';
import { createPasswordLinks } from './password-links.ts';
import type { Sessions } from './sessions.store.ts';
import type { From } from './single-sign-on.ts';
import type { Steps } from './steps.store.ts';
import type { Users } from './users.store.ts';

/** The links of an operator: they set a password or, on a server without passwords, begin a session. */
export function createLinkUses({
  secrets,
  feed,
  publicUrl,
  users,
  sessions,
  steps,
  browsers,
  onSignedIn,
  onPasswordChanged,
  report,
  now,
}: {
  secrets: Secrets;
  feed: ChangeFeed;
  publicUrl: string;
  users: Users;
  sessions: Sessions;
  steps: Steps;
  browsers: Browsers;
  onSignedIn: (signedIn: SignedIn) => Promise<void>;
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
    return { userName, precondition: users.unchanged({ userName, hash }) };
  }

  return {
    openLink: async (code: string): Promise<string> => (await open(code)).userName,

    async useLink({ code, newPassword: password }: { code: string; newPassword: string }): Promise<void> {
      const { userName, precondition } = await open(code);
      const isUsed = await users.setPassword({ userName, password, keep: 'none', precondition });
      if (!isUsed) throw new Problem('password_link.not_found');
      await onPasswordChanged(userName, 'operator').catch(report);
    },

    async enterByLink(code: string, { request, ...from }: From): Promise<string> {
      const { userName, precondition } = await open(code);
      const after = [lockUser(userName), precondition, steps.used(links.stepOf(code))];
      const setCookie = await sessions.begin({ userName, userAgent: from.userAgent, way: 'link', after });
      if (!setCookie) throw new Problem('password_link.not_found');
      const before = await sessions.check(request);
      if (before) await sessions.end(before);
      const isNewBrowser = browsers.knownTo(request, userName) === undefined;
      await onSignedIn({ userName, way: 'link', isNewBrowser, ...from }).catch(report);
      return setCookie;
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
