import { mailLimits } from '../../core/limits/part-limits.ts';
import { Problem } from '../../core/problem.ts';
import type { Database } from '../../core/store/database.ts';
import { sql, type Statement } from '../../core/store/statement.ts';
import { lockUser } from '../../core/store/user-locks.ts';
import type { SessionLives } from '../../core/accounts/sessions.store.ts';

/** `language`: of the app when the user entered the address. */
export interface StoredAddress {
  address: string;
  language: string;
  asked_at: string;
  verified_at: string | null;
}

/** Fails a write if the user has another address, or none, since it was looked up. */
type AddressUnchanged = Statement<'address changed'>;

export type Addresses = ReturnType<typeof createAddresses>;

/**
 * The mail addresses of users: of each at most one that is verified, and one that is to replace it once it is verified. Several users may
 * have the same.
 */
export function createAddresses({ db, now }: { db: Database; now: () => Date }) {
  /** Returns both addresses of a user; none of a disabled user. */
  async function find(userName: string) {
    const found = await db.read<StoredAddress>(
      sql`SELECT a.address, a.language, a.asked_at, a.verified_at FROM addresses a
        JOIN "user" u ON u.username = a.user_id AND u.disabled_at IS NULL WHERE a.user_id = ${userName}`,
    );
    return {
      verified: found.find(({ verified_at }) => verified_at !== null),
      unverified: found.find(({ verified_at }) => verified_at === null),
    };
  }

  /** @throws Problem `session.missing` if the session has ended */
  async function write(given: { userName: string; lives: SessionLives; changes: Statement[] }) {
    const { userName, lives, changes } = given;
    const { ok } = await db.write([lockUser(userName), lives, ...changes]);
    if (!ok) throw new Problem('session.missing');
  }

  return {
    find,

    /** The address to which mails about the user may be sent. */
    findVerified: async (userName: string): Promise<StoredAddress | undefined> => (await find(userName)).verified,

    /** The users who have verified an address, in any letter case: as many as one mail has links. */
    findUsers: (address: string): Promise<({ user_id: string } & StoredAddress)[]> =>
      db.read(
        sql`SELECT a.user_id, a.address, a.language, a.asked_at, a.verified_at FROM addresses a
          JOIN "user" u ON u.username = a.user_id AND u.disabled_at IS NULL
          WHERE lower(a.address) = ${address.toLowerCase()} AND a.verified_at IS NOT NULL
          ORDER BY a.user_id LIMIT ${mailLimits.ofMail}`,
      ),

    unchanged: ({ userName, address, verified_at }: { userName: string } & StoredAddress): AddressUnchanged => ({
      ...sql`SELECT 1 FROM addresses WHERE user_id = ${userName} AND address = ${address} AND verified_at = ${verified_at}`,
      orFail: 'address changed',
    }),

    /** Stores a new address. The one before stays in use until the new one is verified. */
    async addUnverified(given: {
      userName: string;
      address: string;
      language: string;
      lives: SessionLives;
    }): Promise<StoredAddress> {
      const { userName, address, language, lives } = given;
      const asked_at = now().toISOString();
      const changes = [
        sql`DELETE FROM addresses WHERE user_id = ${userName} AND verified_at IS NULL`,
        // It may have been verified meanwhile.
        sql`INSERT INTO addresses (user_id, address, language, asked_at)
          VALUES (${userName}, ${address}, ${language}, ${asked_at}) ON CONFLICT DO NOTHING`,
      ];
      await write({ userName, lives, changes });
      return { address, language, asked_at, verified_at: null };
    },

    remove: ({ userName, lives }: { userName: string; lives: SessionLives }): Promise<void> =>
      write({ userName, lives, changes: [sql`DELETE FROM addresses WHERE user_id = ${userName}`] }),

    /** It replaces the one before. Returns false if it was verified already, or if the user has added another one since. */
    async verify({ userName, address, asked_at }: { userName: string } & StoredAddress): Promise<boolean> {
      const { ok } = await db.write([
        lockUser(userName),
        {
          ...sql`UPDATE addresses SET verified_at = ${now().toISOString()} WHERE user_id = ${userName}
            AND address = ${address} AND asked_at = ${asked_at} AND verified_at IS NULL`,
          orFail: 'changed',
        },
        sql`DELETE FROM addresses WHERE user_id = ${userName} AND address <> ${address}`,
      ]);
      return ok;
    },
  };
}
