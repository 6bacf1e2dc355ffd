import type { PasswordLink } from '../../contract.ts';
import type { ChangeFeed } from '../../core/feed/change-feed.ts';
import { Problem, type Report } from '../../core/problem.ts';
import type { Database } from '../../core/store/database.ts';
import type { Secrets } from '../../core/store/secret.ts';
import { lockUser } from '../../core/store/user-locks.ts';
import type { BeginSession, Recovered } from '../../core/accounts/begin-session.ts';
import type { From } from '../../core/accounts/from.ts';
import type { Addresses, StoredAddress } from './addresses.store.ts';
import { createLinkCodes } from './link-codes.ts';
import type { SecondStep } from '../../core/accounts/second-step.ts';
import type { Steps } from '../../core/accounts/steps.store.ts';
import type { Users } from '../../core/accounts/users.store.ts';

interface EnteredByLink {
  /** `Set-Cookie` headers. */
  cookies: string[];
  /** The user has an authenticator app, and is asked for a code. */
  isAsked: boolean;
}

export type LinkUses = ReturnType<typeof createLinkUses>;

/**
 * The links of an operator set a password or, on a server without passwords, begin a session. Those that a user gets by mail set a
 * password.
 */
export function createLinkUses({
  secrets,
  feed,
  publicUrl,
  db,
  users,
  addresses,
  steps,
  secondStep,
  beginSession,
  onRecovered,
  report,
  now,
}: {
  secrets: Secrets;
  feed: ChangeFeed;
  publicUrl: string;
  db: Database;
  users: Users;
  addresses: Addresses;
  steps: Steps;
  secondStep: SecondStep;
  beginSession: BeginSession;
  onRecovered: (recovered: Recovered) => Promise<void>;
  report: Report;
  now: () => Date;
}) {
  const codes = createLinkCodes({ purpose: 'password link', secret: secrets[0], feedName: feed.name, now });
  // A link ends with its address, also if that is named again: somebody else may read the mails of the one before.
  const mailedState = (hash: string, { address, verified_at }: StoredAddress) => `${hash} ${address} ${verified_at}`;
  const urlOf = (code: string) =>
    // Browsers do not send the fragment, so that no log has the code.
    `${publicUrl}/sign-in#link=${code}`;

  /** `mailed`: the address to which the link was sent. @throws Problem `password_link.not_found` */
  async function open(code: string) {
    const userName = codes.userOf(code);
    if (!userName) throw new Problem('password_link.not_found');
    // Both for every name, so that the time of an answer says nothing of it.
    const [hash, verified] = await Promise.all([users.passwordHash(userName), addresses.findVerified(userName)]);
    if (hash === undefined) throw new Problem('password_link.not_found');
    const unchanged = users.unchanged({ userName, hash });
    if (codes.isGenuine({ code, state: hash }))
      return { userName, hash, mailed: undefined, preconditions: [unchanged] };
    if (!verified || !codes.isGenuine({ code, state: mailedState(hash, verified) }))
      throw new Problem('password_link.not_found');
    const preconditions = [unchanged, addresses.unchanged({ ...verified, userName })];
    return { userName, hash, mailed: verified.address, preconditions };
  }

  return {
    /** The user of a link to choose a password. @throws Problem `password_link.not_found` */
    openLink: async (code: string): Promise<string> => (await open(code)).userName,

    /** @throws Problem `password_link.not_found` */
    async useLink({ code, newPassword: password }: { code: string; newPassword: string }, from: From): Promise<void> {
      const { userName, mailed, preconditions } = await open(code);
      const isUsed = await users.setPassword({ userName, password, keep: 'none', preconditions });
      if (!isUsed) throw new Problem('password_link.not_found');
      await onRecovered({ ...from, userName, way: mailed ? 'mail' : 'link' }).catch(report);
    },

    /** Signs in by a link, once. @throws Problem `password_link.not_found` */
    async enterByLink(code: string, from: From): Promise<EnteredByLink> {
      const { userName, hash, mailed, preconditions } = await open(code);
      if (mailed) throw new Problem('password_link.not_found');
      const once = [...preconditions, steps.used(codes.stepOf(code))];
      if (await secondStep.isAsked(userName)) {
        const { ok } = await db.write([lockUser(userName), ...once]);
        if (!ok) throw new Problem('password_link.not_found');
        return { cookies: [secondStep.begin({ userName, way: 'link', hash })], isAsked: true };
      }
      const cookies = await beginSession(
        { userName, way: 'link', after: [...secondStep.notAsked(userName), ...once] },
        from,
      );
      if (!cookies) throw new Problem('password_link.not_found');
      return { cookies, isAsked: false };
    },

    /** Returns a link for the operator, by which the user chooses a new password. Undefined if the user cannot have one. */
    async create(userName: string): Promise<PasswordLink | undefined> {
      const hash = await users.passwordHash(userName);
      if (hash === undefined) return undefined;
      const { code, expires_at } = codes.codeOf({ userName, state: hash });
      return { url: urlOf(code), expires_at };
    },

    /** Creates a link that is sent to the user by mail. Undefined if the user cannot have a password. */
    async createMailed({ userName, ...address }: { userName: string } & StoredAddress): Promise<string | undefined> {
      const hash = await users.passwordHash(userName);
      return hash === undefined ? undefined : urlOf(codes.codeOf({ userName, state: mailedState(hash, address) }).code);
    },
  };
}
