import { Problem } from '../problem.ts';
import type { Database } from '../store/database.ts';
import { sql, type Statement } from '../store/statement.ts';
import { lockUser } from '../store/user-locks.ts';
import type { SessionLives } from './sessions.store.ts';

/** `language`: of the app when the user named the address. */
export interface StoredAddress {
  address: string;
  language: string;
  asked_at: string;
  verified_at: string | null;
}

/** Fails a write if the user has another address, or none, since it was looked up. */
type AddressUnchanged = Statement<'address changed'>;

export type Addresses = ReturnType<typeof createAddresses>;

/** The mail addresses of users: one of each at most. Several users may have the same. */
export function createAddresses({ db, now }: { db: Database; now: () => Date }) {
  /** Undefined also for a disabled user. */
  async function find(userName: string): Promise<StoredAddress | undefined> {
    const [found] = await db.read<StoredAddress>(
      sql`SELECT a.address, a.language, a.asked_at, a.verified_at FROM addresses a
        JOIN "user" u ON u.username = a.user_id AND u.disabled_at IS NULL WHERE a.user_id = ${userName}`,
    );
    return found;
  }

  /** @throws Problem `session.missing` if the session has ended */
  async function write({ userName, lives, change }: { userName: string; lives: SessionLives; change: Statement }) {
    const { ok } = await db.write([lockUser(userName), lives, change]);
    if (!ok) throw new Problem('session.missing');
  }

  return {
    find,

    /** One that mails about the user may go to. */
    async findVerified(userName: string): Promise<StoredAddress | undefined> {
      const found = await find(userName);
      return found?.verified_at ? found : undefined;
    },

    unchanged: ({ userName, address }: { userName: string; address: string }): AddressUnchanged => ({
      ...sql`SELECT 1 FROM addresses WHERE user_id = ${userName} AND address = ${address} AND verified_at IS NOT NULL`,
      orFail: 'address changed',
    }),

    /** It does not count before it is verified. */
    async replace(given: {
      userName: string;
      address: string;
      language: string;
      lives: SessionLives;
    }): Promise<StoredAddress> {
      const { userName, address, language, lives } = given;
      const asked_at = now().toISOString();
      const change = sql`INSERT INTO addresses (user_id, address, language, asked_at)
        VALUES (${userName}, ${address}, ${language}, ${asked_at})
        ON CONFLICT (user_id) DO UPDATE SET address = excluded.address, language = excluded.language,
          asked_at = excluded.asked_at, verified_at = NULL`;
      await write({ userName, lives, change });
      return { address, language, asked_at, verified_at: null };
    },

    remove: ({ userName, lives }: { userName: string; lives: SessionLives }): Promise<void> =>
      write({ userName, lives, change: sql`DELETE FROM addresses WHERE user_id = ${userName}` }),

    /** Returns false if it was verified already, or if the user has another one now. */
    async verify({ userName, address, asked_at }: { userName: string } & StoredAddress): Promise<boolean> {
      const { ok } = await db.write([
        lockUser(userName),
        {
          ...sql`UPDATE addresses SET verified_at = ${now().toISOString()} WHERE user_id = ${userName}
            AND address = ${address} AND asked_at = ${asked_at} AND verified_at IS NULL`,
          orFail: 'changed',
        },
      ]);
      return ok;
    },
  };
}
