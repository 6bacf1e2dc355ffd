/** The bytes of all users' messages, which have one limit. */
import { messageLimits } from '../../limits/field-rules.ts';
import { shareNextRun } from '../../limits/share-next-run.ts';
import { Problem } from '../../problem.ts';
import type { Database } from '../../store/database.ts';
import type { MessageRow } from '../../store/row-types.ts';
import { sizeOf } from './message-json.ts';

/** In ms: how long the sum is used. */
const lastsMs = 5000;

export type TotalBytes = ReturnType<typeof createTotalBytes>;

/** `most`: Infinity for no limit. The sum is read again when it is old; between, what this process has sent is added. */
export function createTotalBytes({ db, most, now }: { db: Pick<Database, 'read'>; most: number; now: () => Date }) {
  let [bytes, readAt] = [0, 0];
  const read = shareNextRun(async () => {
    const [sum] = await db.read<{ bytes: number }>({
      sql: `SELECT CAST(coalesce(sum(amount), 0) AS bigint) AS bytes FROM usage WHERE kind = 'message_bytes'`,
    });
    bytes = sum!.bytes;
    readAt = now().getTime();
  });

  return {
    /** @throws `message.no_space` */
    async requireRoom(): Promise<void> {
      if (most < Infinity && Math.abs(now().getTime() - readAt) > lastsMs) await read();
      if (bytes >= most) throw new Problem('message.no_space');
    },
    note(rows: readonly MessageRow[]): void {
      for (const row of rows) bytes += sizeOf(row) + messageLimits.rowBytes;
    },
    async read(): Promise<number> {
      await read();
      return bytes;
    },
  };
}
