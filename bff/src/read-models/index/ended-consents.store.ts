/** Memberships and watchers whose time is over. No entry of the feed says so until they are deleted, which may be a little later. */
import { setImmediate as nextLoopTick } from 'node:timers/promises';
import type { AsyncReader } from '../../core/store/database.ts';
import { raw } from '../../core/store/statement.ts';
import { seesMembers } from '../../core/store/visibility.ts';
import type { Change } from './viewed-audience.ts';

/** In ms: the clock of the database is looked at as often while something has an end, because it may be set. */
const everyMs = 1000;
/** In rows, of one read. All indexes apply them in one turn, and others run between two. */
const mostOfPart = 1000;

interface Ended {
  ends_at: string;
  swarm_id: string;
  /** The device of the member, or the watcher. */
  about: string;
  /** The device of a member whose membership has ended. */
  ref: number | null;
  /** A user who sees the swarm no more. */
  user_id: string | null;
}

/** Memberships and watchers, in the order of their indexes by end. */
const sources = [
  `SELECT m.ends_at, m.swarm_id, m.resource_id AS about, r.ref,
     CASE WHEN NOT ${seesMembers({ user: raw('r.user_id'), swarm: raw('m.swarm_id') }).sql} THEN r.user_id END AS user_id
   FROM memberships m JOIN resources r ON r.id = m.resource_id
   WHERE m.ends_at <= $1 AND (m.ends_at, m.swarm_id, m.resource_id) > ($2, $3, $4)
   ORDER BY m.ends_at, m.swarm_id, m.resource_id LIMIT ${mostOfPart}`,
  `SELECT ends_at, swarm_id, user_id AS about, CAST(NULL AS bigint) AS ref, user_id FROM managers
   WHERE ends_at <= $1 AND (ends_at, swarm_id, user_id) > ($2, $3, $4)
   ORDER BY ends_at, swarm_id, user_id LIMIT ${mostOfPart}`,
];
/** Greater than every id and every name: what ends in the moment itself is not after it. */
const last = '\u{10FFFF}';

type Apply = (changes: readonly Change[]) => void;

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

  /** Passes what has ended after a time, up to another one, to `apply`, in parts. */
  async function applyEnded({ after, until, apply }: { after: string; until: string; apply: Apply }) {
    for (const sql of sources) {
      let key = [after, last, last];
      for (let found = mostOfPart; found === mostOfPart;) {
        const ended = await read<Ended>({ sql, params: [until, ...key] });
        found = ended.length;
        if (found === 0) break;
        apply(ended.flatMap(changesOf));
        const { ends_at, swarm_id, about } = ended.at(-1)!;
        key = [ends_at, swarm_id, about];
        if (found === mostOfPart) await nextLoopTick();
      }
    }
  }

  return {
    /** Another end may have been set. */
    noteChange(): void {
      dueAt = 0;
    },
    /** Passes what has ended since the last call to `apply`. */
    async takeAll(apply: Apply): Promise<void> {
      if (clock() < dueAt) return;
      dueAt = Infinity;
      try {
        const [time] = await read<{ now: string }>({ sql: 'SELECT time_now() AS now' });
        const { now } = time!;
        if (since !== undefined && since < now) await applyEnded({ after: since, until: now, apply });
        await readNext(now);
        since = now;
      } catch (error) {
        dueAt = 0;
        throw error;
      }
    },
  };
}

const changesOf = ({ ref, user_id: user, swarm_id: swarm }: Ended): Change[] => [
  ...(ref === null ? [] : [{ resource: ref, swarm }]),
  ...(user === null ? [] : [{ user, swarm }]),
];
