import { createHash } from 'node:crypto';
import { Problem } from '../problem.ts';
import type { Database } from '../storage/database.ts';
import type { Statement } from '../storage/statement.ts';
import type { IdempotencyRow } from '../storage/tables.ts';

const keptMs = 24 * 3600 * 1000;
const keyFormat = /^[\x21-\x7e]{1,255}$/;

export type Claim = (answer: string | Statement) => Statement[];

export interface Idempotency {
  /**
   * Answers once for each user and key. `act` puts the statements that claim the key into its own write: both
   * happen or neither. The answer is text, or an SQL expression for what the write itself makes of it.
   * A repeated request gets the stored answer.
   * Throws `idempotency.key_invalid`, `.other_body` (400), `.in_flight` (409).
   */
  once(options: {
    userId: string;
    key: string | undefined;
    /** What must be the same for the answer to be the same: operation and body. */
    request: string;
    act: (claim: Claim) => Promise<string>;
  }): Promise<string>;
  /** Forgets what is older than 24 hours, and the oldest beyond a million. */
  purge(): Promise<void>;
}

export function createIdempotency({
  db,
  now,
  keptAtMost = 1_000_000,
}: {
  db: Database;
  now: () => Date;
  keptAtMost?: number;
}): Idempotency {
  const inFlight = new Set<string>();
  const oldest = () => new Date(now().getTime() - keptMs).toISOString();

  function stored(userId: string, key: string, hash: Uint8Array): string | undefined {
    const sql = 'SELECT body_hash, answer FROM idempotency WHERE user_id = ? AND key = ? AND created_at > ?';
    const row = db.get<IdempotencyRow>(sql, userId, key, oldest());
    if (row && Buffer.compare(row.body_hash, hash) !== 0) throw new Problem('idempotency.other_body');
    return row?.answer;
  }

  return {
    async once({ userId, key, request, act }) {
      if (key === undefined) return act(() => []);
      if (!keyFormat.test(key)) throw new Problem('idempotency.key_invalid');
      const hash = createHash('sha256').update(request).digest();
      const slot = `${userId} ${key}`;
      if (inFlight.has(slot)) throw new Problem('idempotency.in_flight', { headers: { 'retry-after': '1' } });
      const answer = stored(userId, key, hash);
      if (answer !== undefined) return answer;
      inFlight.add(slot);
      try {
        return await act((made) => {
          const { sql, params = [] } = typeof made === 'string' ? { sql: '?', params: [made] } : made;
          return [
            { sql: 'DELETE FROM idempotency WHERE user_id = ? AND key = ?', params: [userId, key] },
            {
              sql: `INSERT INTO idempotency (user_id, key, body_hash, answer, created_at) VALUES (?, ?, ?, (${sql}), ?)`,
              params: [userId, key, hash, ...params, now().toISOString()],
            },
          ];
        });
      } finally {
        inFlight.delete(slot);
      }
    },

    async purge() {
      await db.write([
        { sql: 'DELETE FROM idempotency WHERE created_at <= ?', params: [oldest()] },
        {
          sql: `DELETE FROM idempotency WHERE created_at <
                (SELECT created_at FROM idempotency ORDER BY created_at DESC LIMIT 1 OFFSET ?)`,
          params: [keptAtMost - 1],
        },
      ]);
    },
  };
}
