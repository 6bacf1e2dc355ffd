/**
 * The bytes of all users' messages, which have one limit. Near it, those who hold most lose their oldest messages, and at it only
 * they are refused: who holds little never pays for what others hold.
 */
import { messageLimits } from '../../core/limits/field-rules.ts';
import { Problem } from '../../core/problem.ts';
import type { Database } from '../../core/store/database.ts';
import type { MessageRow } from '../../core/store/row-types.ts';
import { sizeOf } from './message-json.ts';

/** In ms: how long the sum is used until it is read again. */
const lastsMs = 5000;
/** The fraction of the limit down to which those who hold most are trimmed. */
const trimmedTo = 15 / 16;

/**
 * The sum, and the allowance that each user may have so that all together have at most $1: what the users with most must give up is
 * divided so that they have equally much. If the sum is smaller, the allowance is what the user with most has.
 */
const selectSum = `SELECT CAST(coalesce(max(total), 0) AS bigint) AS bytes,
    CAST(coalesce(max((most - greatest(total - $1, 0)) / rank), 0) AS bigint) AS allowance
  FROM (SELECT sum(amount) OVER () AS total, sum(amount) OVER in_order AS most, row_number() OVER in_order AS rank
    FROM usage WHERE kind = 'message_bytes' AND amount > 0
    WINDOW in_order AS (ORDER BY amount DESC, user_id)) by_user`;

export type TotalBytes = ReturnType<typeof createTotalBytes>;

/**
 * `most`: Infinity for no limit. The sum is read again when it is old; between, what this process has sent is added. `trimTo`: deletes
 * the oldest messages of users who have more than an allowance.
 */
export function createTotalBytes(options: {
  db: Pick<Database, 'read'>;
  most: number;
  now: () => Date;
  trimTo: (allowance: number) => void;
}) {
  const { db, most, now, trimTo } = options;
  let [bytes, allowance, readAt, wasFull] = [0, 0, 0, false];
  let reading: Promise<void> | undefined;
  /**
   * Reads the sum. All who find it old wait for one read: if some waited for the next one, a message could overtake an earlier one of
   * its sender.
   */
  const read = () => (reading ??= readSum().finally(() => (reading = undefined)));

  async function readSum(): Promise<void> {
    const kept = Math.floor(trimmedTo * most);
    const [sum] = await db.read<{ bytes: number; allowance: number }>({ sql: selectSum, params: [kept], isLong: true });
    ({ bytes, allowance } = sum!);
    readAt = now().getTime();
    wasFull = bytes >= most;
    if (bytes > kept) trimTo(allowance);
  }

  const isOld = () => Math.abs(now().getTime() - readAt) > lastsMs || (bytes >= most && !wasFull);

  async function usageOf(userId: string): Promise<number> {
    const sql = `SELECT amount FROM usage WHERE user_id = $1 AND kind = 'message_bytes'`;
    const [usage] = await db.read<{ amount: number }>({ sql, params: [userId] });
    return usage?.amount ?? 0;
  }

  return {
    /** @throws `message.no_space` if all users have as much as they may, and this one has a full allowance */
    async requireRoom(userId: string): Promise<void> {
      if (most === Infinity) return;
      if (isOld()) await read();
      if (bytes >= most && (await usageOf(userId)) >= allowance) throw new Problem('message.no_space');
    },
    add(rows: readonly MessageRow[]): void {
      for (const row of rows) bytes += sizeOf(row) + messageLimits.rowBytes;
    },
    async read(): Promise<number> {
      await read();
      return bytes;
    },
  };
}
