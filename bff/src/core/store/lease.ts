/** What one process at a time does: it holds a lease, and renews it with each round. */
import type { Database } from './database.ts';
import type { Statement } from './statement.ts';

/** In ms. */
export const leaseMs = 20_000;

interface StoredLease {
  holder: string;
  until: number;
  /** It is far in the future: of a clock that was set back. */
  isBack: boolean;
}

export function createLease({ db, name, holder }: { db: Database; name: string; holder: string }) {
  return {
    /** The first statement of each write: a process that was paused writes nothing more after another one has taken over. */
    holds: {
      sql: 'SELECT 1 FROM leases WHERE name = $1 AND holder = $2 FOR UPDATE',
      params: [name, holder],
      orFail: 'lost',
    } satisfies Statement<'lost'>,

    /**
     * Whether this process has the lease from now on. `before` is called if nobody else holds it, with the one that was stored, and
     * returns statements for the same write.
     */
    async take(
      now: number,
      before: (stored: StoredLease | undefined) => Promise<Statement[]> = async () => [],
    ): Promise<boolean> {
      const [lease] = await db.read<Omit<StoredLease, 'isBack'>>({
        sql: 'SELECT holder, until FROM leases WHERE name = $1',
        params: [name],
      });
      const isBack = lease !== undefined && lease.until > now + 2 * leaseMs;
      if (lease && lease.holder !== holder && lease.until > now && !isBack) return false;
      const statements = await before(lease && { ...lease, isBack });
      const written = await db.write([
        ...statements,
        {
          sql: `INSERT INTO leases (name, holder, until) VALUES ($1, $2, $3)
                ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
                WHERE leases.until = $4 RETURNING holder`,
          params: [name, holder, now + leaseMs, lease?.until ?? 0],
          isResult: true,
        },
      ]);
      // The write has no expectation, which would undo the writes of others in the same commit.
      return written.ok && written.rows.length > 0;
    },
  };
}

export type Lease = ReturnType<typeof createLease>;
