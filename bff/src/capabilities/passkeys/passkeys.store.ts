import type { Passkey } from './contract.ts';
import type { Database } from '../../core/store/database.ts';
import { sql, type Statement } from '../../core/store/statement.ts';
import { passkeyLimits } from './limits.ts';

/** What a sign-in with a passkey is verified with. */
interface StoredPasskey {
  userName: string;
  /** The random id by which authenticators know the user. It tells nothing about the user. */
  userId: string;
  publicKey: Uint8Array;
  counter: number;
}

interface NewPasskey {
  id: string;
  userName: string;
  name: string;
  publicKey: Uint8Array;
  counter: number;
  transports: readonly string[];
}

/** SQL: whether the user `u` has a passkey. */
export const hasPasskey = sql`EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = u.username)`;

export function createPasskeyStore({ db, now }: { db: Database; now: () => Date }) {
  const ofUser = ({ userName, id }: { userName: string; id: string }) => sql`id = ${id} AND user_id = ${userName}`;

  return {
    /** Oldest first. */
    async list(userName: string): Promise<Passkey[]> {
      return db.read<
        Passkey & Record<string, string | null>
      >(sql`SELECT id, name, created_at, last_used_on AS last_used_at FROM passkeys
        WHERE user_id = ${userName} ORDER BY created_at, id LIMIT ${passkeyLimits.ofUser}`);
    },

    /** For `excludeCredentials`, so that an authenticator does not make a second one of the same user. */
    async ids(userName: string): Promise<{ id: string; transports: string[] }[]> {
      const rows = await db.read<{ id: string; transports: string }>(
        sql`SELECT id, transports FROM passkeys WHERE user_id = ${userName} LIMIT ${passkeyLimits.ofUser}`,
      );
      return rows.map(({ id, transports }) => ({ id, transports: transports === '' ? [] : transports.split(',') }));
    },

    /** The id by which passkeys name a user. */
    async userId(userName: string): Promise<string | undefined> {
      const [user] = await db.read<{ id: string }>(sql`SELECT id FROM "user" WHERE username = ${userName}`);
      return user?.id;
    },

    /** Undefined also for a disabled user. */
    async find(id: string): Promise<StoredPasskey | undefined> {
      const [found] = await db.read<{ user_id: string; id: string; public_key: Uint8Array; counter: number }>(
        sql`SELECT p.user_id, u.id, p.public_key, p.counter FROM passkeys p JOIN "user" u ON u.username = p.user_id
          WHERE p.id = ${id} AND u.disabled_at IS NULL`,
      );
      return (
        found && {
          userName: found.user_id,
          userId: found.id,
          publicKey: found.public_key,
          counter: found.counter,
        }
      );
    },

    /** Notes a use. Fails a write if the passkey was removed since it was found, its user disabled, or a newer answer used. */
    used({ id, userName, counter }: { id: string; userName: string; counter: number }): Statement<'passkey ended'> {
      // Passkeys that are copied between devices have no counter.
      const isNewer = counter === 0 ? sql`counter = 0` : sql`counter < ${counter}`;
      return {
        ...sql`UPDATE passkeys SET counter = ${counter}, last_used_on = ${now().toISOString()}
          WHERE ${ofUser({ userName, id })} AND ${isNewer}
            AND EXISTS (SELECT 1 FROM "user" u WHERE u.username = ${userName} AND u.disabled_at IS NULL)`,
        orFail: 'passkey ended',
      };
    },

    /** Belongs behind a lock of the user, because passkeys are counted. */
    added(added: NewPasskey): Statement<'too many' | 'known'>[] {
      const { id, userName, name, publicKey, counter, transports } = added;
      return [
        {
          ...sql`SELECT 1 WHERE (SELECT count(*) FROM passkeys WHERE user_id = ${userName}) < ${passkeyLimits.ofUser}`,
          orFail: 'too many',
        },
        {
          ...sql`INSERT INTO passkeys (id, user_id, name, public_key, counter, transports, created_at)
            VALUES (${id}, ${userName}, ${name}, ${publicKey}, ${counter}, ${transports.join(',')}, ${now().toISOString()})
            ON CONFLICT (id) DO NOTHING`,
          orFail: 'known',
        },
      ];
    },

    async rename({ name, ...passkey }: { userName: string; id: string; name: string }): Promise<boolean> {
      return (await db.write([{ ...sql`UPDATE passkeys SET name = ${name} WHERE ${ofUser(passkey)}`, orFail: 'none' }]))
        .ok;
    },

    async nameOf(passkey: { userName: string; id: string }): Promise<string | undefined> {
      const [found] = await db.read<{ name: string }>(sql`SELECT name FROM passkeys WHERE ${ofUser(passkey)}`);
      return found?.name;
    },

    removed: (passkey: { userName: string; id: string }): Statement<'no passkey'> => ({
      ...sql`DELETE FROM passkeys WHERE ${ofUser(passkey)}`,
      orFail: 'no passkey',
    }),
  };
}
