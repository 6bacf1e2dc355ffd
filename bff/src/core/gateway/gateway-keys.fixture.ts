import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createChangeFeed, type ChangeFeed } from '../feed/change-feed.ts';
import type { Database } from '../store/database.ts';
import { openTestDatabase } from '../store/store.fixture.ts';
import { keyKinds } from '../store/key-kinds.ts';

export const secret = 'a secret of the tests, of 32 and more characters';

export interface KeyTable extends AsyncDisposable {
  db: Database;
  feed: ChangeFeed;
  now(): Date;
  /** Moves the clock. */
  wait(milliseconds: number): void;
  /** Adds a user without data. */
  addUser(userName: string): Promise<void>;
  /** Creates a gateway key in the real table, as the service does. */
  mint(userName: string): Promise<{ id: string; key: string }>;
  /** Whether the service accepts this key now. */
  opens(key: string): Promise<boolean>;
  minted: number;
  /** Deletes all users and keys. */
  clear(): Promise<void>;
}

function fail(error: unknown): never {
  throw error;
}

/** A real database, with the functions of the service that the gateway gets. */
export async function createKeyTable(): Promise<KeyTable> {
  const database = await openTestDatabase();
  const { db } = database;
  let time = Date.parse('2026-03-04T12:00:00.000Z');
  const hashOf = (key: string) => createHash('sha256').update(key).digest();
  const table: KeyTable = {
    db,
    feed: await createChangeFeed({ db, report: fail }),
    minted: 0,
    now: () => new Date(time),
    wait: (milliseconds) => void (time += milliseconds),
    async addUser(userName) {
      const at = table.now().toISOString();
      await db.write([
        {
          sql: `INSERT INTO "user" (id, name, email, "emailVerified", "createdAt", "updatedAt", username)
                VALUES ($1, $1, $1, 0, $2, $2, $1)`,
          params: [userName, at],
        },
      ]);
    },
    async clear() {
      table.minted = 0;
      await db.write(['"user"', 'held_keys', 'api_keys'].map((name) => ({ sql: `DELETE FROM ${name}` })));
    },
    async mint(userName) {
      table.minted += 1;
      const id = randomUUID();
      const key = `swb_${randomBytes(18).toString('hex')}`;
      await db.write([
        {
          sql: `INSERT INTO api_keys (id, user_id, kind, name, hash, ends_in, created_at)
                VALUES ($1, $2, '${keyKinds.gateway}', 'gateway', $3, $4, $5)`,
          params: [id, userName, hashOf(key), key.slice(-4), table.now().toISOString()],
        },
      ]);
      return { id, key };
    },
    async opens(key) {
      const row = (
        await db.read<{ expires_at: string | null }>({
          sql: 'SELECT expires_at FROM api_keys WHERE hash = $1',
          params: [hashOf(key)],
        })
      )[0];
      return row !== undefined && (row.expires_at === null || row.expires_at > table.now().toISOString());
    },
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
    },
  };
  return table;
}
