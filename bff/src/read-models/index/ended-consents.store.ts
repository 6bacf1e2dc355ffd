/** Memberships and watchers whose time is over. No entry of the feed says so until they are deleted, which may be a little later. */
import type { AsyncReader } from '../../store/database.ts';
import { raw } from '../../store/statement.ts';
import { seesMembers } from '../../store/visibility.ts';
import type { Change } from './viewed-audience.ts';

/** In ms: the clock of the database is looked at as often while something has an end, because it may be set. */
const everyMs = 1000;
/** If more have ended at once, everything is read again: many changes would be one long turn of all indexes. */
const mostAtOnce = 1000;

interface Ended {
  /** The device of a member whose membership has ended. */
  ref: number | null;
  /** A user who sees the swarm no more. */
  user_id: string | null;
  swarm_id: string;
}

/** By the clock of the database, as the queries compare. `clock`: in ms. */
export function createEndedConsents({ read, clock }: { read: AsyncReader['read']; clock: () => number }) {
  /** Ends up to this time are known. Undefined before the first read. */
  let since: string | undefined;
  /** The next time at which something ends. */
  let dueAt = 0;

  async function readNext(now: string) {
    const [row] = await read<{ next: string | null }>({
      sql: `SELECT min(ends_at) AS next FROM (SELECT (SELECT min(ends_at) FROM memberships WHERE ends_at > $1) AS ends_at
              UNION ALL SELECT (SELECT min(ends_at) FROM managers WHERE ends_at > $1)) ends`,
      params: [now],
    });
    const { next } = row!;
    const untilNextMs = next === null ? Infinity : Math.min(Date.parse(next) - Date.parse(now), everyMs);
    // Another end may have been set meanwhile.
    dueAt = Math.min(dueAt, clock() + untilNextMs);
  }

  const readEnded = (after: string, until: string) =>
    read<Ended>({
      sql: `SELECT r.ref, m.swarm_id,
              CASE WHEN NOT ${seesMembers({ user: raw('r.user_id'), swarm: raw('m.swarm_id') }).sql} THEN r.user_id END AS user_id
            FROM memberships m JOIN resources r ON r.id = m.resource_id WHERE m.ends_at > $1 AND m.ends_at <= $2
            UNION ALL SELECT CAST(NULL AS bigint), w.swarm_id, w.user_id FROM managers w WHERE w.ends_at > $1 AND w.ends_at <= $2
            LIMIT ${mostAtOnce + 1}`,
      params: [after, until],
    });

  return {
    /** Another end may have been set. */
    noteChange(): void {
      dueAt = 0;
    },
    /** What has ended since the last call. */
    async take(): Promise<Change[]> {
      if (clock() < dueAt) return [];
      dueAt = Infinity;
      try {
        const [time] = await read<{ now: string }>({ sql: 'SELECT time_now() AS now' });
        const { now } = time!;
        const ended = since === undefined || since >= now ? [] : await readEnded(since, now);
        await readNext(now);
        since = now;
        if (ended.length > mostAtOnce) return [{ everything: true }];
        return ended.flatMap(({ ref, user_id: user, swarm_id: swarm }): Change[] => [
          ...(ref === null ? [] : [{ resource: ref, swarm }]),
          ...(user === null ? [] : [{ user, swarm }]),
        ]);
      } catch (error) {
        dueAt = 0;
        throw error;
      }
    },
  };
}
