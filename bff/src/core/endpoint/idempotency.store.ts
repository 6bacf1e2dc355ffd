import { createHash } from 'node:crypto';
import { hourMs } from '../limits/durations.ts';
import { Problem } from '../problem.ts';
import { idempotencyLimits } from '../limits/part-limits.ts';
import type { Database } from '../store/database.ts';
import { sql, type Sql, type Statement, StorageError } from '../store/statement.ts';

const keptMs = idempotencyLimits.hours * hourMs;
const purgedAtOnce = 1000;
const keyFormat = new RegExp(`^[\\x21-\\x7e]{1,${idempotencyLimits.keyLength}}$`);

/** `answer` is only called if the request has a key. */
export type Claim = (answer: () => string | Sql) => Statement[];

/** Calls `act` once for the body `sent`. Returns its text, or the text that is stored already, which the same operation has returned. */
export type Once = <Text extends string>(sent: { text: string }, act: (claim: Claim) => Promise<Text>) => Promise<Text>;

/** Requests without a key are executed each time. */
export const withoutKey: Once = (_sent, act) => act(() => []);

/** What is not in the body of a request that has created a record. */
export interface CreatedRecord {
  id: string;
  at: string;
}

/** What is stored of it. */
export const createdText = ({ id, at }: CreatedRecord) => `${id} ${at}`;

/** `once`, for a record that is created. */
export async function createdOnce(
  once: Once,
  sent: { text: string },
  act: (claim: Claim) => Promise<CreatedRecord>,
): Promise<CreatedRecord> {
  const stored = await once(sent, async (claim) => createdText(await act(claim)));
  const [id = '', at = ''] = stored.split(' ');
  return { id, at };
}

export type Idempotency = ReturnType<typeof createIdempotency>;

export function createIdempotency({
  db,
  now,
  keysOfUser = idempotencyLimits.ofUser,
}: {
  db: Database;
  now: () => Date;
  /** A user's oldest keys beyond that are deleted before 24 hours. Other users keep theirs. */
  keysOfUser?: number;
}) {
  const inFlight = new Set<string>();
  const oldest = () => new Date(now().getTime() - keptMs).toISOString();

  async function stored(userId: string, key: string, hash: Uint8Array): Promise<string | undefined> {
    const select = 'SELECT body_hash, answer FROM idempotency WHERE user_id = $1 AND key = $2 AND created_at > $3';
    const [row] = await db.read<{ body_hash: Uint8Array; answer: string }>({
      sql: select,
      params: [userId, key, oldest()],
    });
    if (row && Buffer.compare(row.body_hash, hash) !== 0) throw new Problem('idempotency.other_body');
    return row?.answer;
  }

  return {
    /**
     * Acts once for each user and key. `act` adds the statements that claim the key to its own write: both are written,
     * or neither. Returns the stored text, which has only what the body does not say, because a user can store 100,000 of
     * them. `act` passes it to the claim, as text or as an SQL expression, and returns it.
     * @throws `idempotency.key_invalid`, `.other_body` (400), `.in_flight` (409)
     */
    async once<Text extends string>(options: {
      userId: string;
      key: string | undefined;
      /** The operation with its path. Equal in a repeated request, as the JSON of the body is. */
      operation: string;
      text: string;
      act: (claim: Claim) => Promise<Text>;
    }): Promise<Text> {
      const { userId, key, operation, text, act } = options;
      if (key === undefined) return await act(() => []);
      if (!keyFormat.test(key)) throw new Problem('idempotency.key_invalid');
      const hash = createHash('sha256')
        .update(`${operation} ${canonical(text)}`)
        .digest();
      const slot = `${userId} ${key}`;
      if (inFlight.has(slot)) throw new Problem('idempotency.in_flight', { headers: { 'retry-after': '1' } });
      // Before the read, so that only one of two concurrent requests acts.
      inFlight.add(slot);
      try {
        const known = await stored(userId, key, hash);
        if (known !== undefined) return known as Text;
        const claim: Claim = (answerOfWrite) => {
          const text = answerOfWrite();
          const answer = typeof text === 'string' ? sql`${text}` : text;
          return [
            // The insert fails if another process has used the key since it was read.
            sql`DELETE FROM idempotency WHERE user_id = ${userId} AND key = ${key} AND created_at <= ${oldest()}`,
            sql`INSERT INTO idempotency (user_id, key, body_hash, answer, created_at)
                VALUES (${userId}, ${key}, ${hash}, (${answer}), ${now().toISOString()})`,
            {
              // As a condition, SQLite would check the amount for each key of the user.
              sql: `DELETE FROM idempotency WHERE user_id = $1 AND key IN (
                      SELECT key FROM idempotency WHERE user_id = $1 ORDER BY created_at
                      LIMIT (SELECT count(*) FROM usage WHERE user_id = $1 AND kind = 'idempotency' AND amount > $2))`,
              params: [userId, keysOfUser],
            },
          ];
        };
        return await act(claim).catch(async (error: unknown) => {
          const isConflict = error instanceof StorageError && error.kind === 'constraint';
          const other = isConflict ? await stored(userId, key, hash) : undefined;
          if (other === undefined) throw error;
          return other as Text;
        });
      } finally {
        inFlight.delete(slot);
      }
    },

    /** Deletes the keys that are older than 24 hours, in chunks: other writes run in between. */
    async purge(): Promise<void> {
      const before = oldest();
      const users = await db.read<{ user_id: string }>({
        sql: `SELECT user_id FROM usage u WHERE kind = 'idempotency'
         AND EXISTS (SELECT 1 FROM idempotency i WHERE i.user_id = u.user_id AND i.created_at <= $1)`,
        params: [before],
        isLong: true,
      });
      const chunk = `DELETE FROM idempotency WHERE user_id = $1 AND key IN (
        SELECT key FROM idempotency WHERE user_id = $1 AND created_at <= $2 LIMIT ${purgedAtOnce})`;
      for (const { user_id } of users) {
        while ((await db.write([{ sql: chunk, params: [user_id, before], orFail: 'nothing left' }])).ok);
      }
    },
  };
}

/** One text for all texts of the same JSON: a client may send the fields of a repeated request in another order. */
function canonical(text: string): string {
  const sorted = (_name: string, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : value;
  return JSON.stringify(JSON.parse(text), sorted);
}
