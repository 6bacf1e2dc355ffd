/** Memberships and watchers whose time is over. No entry of the feed says so until they are deleted, which may be a little later. */
import type { AsyncReader } from '../store/database.ts';
import { raw } from '../store/statement.ts';
import { seesMembers } from '../store/visibility.ts';
import type { Change } from './viewed-audience.ts';

type Ended = { ref: number | null; user_id: string | null; swarm_id: string };

export function createEndedConsents(reader: Pick<AsyncReader, 'read'>) {
  /** By the clock of the database. Undefined until the first call: nothing was read before. */
  let since: string | undefined;
  /** In ms: the next end after that. */
  let next = Infinity;
  let isStale = true;

  async function readNext() {
    isStale = false;
    const [row] = await reader.read<{ now: string; next: string | null }>({
      sql: `SELECT time_now() AS now, (SELECT min(ends_at) FROM (
              SELECT (SELECT min(ends_at) FROM memberships WHERE ends_at > coalesce($1, time_now())) AS ends_at
              UNION ALL SELECT (SELECT min(ends_at) FROM managers WHERE ends_at > coalesce($1, time_now()))) ends) AS next`,
      params: [since ?? null],
    });
    since ??= row!.now;
    next = row!.next === null ? Infinity : Date.parse(row!.next);
  }

  return {
    /** Another end may have been set. */
    noteChange(): void {
      isStale = true;
    },
    /** What has ended since the last call. */
    async take(): Promise<Change[]> {
      if (isStale) await readNext();
      if (next > Date.now()) return [];
      const [time] = await reader.read<{ now: string }>({ sql: 'SELECT time_now() AS now' });
      const ended = await reader.read<Ended>({
        // Members, and the users who see the swarm no more.
        sql: `SELECT r.ref, CASE WHEN NOT ${seesMembers({ user: raw('r.user_id'), swarm: raw('m.swarm_id') }).sql} THEN r.user_id END AS user_id, m.swarm_id
              FROM memberships m JOIN resources r ON r.id = m.resource_id WHERE m.ends_at > $1 AND m.ends_at <= $2
              UNION ALL SELECT NULL, w.user_id, w.swarm_id FROM managers w WHERE w.ends_at > $1 AND w.ends_at <= $2`,
        params: [since!, time!.now],
      });
      since = time!.now;
      isStale = true;
      return ended.flatMap(({ ref, user_id: user, swarm_id: swarm }): Change[] => [
        ...(ref === null ? [] : [{ resource: ref, swarm }]),
        ...(user === null ? [] : [{ user, swarm }]),
      ]);
    },
  };
}
