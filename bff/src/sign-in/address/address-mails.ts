/** What goes to the mail addresses of users: links to verify them and for a lost password, and notices of changes. */
import { Problem, type Report } from '../../problem.ts';
import { userNameRule } from '../../limits/field-rules.ts';
import type { Rates } from '../../limits/limit-tables.ts';
import { requireAllTokens, takeAllTokens } from '../../limits/rate.ts';
import type { Addresses, StoredAddress } from './addresses.store.ts';
import { changeMail, linkMail, type SignInChange } from './mail-texts.ts';
import type { LinkCodes } from './link-codes.ts';
import type { SessionLives } from '../sessions.store.ts';

/** The queue of mails. */
export interface Mails {
  isAvailable: boolean;
  /** Returns at once. */
  send(mail: { to: string; subject: string; text: string; user: string; isVerified: boolean }): void;
}

export type AddressMails = ReturnType<typeof createAddressMails>;

/** A link verifies this address, and no other or later one. */
const stateOf = ({ address, asked_at }: StoredAddress) => `${address} ${asked_at}`;

export function createAddressMails({
  addresses,
  mails,
  codes,
  createLink,
  rates,
  publicUrl,
  now,
  onAddressChanged,
  report,
}: {
  addresses: Addresses;
  mails: Mails;
  /** The codes of the links that verify an address. */
  codes: LinkCodes;
  /** A link for a lost password, which ends with this address. Undefined if the user cannot have one. */
  createLink: (recipient: { userName: string } & StoredAddress) => Promise<string | undefined>;
  rates: Pick<Rates, 'mail_links' | 'mail_notices' | 'unverified_mails'>;
  publicUrl: string;
  now: () => Date;
  onAddressChanged: (changed: { userName: string; isAdded: boolean }) => Promise<void>;
  report: Report;
}) {
  const server = new URL(publicUrl).host;

  function sendNotice(
    given: { userName: string; change: SignInChange; userAgent: string | undefined } & StoredAddress,
  ) {
    const { userName: user, address: to } = given;
    if (rates.mail_notices.take(user) > 0) return;
    mails.send({ ...changeMail({ ...given, user, to, server, at: now() }), user, isVerified: true });
  }

  async function noteRemoved(removed: { userName: string; userAgent: string } & StoredAddress) {
    sendNotice({ ...removed, change: 'address_removed' });
    await onAddressChanged({ userName: removed.userName, isAdded: false }).catch(report);
  }

  function sendLink(given: { kind: 'verify' | 'link'; userName: string; url: string } & StoredAddress) {
    const { userName: user, address: to, kind } = given;
    mails.send({ ...linkMail({ ...given, user, to, server }), user, isVerified: kind === 'link' });
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
      /** The address of the client. Not that of the mail: strangers could use up what its owner needs. */
      client: string;
      lives: SessionLives;
    }): Promise<void> {
      const { userName, address } = given;
      if (!mails.isAvailable) throw new Problem('mail.off');
      if ((await addresses.findVerified(userName))?.address === address) return;
      requireAllTokens([
        { rate: rates.mail_links, key: `verify ${userName}` },
        { rate: rates.unverified_mails, key: given.client },
      ]);
      const added = await addresses.addUnverified(given);
      const { code } = codes.codeOf({ userName, state: stateOf(added) });
      const url = `${publicUrl}/sign-in#address=${code}`;
      sendLink({ ...added, kind: 'verify', userName, url });
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
      await onAddressChanged({ userName, isAdded: true }).catch(report);
      return userName;
    },

    /** Sends a link for a lost password to a user with a verified address. The response does not wait for this, so it cannot show whether the user exists. */
    async sendPasswordLink(userName: string): Promise<void> {
      const found = userNameRule.test(userName) ? await addresses.findVerified(userName) : undefined;
      const url = found && (await createLink({ ...found, userName }));
      if (url === undefined) return;
      // Beyond the rate nothing is sent: nobody learns how often others have asked.
      const keys = [userName, found!.address.toLowerCase()];
      const turns = keys.map((key) => ({ rate: rates.mail_links, key: `link ${key}` }));
      if (takeAllTokens(turns) === 0) sendLink({ ...found!, kind: 'link', userName, url });
    },

    /** `userAgent`: undefined if an operator of the server has done it. */
    async notify(given: { userName: string; change: SignInChange; userAgent: string | undefined }): Promise<void> {
      if (!mails.isAvailable) return;
      try {
        const found = await addresses.findVerified(given.userName);
        if (found) sendNotice({ ...found, ...given });
      } catch (error) {
        // The change itself has been made.
        report(error);
      }
    },
  };
}
