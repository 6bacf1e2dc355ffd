import { serverActor } from '../../core/limits/field-rules.ts';
import { consentLimits, noticeMs } from '../../core/limits/part-limits.ts';
import type { Report } from '../../core/problem.ts';
import type { Database } from '../../core/store/database.ts';
import type { Ending } from '../../core/store/ending.ts';
import { createLease, type Lease } from '../../core/store/lease.ts';
import { StorageError, type Statement } from '../../core/store/statement.ts';
import { incrementVersion } from '../../core/store/swarm-version.ts';

/** The entries about what ends: they come before the deletions of the same write. */
export interface EndActivity {
  endedMembers: (entry: { at: string; swarmId: string; ids: readonly string[] }) => Statement;
  watcher: (entry: {
    kind: 'swarm.watcher_ended' | 'swarm.watcher_expired';
    actor: string;
    at: string;
    swarmId: string;
    userId: string;
  }) => Statement;
  request: (entry: { kind: 'invitation.request_expired'; actor: string; at: string; id: string }) => Statement;
  ending: (entry: { at: string; endings: readonly Ending[] }) => Statement;
}

/** The order of the notices. The key of the last one that was written is stored as a text: it and all before it were told. */
type NoticeKey = Pick<Ending, 'ends_at' | 'kind' | 'swarm_id' | 'about'>;
const textOf = ({ ends_at, kind, swarm_id, about }: NoticeKey) => [ends_at, kind, swarm_id, about].join(' ');
/** The parts of the key. If the text is only a time, everything that ends before it was told. */
function partsOf(text: string): string[] {
  const [end = '', kind = '', swarm = '', about = ''] = text.split(' ');
  return [end, kind, swarm, about];
}

/** Some of those that end between `at` and `until` and had begun by `begunBefore`, after the key `after`. */
const nextEndings = (range: Record<'at' | 'until' | 'begunBefore' | 'after', string>) => ({
  sql: `SELECT * FROM (
          SELECT m.ends_at, 'member.ending' AS kind, m.swarm_id, r.user_id AS about, r.user_id AS user_id, count(*) AS amount,
            CASE WHEN count(*) = 1 THEN min(r.id) END AS resource_id, CASE WHEN count(*) = 1 THEN min(r.name) END AS resource_name
          FROM memberships m JOIN resources r ON r.id = m.resource_id
          WHERE m.ends_at > $1 AND m.ends_at >= $4 AND m.ends_at < $2 AND m.member_since <= $3
          GROUP BY m.ends_at, m.swarm_id, r.user_id
          UNION ALL
          SELECT w.ends_at, 'swarm.watcher_ending', w.swarm_id, w.user_id, s.user_id, CAST(NULL AS bigint),
            CAST(NULL AS text), CAST(NULL AS text)
          FROM managers w JOIN swarms s ON s.id = w.swarm_id
          WHERE w.ends_at > $1 AND w.ends_at >= $4 AND w.ends_at < $2 AND w.agreed_at <= $3) ending
        WHERE (ends_at, kind, swarm_id, about) > ($4, $5, $6, $7)
        ORDER BY ends_at, kind, swarm_id, about LIMIT ${consentLimits.ofRound}`,
  params: [range.at, range.until, range.begunBefore, ...partsOf(range.after)],
  isLong: true,
});

/** SQL: the first end from a time on, of these. */
const firstOf = (...sources: string[]) =>
  `SELECT min(ends_at) AS ends_at FROM (${sources
    .map((source) => `SELECT (SELECT min(ends_at) FROM ${source} AND ends_at >= $1) AS ends_at`)
    .join(' UNION ALL ')}) ends`;
const consents = ['memberships WHERE ends_at IS NOT NULL', 'managers WHERE ends_at IS NOT NULL'];
const selectFirst = {
  /** Selects the first end of what ends. */
  end: firstOf(...consents, `join_requests WHERE ends_at IS NOT NULL AND status = 'new'`),
  /** Selects the first end of what is told an hour before. */
  told: firstOf(...consents),
};

interface Deps {
  db: Database;
  lease: Lease;
  activity: EndActivity;
  /** Until when, in ms, swarms and requests wait whose writes have failed. By their ids. */
  postponed: Map<string, number>;
  report: Report;
}

/** `holder`: this process. */
export function createConsentEndsStore(options: {
  db: Database;
  holder: string;
  activity: EndActivity;
  report: Report;
}) {
  const { db, holder, activity, report } = options;
  const lease = createLease({ db, name: 'consent_ends', holder });
  const deps: Deps = { db, lease, activity, postponed: new Map(), report };
  return {
    firstEnd: async () => readFirst(db, { kind: 'end', from: '' }),
    /** The first end that was not told, or not for everybody. */
    firstUntold: async () => readFirst(db, { kind: 'told', from: partsOf(await readNotifiedUpTo(db))[0]! }),
    takeLease: (now: number) => lease.take(now),
    removeSomeMembers: (at: string) => removeSomeMembers(deps, at),
    removeWatchers: (at: string) => removeWatchers(deps, at),
    withdrawRequests: (at: string) => withdrawRequests(deps, at),
    tell: (when: { at: Date; until: string }) => tell(deps, when),
  };
}

/** The first end from this time on; null if there is none. */
async function readFirst(
  db: Database,
  { kind, from }: { kind: keyof typeof selectFirst; from: string },
): Promise<string | null> {
  const [row] = await db.read<{ ends_at: string | null }>({ sql: selectFirst[kind], params: [from] });
  return row!.ends_at;
}

/** The storage fails, and not this write: everybody waits. */
const isOfAll = (error: unknown) => error instanceof StorageError && (error.kind === 'away' || error.kind === 'full');

/** The result of `write`. If it fails, its swarm or request waits, so that others do not, and the result is undefined. */
async function orPostpone<Result>(
  { postponed, report }: Deps,
  { id, at }: { id: string; at: string },
  write: Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await write;
  } catch (error) {
    if (isOfAll(error) || postponed.size >= consentLimits.ofRound) throw error;
    postponed.set(id, Date.parse(at) + noticeMs.retry);
    report(error);
    return undefined;
  }
}

/** Those that wait, as a list in JSON. The clock may have been set back. */
function waitingAt({ postponed }: Deps, at: string): string {
  const now = Date.parse(at);
  for (const [id, until] of postponed) if (until <= now || until > now + noticeMs.retry) postponed.delete(id);
  return JSON.stringify([...postponed.keys()]);
}

/** Deletes some members that have ended, by the clock of the database. `at`: of the entries. Returns how many were found; undefined if the lease is lost. */
async function removeSomeMembers(deps: Deps, at: string): Promise<number | undefined> {
  const due = await deps.db.read<{ swarm_id: string; resource_id: string; owner: string }>({
    // Those of a swarm that is being deleted are deleted with it.
    sql: `SELECT m.swarm_id, m.resource_id, s.user_id AS owner FROM memberships m JOIN swarms s ON s.id = m.swarm_id
          WHERE m.ends_at <= time_now() AND s.user_id <> '' AND m.swarm_id NOT IN (SELECT value FROM elements($1))
          ORDER BY m.ends_at LIMIT ${consentLimits.ofRound}`,
    params: [waitingAt(deps, at)],
    isLong: true,
  });
  const slices = [...Map.groupBy(due, ({ swarm_id }) => swarm_id)].flatMap(([swarmId, rows]) => {
    const ids = rows.map(({ resource_id }) => resource_id);
    const starts = Array.from(
      { length: Math.ceil(ids.length / consentLimits.atOnce) },
      (_, n) => n * consentLimits.atOnce,
    );
    return starts.map((from) => ({
      swarmId,
      owner: rows[0]!.owner,
      ids: ids.slice(from, from + consentLimits.atOnce),
      at,
    }));
  });
  // Those of several swarms share a commit.
  const removed = await Promise.all(
    slices.map((slice) => orPostpone(deps, { id: slice.swarmId, at }, removeMembers(deps, slice))),
  );
  return removed.includes(false) ? undefined : due.length;
}

/** Deletes these members of a swarm that have ended, as if its owner had removed them. Returns false if the lease is lost. */
async function removeMembers(
  { db, lease, activity }: Deps,
  ended: { swarmId: string; owner: string; ids: readonly string[]; at: string },
): Promise<boolean> {
  const { swarmId, owner, ids, at } = ended;
  const written = await db.write([
    { ...lease.holds, user: owner, rows: ids.length },
    incrementVersion(swarmId),
    activity.endedMembers({ at, swarmId, ids }),
    {
      sql: `DELETE FROM memberships WHERE swarm_id = $1 AND resource_id IN (SELECT value FROM elements($2)) AND ends_at <= time_now()`,
      params: [swarmId, JSON.stringify(ids)],
    },
  ]);
  return written.ok;
}

/** Deletes the watchers that have ended, and the requests that nobody answered in time. */
async function removeWatchers(deps: Deps, at: string): Promise<void> {
  const { db, lease, activity } = deps;
  const due = await db.read<{ swarm_id: string; user_id: string; owner: string; agreed_at: string | null }>({
    sql: `SELECT w.swarm_id, w.user_id, s.user_id AS owner, w.agreed_at FROM managers w JOIN swarms s ON s.id = w.swarm_id
          WHERE w.ends_at <= time_now() AND s.user_id <> '' AND w.swarm_id NOT IN (SELECT value FROM elements($1))
          ORDER BY w.ends_at LIMIT ${consentLimits.ofRound}`,
    params: [waitingAt(deps, at)],
  });
  await Promise.all(
    due.map(({ swarm_id: swarmId, user_id: userId, owner, agreed_at }) => {
      const kind = agreed_at === null ? 'swarm.watcher_expired' : 'swarm.watcher_ended';
      const removing = db.write([
        { ...lease.holds, user: owner },
        { sql: 'SELECT 1 FROM swarms WHERE id = $1 FOR UPDATE', params: [swarmId] },
        {
          sql: `SELECT 1 FROM managers WHERE swarm_id = $1 AND user_id = $2 AND ends_at <= time_now()
                  AND agreed_at IS NOT DISTINCT FROM $3`,
          params: [swarmId, userId, agreed_at],
          orFail: 'changed',
        },
        activity.watcher({ kind, actor: owner, at, swarmId, userId }),
        { sql: 'DELETE FROM managers WHERE swarm_id = $1 AND user_id = $2', params: [swarmId, userId] },
      ]);
      return orPostpone(deps, { id: swarmId, at }, removing);
    }),
  );
}

/** Withdraws the requests to join that nobody answered before their end. */
async function withdrawRequests(deps: Deps, at: string): Promise<void> {
  const { db, lease, activity } = deps;
  const due = await db.read<{ id: string; user_id: string }>({
    sql: `SELECT id, user_id FROM join_requests WHERE status = 'new' AND ends_at <= time_now()
            AND id NOT IN (SELECT value FROM elements($1))
          ORDER BY ends_at LIMIT ${consentLimits.ofRound}`,
    params: [waitingAt(deps, at)],
  });
  await Promise.all(
    due.map(({ id, user_id: actor }) => {
      const withdrawing = db.write([
        { ...lease.holds, user: actor },
        {
          sql: `UPDATE join_requests SET status = 'withdrawn', ended_at = greatest(asked_at, $2)
                WHERE id = $1 AND status = 'new'`,
          params: [id, at],
          orFail: 'not new',
        },
        activity.request({ kind: 'invitation.request_expired', actor, at, id }),
      ]);
      return orPostpone(deps, { id, at }, withdrawing);
    }),
  );
}

/** Tells who may extend some of what ends before this time and was not told. What has just begun needs no notice. */
async function tell(deps: Deps, { at: now, until }: { at: Date; until: string }): Promise<void> {
  const { db } = deps;
  const at = now.toISOString();
  let notifiedUpTo = await readNotifiedUpTo(db);
  const begunBefore = new Date(now.getTime() - consentLimits.begunMs).toISOString();
  const due = await db.read<Ending>(nextEndings({ at, until, begunBefore, after: notifiedUpTo }));
  for (let from = 0; from < due.length; from += consentLimits.atOnce) {
    const endings = due.slice(from, from + consentLimits.atOnce);
    const to = await tellEndings(deps, { endings, at, told: notifiedUpTo });
    if (to === undefined) return;
    notifiedUpTo = to;
  }
  // The clock may have been set back.
  if (due.length < consentLimits.ofRound) await writeNotifiedUpTo(deps, { told: notifiedUpTo, to: until });
}

/** Tells of these in one write; if it fails, of each alone, without those that fail. Returns the key of the last one; undefined if the lease is lost. */
async function tellEndings(
  deps: Deps,
  { endings, at, told }: { endings: readonly Ending[]; at: string; told: string },
): Promise<string | undefined> {
  const to = textOf(endings.at(-1)!);
  try {
    const entries = [deps.activity.ending({ at, endings })];
    return (await writeNotifiedUpTo(deps, { told, to, entries, rows: endings.length })) ? to : undefined;
  } catch (error) {
    if (isOfAll(error)) throw error;
    if (endings.length === 1) {
      deps.report(error);
      return (await writeNotifiedUpTo(deps, { told, to })) ? to : undefined;
    }
  }
  let last: string | undefined = told;
  for (const ending of endings) {
    last = await tellEndings(deps, { endings: [ending], at, told: last });
    if (last === undefined) break;
  }
  return last;
}

/** The key of the last notice that was told. What has since got an end before it is not told. */
async function readNotifiedUpTo(db: Database): Promise<string> {
  const [row] = await db.read<{ told_to: string }>({ sql: 'SELECT told_to FROM end_notices' });
  return row?.told_to ?? '';
}

/** Returns false if the lease is lost, or another process has told. */
async function writeNotifiedUpTo(
  { db, lease }: Deps,
  { told, to, entries = [], rows = 1 }: { told: string; to: string; entries?: Statement[]; rows?: number },
): Promise<boolean> {
  const written = await db.write([
    // The notices of all users have one turn.
    { ...lease.holds, user: serverActor, rows },
    ...entries,
    {
      sql: `INSERT INTO end_notices (id, told_to) VALUES (1, $1)
            ON CONFLICT (id) DO UPDATE SET told_to = excluded.told_to WHERE end_notices.told_to = $2`,
      params: [to, told],
      orFail: 'told',
    },
  ]);
  return written.ok;
}
