/** What goes to the mail addresses of users: links to verify them and for a lost password, and notices of changes. */
import { Problem, type Report } from '../../core/problem.ts';
import { userNameRule } from '../../core/limits/field-rules.ts';
import type { Rates } from '../../core/limits/limit-tables.ts';
import { requireAllTokens, takeAllTokens } from '../../core/limits/rate.ts';
import { withAsciiDomain } from './ascii-domain.ts';
import type { Addresses, StoredAddress } from './addresses.store.ts';
import { changeMail, isMailed, linkMail, verifyMail, type SignInChange } from './mail-texts.ts';
import type { LinkCodes } from './link-codes.ts';
import type { Mails, NewMail, SignInChanged } from '../../core/accounts/ways.ts';
import type { SessionLives } from '../../core/accounts/sessions.store.ts';

export type AddressMails = ReturnType<typeof createAddressMails>;

/** The mailbox of an address, as many mail servers name it: `Ann+swarm@example.org` is also that of `ann@example.org`. */
const withoutTag = (address: string) => address.toLowerCase().replace(/\+.*(?=@)/, '');

/** A link verifies this address, and no other or later one. */
const stateOf = ({ address, asked_at }: StoredAddress) => `${address} ${asked_at}`;

export function createAddressMails({
  addresses,
  mails,
  codes,
  createLink,
  rates,
  publicUrl,
  record,
  report,
}: {
  addresses: Addresses;
  mails: Mails;
  /** The codes of the links that verify an address. */
  codes: LinkCodes;
  /** A link for a lost password, which ends with this address. Undefined if the user cannot have one. */
  createLink: (recipient: { userName: string } & StoredAddress) => Promise<string | undefined>;
  rates: Pick<Rates, 'mail_links' | 'mail_notices' | 'unverified_mails' | 'unverified_mails_to'>;
  publicUrl: string;
  record: (changed: Omit<SignInChanged, 'userAgent'>) => Promise<void>;
  report: Report;
}) {
  const server = new URL(publicUrl).host;

  async function sendNotice(
    given: { userName: string; change: SignInChange; userAgent: string | undefined } & StoredAddress,
  ) {
    const { userName: user_id, change: kind, userAgent: user_agent = null, address, language } = given;
    if (rates.mail_notices.take(user_id) > 0) return;
    await mails.add([{ user_id, kind, address, language, user_agent }]);
  }

  async function noteRemoved(removed: { userName: string; userAgent: string } & StoredAddress) {
    await sendNotice({ ...removed, change: 'address_removed' }).catch(report);
    await record({ change: 'address_removed', userName: removed.userName });
  }

  /** `typed`: in lower case. */
  async function findTyped(typed: string) {
    if (typed.includes('@')) return addresses.findUsers(withAsciiDomain(typed));
    const verified = userNameRule.test(typed) ? await addresses.findVerified(typed) : undefined;
    return verified ? [{ ...verified, user_id: typed }] : [];
  }

  async function verifyLink(userName: string, to: string): Promise<string | undefined> {
    const { unverified } = await addresses.find(userName);
    if (unverified?.address !== to) return undefined;
    return `${publicUrl}/sign-in#address=${codes.codeOf({ userName, state: stateOf(unverified) }).code}`;
  }

  /** The links of those of the users who have this address and can have a password. */
  async function passwordLinks(userNames: readonly string[], to: string) {
    const links: { user: string; url: string }[] = [];
    for (const userName of userNames) {
      const verified = await addresses.findVerified(userName);
      const url = verified?.address === to ? await createLink({ ...verified, userName }) : undefined;
      if (url !== undefined) links.push({ user: userName, url });
    }
    return links;
  }

  return {
    isAvailable: mails.isAvailable,
    find: addresses.find,

    /**
     * Emails a link that verifies the address. The current address stays valid until then.
     * @throws Problem `mail.off`, `rate.exceeded`, `session.missing`
     */
    async change(given: {
      userName: string;
      address: string;
      language: string;
      /** The address of the client. */
      client: string;
      lives: SessionLives;
    }): Promise<void> {
      const { userName, address } = given;
      if (!mails.isAvailable) throw new Problem('mail.off');
      if ((await addresses.findVerified(userName))?.address === address) return;
      requireAllTokens([
        { rate: rates.mail_links, key: `verify ${userName}` },
        { rate: rates.unverified_mails, key: given.client },
        // Not the links of those who have verified it: strangers could use up what its owner needs.
        { rate: rates.unverified_mails_to, key: withoutTag(address) },
      ]);
      await addresses.addUnverified(given);
      await mails.add([{ user_id: userName, kind: 'verify', address, language: given.language, user_agent: null }]);
    },

    /** @throws Problem `session.missing` */
    async remove(given: { userName: string; userAgent: string; lives: SessionLives }): Promise<void> {
      const { userName, userAgent } = given;
      const before = await addresses.findVerified(userName);
      await addresses.remove(given);
      if (before) await noteRemoved({ ...before, userName, userAgent });
    },

    /** Uses the link of an email, and notifies the address that it replaces. Returns its user. @throws Problem `address_link.not_found` */
    async verify({ code, userAgent }: { code: string; userAgent: string }): Promise<string> {
      const userName = codes.userOf(code);
      const { verified, unverified } = userName === undefined ? {} : await addresses.find(userName);
      const isGenuine = unverified && codes.isGenuine({ code, state: stateOf(unverified) });
      if (!userName || !isGenuine || !(await addresses.verify({ ...unverified, userName })))
        throw new Problem('address_link.not_found');
      if (verified) await noteRemoved({ ...verified, userName, userAgent });
      await record({ change: 'address_added', userName });
      return userName;
    },

    /**
     * Sends a link for a lost password to the verified address of this user, or the links of all users of this address. The response does
     * not wait for this, so it cannot show whether there is one.
     */
    async sendPasswordLink({ typed, language }: { typed: string; language: string | undefined }): Promise<void> {
      const found = await findTyped(typed);
      if (found.length === 0) return;
      // Beyond the rate nothing is sent: nobody learns how often others have asked.
      const keys = new Set([typed, found[0]!.address.toLowerCase()]);
      const turns = [...keys].map((key) => ({ rate: rates.mail_links, key: `link ${key}` }));
      if (takeAllTokens(turns) > 0) return;
      await mails.add(
        found.map(({ user_id, address, ...stored }) => ({
          user_id,
          kind: 'link',
          address,
          language: language ?? stored.language,
          user_agent: null,
        })),
      );
    },

    /** The text of what goes into one mail, which is made when it is sent. Undefined if the address is no longer the user's. */
    async write(waiting: readonly (Omit<NewMail, 'kind'> & { kind: string; at: string })[]) {
      const { user_id: user, kind, address, language } = waiting.at(-1)!;
      if (kind === 'verify') {
        const url = await verifyLink(user, address);
        return url === undefined ? undefined : verifyMail({ language, server, user, url });
      }
      if (kind === 'link') {
        const links = await passwordLinks([...new Set(waiting.map(({ user_id }) => user_id))].toSorted(), address);
        return links.length === 0 ? undefined : linkMail({ language, server, links });
      }
      const changes = waiting.map(({ kind, user_agent, at }) => ({
        change: kind as SignInChange,
        userAgent: user_agent ?? undefined,
        at,
      }));
      return changeMail({ language, server, user, changes });
    },

    /** `userAgent`: undefined if an operator of the server has done it. */
    async notify({ change, ...given }: SignInChanged): Promise<void> {
      if (!mails.isAvailable || !isMailed(change)) return;
      try {
        const found = await addresses.findVerified(given.userName);
        if (found) await sendNotice({ ...found, ...given, change });
      } catch (error) {
        // The change itself has been made.
        report(error);
      }
    },
  };
}
