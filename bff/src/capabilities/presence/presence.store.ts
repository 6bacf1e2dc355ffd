import { dayMs } from '../../core/limits/durations.ts';
import { noticeMs, presenceRound } from '../../core/limits/part-limits.ts';
import type { Report } from '../../core/problem.ts';
import { expectedEvery } from '../../core/store/expected-every.ts';
import type { PresenceRow } from '../../core/store/presence-row.ts';
import type { Database } from '../../core/store/database.ts';
import { createLease, leaseMs, type Lease } from '../../core/store/lease.ts';
import type { Statement } from '../../core/store/statement.ts';
import { isOpen, silenceRecipients } from '../../core/store/visibility.ts';
import { nextState, type Pause } from './next-state.ts';
import { tellSwarms, type SwarmSilenceActivity } from './swarm-silences.store.ts';

/** The state of a device changes at most this often, so that nobody gets more events of it. */
const leastBetweenMs = 5000;
/** In ms: nobody listened if it was not renewed for a longer time. */
const longestRoundMs = 30_000;
/** In ms: twice the longest time in which a device is expected, and more. */
const pausesKeptMs = 100 * dayMs;
const mostPauses = 1000;

interface DueRow {
  ref: number;
  state: NonNullable<PresenceRow['state']>;
  heard_at: number;
  every: number | null;
}

type SilenceActivity = (entry: {
  kind: 'resource.silent' | 'resource.back';
  at: string;
  userId: string;
  notice: number;
}) => Statement;

/** Stores what phones have said of themselves. It follows a statement that has inserted and locked the rows of these devices. */
const phonesSaid = (said: readonly { id: string; phone: string }[]): Statement => ({
  sql: `UPDATE presence SET phone = json_extract(given.value, '$.phone')
    FROM elements($1) given JOIN resources r ON r.id = json_extract(given.value, '$.id') WHERE presence.ref = r.ref`,
  params: [JSON.stringify(said)],
});

/**
 * `holder`: this process. `silenceActivity`: the entry about the silences of a user with this `notice`. `report` is called if
 * the notices of one user fail.
 */
export function createPresenceStore(options: {
  db: Database;
  holder: string;
  silenceActivity: SilenceActivity;
  swarmSilenceActivity: SwarmSilenceActivity;
  report: Report;
  /** The rows of one statement. */
  rows?: number;
  /** The devices of one notice. */
  devices?: number;
}) {
  const {
    db,
    holder,
    silenceActivity,
    swarmSilenceActivity,
    report,
    rows: atOnce = presenceRound.rows,
    devices,
  } = options;
  const mostTold = devices ?? presenceRound.devices;
  const lease = createLease({ db, name: 'presence', holder });

  /** The user whose swarm was read last: the next one is another user's, if one waits. */
  let lastUser = '';
  /** The device whose state was computed again last: one that is marked again and again waits until all others had a turn. */
  let lastRef = 0;

  const deps: Deps = { db, lease, atOnce };

  return {
    heard: (ids: readonly string[], heardAt: HeardAt) => noteHeard(deps, ids, heardAt),
    takeLease: (now: number) => takeLease(deps, now),

    /**
     * Marks the next members of a swarm whose expected time has changed, of one user after the other: who changes it again and
     * again waits as others do. Returns false if none were left.
     */
    async markExpected(): Promise<boolean> {
      const swarm = (await nextExpected(db, lastUser)) ?? (await nextExpected(db, ''));
      if (!swarm) return false;
      const { id, user_id, expected_after: after } = swarm;
      lastUser = user_id;
      const members = `SELECT resource_id FROM memberships WHERE swarm_id = $1 AND resource_id > $2 ORDER BY resource_id`;
      await db.write([
        // Null if these are the last ones.
        {
          sql: `UPDATE swarms SET expected_after = (${members} LIMIT 1 OFFSET ${atOnce - 1}) WHERE id = $1 AND expected_after = $2`,
          params: [id, after],
          orFail: 'changed',
        },
        {
          sql: `UPDATE presence SET due_at = 0 WHERE due_at IS DISTINCT FROM 0 AND heard_at > 0 AND ref IN
                (SELECT r.ref FROM (${members} LIMIT ${atOnce}) m JOIN resources r ON r.id = m.resource_id)`,
          params: [id, after],
        },
      ]);
      return true;
    },

    /** Changes states whose time has come, at most twice in the interval of a device. Returns false if none were left. */
    async changeDue(now: number): Promise<boolean> {
      const rows = await readDue(deps, {
        condition: 'p.due_at > 0 AND p.due_at <= $1',
        order: 'p.due_at',
        params: [now],
      });
      return rows.length > 0 && (await change(deps, rows, now)) && rows.length === atOnce;
    },

    /**
     * Computes states again that are marked, because a device was heard or is expected at another time: each at most once until
     * all were. Users mark them as often as they like, so they come after those whose time has come. Returns false if none were
     * left.
     */
    async changeMarked(now: number): Promise<boolean> {
      const rows = await readDue(deps, {
        condition: 'p.due_at = 0 AND p.ref > $1',
        order: 'p.ref',
        params: [lastRef],
      });
      const isLast = rows.length < atOnce;
      lastRef = isLast ? 0 : rows.at(-1)!.ref;
      return rows.length > 0 && (await change(deps, rows, now)) && !isLast;
    },

    tellDue: (now: number) => tellOwners({ db, holdsLease: lease.holds, silenceActivity, mostTold, report }, now),
    purge: () => purgeSilences(deps),
    tellSwarms: (now: number) =>
      tellSwarms({ db, holdsLease: lease.holds, swarmSilenceActivity, mostTold, report }, now),
  };
}

interface Deps {
  db: Database;
  lease: Lease;
  /** The rows of one statement. */
  atOnce: number;
}

/** When devices were heard. `phones`: what some of them said. */
interface HeardAt {
  now: number;
  phones: ReadonlyMap<string, string>;
}

/** The devices with these ids were heard. Other processes may write the same rows, so all lock them in one order. */
async function noteHeard({ db, atOnce }: Deps, ids: readonly string[], { now, phones }: HeardAt): Promise<void> {
  for (let from = 0; from < ids.length; from += atOnce) {
    const isOnline = `presence.state = 'online'`;
    const isTooSoon = `abs(excluded.heard_at - presence.changed_at) < ${leastBetweenMs}`;
    const sql = `INSERT INTO presence (ref, heard_at, state, changed_at, due_at)
      SELECT r.ref, $2, 'online', $2, 0 FROM elements($1) given JOIN resources r ON r.id = given.value
      WHERE true ORDER BY r.ref
      ON CONFLICT (ref) DO UPDATE SET heard_at = excluded.heard_at,
        state = CASE WHEN ${isTooSoon} THEN presence.state ELSE 'online' END,
        changed_at = CASE WHEN ${isOnline} OR ${isTooSoon} THEN presence.changed_at ELSE excluded.changed_at END,
        due_at = CASE WHEN ${isOnline} THEN presence.due_at ELSE 0 END`;
    const slice = ids.slice(from, from + atOnce);
    const said =
      phones.size === 0 ? [] : slice.filter((id) => phones.has(id)).map((id) => ({ id, phone: phones.get(id)! }));
    await db.write([{ sql, params: [JSON.stringify(slice), now] }, ...(said.length > 0 ? [phonesSaid(said)] : [])]);
  }
}

/**
 * Whether this process is the one that looks for silent devices. A lease far in the future is of a clock that was set back: what is in
 * the future then would keep devices online, and their states from being due. The time in which nobody had the lease is a pause.
 */
function takeLease({ db, lease, atOnce }: Deps, now: number): Promise<boolean> {
  return lease.take(now, async (stored) => {
    if (stored?.isBack) await forgetFuture(db, { now, atOnce });
    const until = stored?.until ?? 0;
    const renewedAt = until - leaseMs;
    const pause = `INSERT INTO pauses SELECT $1, $2 WHERE EXISTS (SELECT 1 FROM leases WHERE until = $3) ON CONFLICT DO NOTHING`;
    return [
      ...(stored && now - renewedAt > longestRoundMs ? [{ sql: pause, params: [renewedAt, now, until] }] : []),
      { sql: 'DELETE FROM pauses WHERE ended_at < $1 OR ended_at > $2', params: [now - pausesKeptMs, now] },
    ];
  });
}

/** The devices of `condition`, whose states are computed. `order`: which of them come first. */
const readDue = (
  { db, atOnce }: Deps,
  { condition, order, params }: { condition: string; order: string; params: number[] },
) =>
  db.read<DueRow>({
    sql: `SELECT p.ref, p.state, p.heard_at, ${expectedEvery} AS every FROM presence p JOIN resources r ON r.ref = p.ref
          WHERE ${condition} ORDER BY ${order} LIMIT ${atOnce}`,
    params,
    isLong: true,
  });

/** Writes the states that these devices have now, unless one was heard meanwhile. Returns false if the lease is lost. */
async function change({ db, lease }: Deps, rows: readonly DueRow[], now: number): Promise<boolean> {
  const pauses = await db.read<Pause>({
    sql: `SELECT started_at, ended_at FROM (SELECT started_at, ended_at FROM pauses ORDER BY started_at DESC LIMIT ${mostPauses}) newest ORDER BY started_at`,
  });
  const next = rows.map((row) => {
    const { state, dueAt } = nextState({ every: row.every, heardAt: row.heard_at, now, pauses });
    return { ref: row.ref, was: row.state, heard: row.heard_at, state, due: dueAt };
  });
  const given = (name: string) => `json_extract(given.value, '$.${name}')`;
  const number = (name: string) => `CAST(${given(name)} AS bigint)`;
  const list = JSON.stringify(next);
  const { ok } = await db.write([
    lease.holds,
    {
      sql: `SELECT 1 FROM presence WHERE ref IN (SELECT ${number('ref')} FROM elements($1) given) ORDER BY ref FOR UPDATE`,
      params: [list],
    },
    {
      sql: `UPDATE presence SET state = ${given('state')}, due_at = ${number('due')},
              changed_at = CASE WHEN presence.state = ${given('state')} THEN changed_at ELSE $2 END
            FROM elements($1) given WHERE presence.ref = ${number('ref')}
              AND presence.heard_at = ${number('heard')} AND presence.state = ${given('was')}`,
      params: [list, now],
    },
    ...noteSilentMembers(
      next.filter(({ was, state }) => state === 'silent' && was !== 'silent'),
      now,
    ),
  ]);
  return ok;
}

/** Deletes what was noted of a swarm while it was being deleted. */
async function purgeSilences({ db, atOnce }: Deps): Promise<void> {
  const sql = `SELECT swarm_id FROM swarm_silences q
    WHERE NOT EXISTS (SELECT 1 FROM swarms s WHERE s.id = q.swarm_id) LIMIT ${atOnce}`;
  const left = await db.read<{ swarm_id: string }>({ sql, params: [], isLong: true });
  if (left.length === 0) return;
  await db.write([
    {
      sql: 'DELETE FROM swarm_silences WHERE swarm_id IN (SELECT value FROM elements($1))',
      params: [JSON.stringify(left.map(({ swarm_id }) => swarm_id))],
    },
  ]);
}

/**
 * Notes which of these devices are silent since `now`: their swarms are told a minute later, and each at most every ten minutes. One
 * statement for all of them, because a device can be in many swarms. Nothing if nobody wants to know.
 */
function noteSilentMembers(fallen: readonly { ref: number }[], now: number): Statement[] {
  if (fallen.length === 0) return [];
  const sql = `INSERT INTO swarm_silences (swarm_id, since, tell_at)
    WITH owners AS MATERIALIZED (SELECT DISTINCT m.swarm_id, r.user_id FROM elements($1) given
        JOIN presence p ON p.ref = CAST(given.value AS bigint) AND p.state = 'silent' AND p.changed_at = $2
        JOIN resources r ON r.ref = p.ref JOIN memberships m ON m.resource_id = r.id AND ${isOpen('m')})
    SELECT s.id, CAST($2 AS bigint), CAST($2 AS bigint) + ${noticeMs.together} FROM swarms s
    WHERE s.user_id <> '' AND s.id IN (SELECT swarm_id FROM owners WHERE EXISTS
      (SELECT 1 FROM (${silenceRecipients('owners.swarm_id')}) told WHERE told.user_id <> owners.user_id)) ORDER BY s.id
    ON CONFLICT (swarm_id) DO UPDATE SET since = excluded.since,
      tell_at = CASE WHEN swarm_silences.told_at + ${noticeMs.pair} > excluded.tell_at
        THEN swarm_silences.told_at + ${noticeMs.pair} ELSE excluded.tell_at END
      WHERE swarm_silences.tell_at IS NULL`;
  return [{ sql, params: [JSON.stringify(fallen.map(({ ref }) => ref)), now], rows: fallen.length }];
}

/** Devices are heard meanwhile, a little later than `now`. */
async function forgetFuture(db: Database, { now, atOnce }: { now: number; atOnce: number }) {
  const next = `SELECT ref FROM presence WHERE heard_at > $2 LIMIT ${atOnce}`;
  const sql = `UPDATE presence SET heard_at = $1, due_at = 0 WHERE ref IN (${next})`;
  while ((await db.write([{ sql, params: [now, now + 2 * leaseMs], orFail: 'none left' }])).ok);
  const told = (
    table: string,
  ) => `UPDATE ${table} SET tell_at = CASE WHEN tell_at > $1 THEN $1 ELSE tell_at END, told_at = $2
    WHERE told_at > $1 OR tell_at > $3`;
  const params = [now, now - noticeMs.pair, now + noticeMs.pair];
  await db.write([
    { sql: told('silences'), params },
    { sql: told('swarm_silences'), params },
  ]);
}

interface Telling {
  db: Database;
  holdsLease: Statement<'lost'>;
  silenceActivity: SilenceActivity;
  /** Devices of one notice. */
  mostTold: number;
}

/**
 * Tells the owners of devices that have fallen silent or are back, first those who have waited longest. The next time of each is
 * a minute later, unless the user has more devices than one notice may have.
 */
async function tellOwners({ report, ...telling }: Telling & { report: Report }, now: number): Promise<void> {
  const { db } = telling;
  const users = await db.read<{ user_id: string }>({
    sql: `SELECT user_id FROM silences WHERE tell_at <= $1 GROUP BY user_id ORDER BY min(tell_at), user_id
          LIMIT ${presenceRound.users}`,
    params: [now],
    isLong: true,
  });
  for (const { user_id: userId } of users) {
    try {
      const { ok } = await tell(telling, userId, now);
      if (!ok) return;
    } catch (error) {
      // If the database is away, this fails too. The others are told without this user.
      const sql = 'UPDATE silences SET tell_at = $2 WHERE user_id = $1 AND tell_at <= $3';
      await db.write([{ sql, params: [userId, now + noticeMs.retry, now] }]);
      report(error);
    }
  }
}

/** Tells a user of the devices that have fallen silent or are back. */
function tell({ db, holdsLease, silenceActivity, mostTold }: Telling, userId: string, now: number) {
  const at = new Date(now).toISOString();
  const [together, before] = [now + noticeMs.together, now - noticeMs.pair];
  const ofUser = (sql: string, ...params: number[]): Statement => ({ sql, params: [userId, ...params] });
  const refsWhere = (condition: string) =>
    `SELECT ref FROM silences WHERE user_id = $1 AND tell_at <= $2 AND ${condition} ORDER BY tell_at, ref LIMIT ${mostTold}`;
  const silent = refsWhere('notice = 0 AND coalesce(told_at, 0) <= $3');
  const back = refsWhere('notice = 1');
  // `notice` is 2 (silent) or 3 (back) for the rows of this write, and never after it: what falls silent meanwhile is told the next time.
  return db.write([
    holdsLease,
    // A device that is being heard waits, or this waits for it: its state is not read in between.
    ofUser(
      `SELECT 1 FROM presence WHERE ref IN (${silent}) OR ref IN (${back}) ORDER BY ref FOR UPDATE`,
      together,
      before,
    ),
    ofUser(`UPDATE silences SET notice = 2 WHERE ref IN (${silent})`, together, before),
    silenceActivity({ kind: 'resource.silent', at, userId, notice: 2 }),
    ofUser(
      `UPDATE silences SET notice = 1, told_at = $2, times = 0, tell_at = (SELECT CASE WHEN p.state <> 'silent'
         THEN CAST($2 AS bigint) END FROM presence p WHERE p.ref = silences.ref) WHERE user_id = $1 AND notice = 2`,
      now,
    ),
    ofUser(`UPDATE silences SET notice = 3 WHERE ref IN (${back})`, together),
    silenceActivity({ kind: 'resource.back', at, userId, notice: 3 }),
    ofUser('UPDATE silences SET notice = 0, times = 0, tell_at = NULL WHERE user_id = $1 AND notice = 3'),
    ofUser(
      `DELETE FROM silences WHERE ref IN (SELECT ref FROM silences
         WHERE user_id = $1 AND notice = 0 AND times = 0 AND told_at <= $2 LIMIT ${mostTold})`,
      before,
    ),
  ]);
}

/** The first swarm of the next user whose members are to be read. */
async function nextExpected(db: Database, afterUser: string) {
  const [swarm] = await db.read<{ id: string; user_id: string; expected_after: string }>({
    sql: `SELECT id, user_id, expected_after FROM swarms WHERE expected_after IS NOT NULL AND user_id > $1
          ORDER BY user_id, id LIMIT 1`,
    params: [afterUser],
  });
  return swarm;
}
