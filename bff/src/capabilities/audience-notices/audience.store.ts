import { dayMs } from '../../core/limits/durations.ts';
import { audienceLimits, noticeMs } from '../../core/limits/part-limits.ts';
import type { Database } from '../../core/store/database.ts';
import { createLease } from '../../core/store/lease.ts';
import type { Statement } from '../../core/store/statement.ts';
import { hasMembers, viewers } from '../../core/store/visibility.ts';
import {
  concernedBy,
  growthForMany,
  isOfReceivers,
  type AudienceChange,
  type Concerned,
  type Viewer,
} from './growth.ts';

/** Rows that one statement changes. */
const rowsAtOnce = 500;

/** The entries about what has grown in a swarm, for these users. */
export type AudienceActivity = (entry: {
  at: string;
  swarmId: string;
  recipients: readonly { user: string; detail: string }[];
}) => Statement;

/** A swarm whose changes are due. `user_id`: its owner. */
interface DueSwarm {
  swarm_id: string;
  user_id: string;
  after_seq: number;
  until_seq: number | null;
  after_user: string | null;
  /** When users were told last that devices of others receive, in ms. */
  receivers_told_at: number;
}

/** One member who joins and leaves again and again must not use up the notices of a swarm. The clock may have been set back. */
const toldOfReceivers = ({ receivers_told_at }: DueSwarm, now: number) =>
  receivers_told_at > now - audienceLimits.receiversMs && receivers_told_at <= now;

/** `holder`: this process. */
export function createAudienceStore(options: {
  db: Database;
  holder: string;
  audienceActivity: AudienceActivity;
  /** The users of one write. */
  users?: number;
}) {
  const { db, holder, audienceActivity, users = audienceLimits.users } = options;
  const lease = createLease({ db, name: 'audience', holder });

  return {
    /** Whether a change waits to be told. */
    async hasWork(): Promise<boolean> {
      const sql = 'SELECT 1 FROM audience_notices WHERE tell_at IS NOT NULL LIMIT 1';
      return (await db.read({ sql })).length > 0;
    },

    takeLease: (now: number) => lease.take(now),

    /** Says when new changes are to be told. The clock may have been set back since the last notice. */
    async schedule(now: number): Promise<void> {
      const sql = `UPDATE audience_notices SET tell_at = greatest(CAST($1 AS bigint) + ${audienceLimits.togetherMs},
          CASE WHEN told_before > $1 THEN 0 ELSE told_before + ${audienceLimits.pairMs} END)
        WHERE swarm_id IN (SELECT swarm_id FROM audience_notices WHERE tell_at = 0 LIMIT ${rowsAtOnce})`;
      await db.write([lease.holds, { sql, params: [now], rows: rowsAtOnce }]);
    },

    /** The next swarm that is due, of the next owner after this one. */
    async nextDue(now: number, afterOwner: string): Promise<DueSwarm | undefined> {
      // No time is later than this, unless the clock was set back.
      const latest = now + audienceLimits.pairMs + audienceLimits.togetherMs;
      const sql = `SELECT swarm_id, user_id, after_seq, until_seq, after_user, receivers_told_at FROM audience_notices
        WHERE tell_at > 0 AND (tell_at <= $1 OR tell_at > $2) AND user_id > $3 ORDER BY user_id, swarm_id LIMIT 1`;
      return (await db.read<DueSwarm>({ sql, params: [now, latest, afterOwner], isLong: true }))[0];
    },

    /** Tells the next owners of devices in a swarm what has grown. Returns false if the lease is lost. */
    async tellSome(due: DueSwarm, now: number): Promise<boolean> {
      const { until, recipients, lastUser } = await readRecipients(db, due, { now, most: users });
      const written = await db.write([
        { ...lease.holds, user: due.user_id, rows: Math.max(1, recipients.length) },
        // What is noted meanwhile is committed before the statements that follow, which see it.
        { sql: 'SELECT 1 FROM audience_notices WHERE swarm_id = $1 FOR UPDATE', params: [due.swarm_id] },
        ...(recipients.length > 0
          ? [audienceActivity({ at: new Date(now).toISOString(), swarmId: due.swarm_id, recipients })]
          : []),
        ...rememberTold(due, recipients),
        lastUser === undefined ? completeNotice(due, { until, now }) : continueAfter(due, { until, lastUser }),
      ]);
      return written.ok || written.failed !== 'lost';
    },

    /** A notice that failed waits, so that others are told. */
    async postpone({ swarm_id }: DueSwarm, now: number): Promise<void> {
      const sql = 'UPDATE audience_notices SET tell_at = CAST($2 AS bigint) WHERE swarm_id = $1';
      await db.write([{ sql, params: [swarm_id, now + noticeMs.retry] }]);
    },

    /** Deletes changes that are too old, a few with each write. */
    async purge(now: number): Promise<void> {
      const before = new Date(now - audienceLimits.days * dayMs).toISOString();
      const sql = `DELETE FROM audience_changes WHERE seq IN
        (SELECT seq FROM audience_changes WHERE at < $1 LIMIT ${rowsAtOnce})`;
      while ((await db.write([{ sql, params: [before], orFail: 'nothing left' }])).ok);
    },
  };
}

/** The changes that are due: at most as many as are kept of a swarm. */
const readChanges = (db: Database, { swarm_id, after_seq, until_seq }: DueSwarm) =>
  db.read<AudienceChange>({
    sql: `SELECT seq, at, kind, user_id, was FROM audience_changes
          WHERE swarm_id = $1 AND seq > $2 AND seq <= coalesce($3, seq) ORDER BY seq`,
    params: [swarm_id, after_seq, until_seq],
    isLong: true,
  });

/** The next users who have devices in the swarm, who see it since then, or whose devices receive or are shown by links. */
const readViewers = (
  db: Database,
  { swarm_id, user_id, after_user }: DueSwarm,
  { since, receivers, shown, most }: Concerned & { most: number },
) =>
  db.read<Viewer>({
    sql: `SELECT viewer.user_id, viewer.since, viewer.consumers, viewer.shown FROM ${viewers}
          WHERE viewer.swarm_id = $1 AND viewer.user_id > $2 AND viewer.user_id <> $3 AND ${hasMembers}
            AND (viewer.since >= $4 ${receivers ? 'OR viewer.consumers > 0' : ''} ${shown ? 'OR viewer.shown > 0' : ''})
          ORDER BY viewer.user_id LIMIT ${most}`,
    params: [swarm_id, after_user ?? '', user_id, since],
    isLong: true,
  });

/** The next users who are told, and what. `lastUser`: the last user who was looked at; undefined if there are no more. */
async function readRecipients(db: Database, due: DueSwarm, { now, most }: { now: number; most: number }) {
  const found = await readChanges(db, due);
  const until = due.until_seq ?? found.at(-1)?.seq ?? due.after_seq;
  const changes = toldOfReceivers(due, now) ? found.filter((change) => !isOfReceivers(change)) : found;
  const concerned = concernedBy(changes);
  const viewersOfSlice = concerned ? await readViewers(db, due, { ...concerned, most }) : [];
  const growthOf = growthForMany(changes);
  const recipients = viewersOfSlice.flatMap((viewer) => {
    const detail = growthOf(viewer);
    return detail === undefined ? [] : [{ user: viewer.user_id, detail }];
  });
  return { until, recipients, lastUser: viewersOfSlice.length < most ? undefined : viewersOfSlice.at(-1)!.user_id };
}

/** All have been told of the changes up to `until`. It was a notice if anybody was. */
const completeNotice = (due: DueSwarm, { until, now }: { until: number; now: number }): Statement<'changed'> => ({
  sql: `UPDATE audience_notices SET after_seq = CAST($3 AS bigint), until_seq = NULL, after_user = NULL,
          tell_at = CASE WHEN EXISTS (SELECT 1 FROM audience_changes c WHERE c.swarm_id = $1 AND c.seq > $3) THEN 0 END,
          told_before = CASE WHEN was_told = 1 THEN told_at ELSE told_before END,
          told_at = CASE WHEN was_told = 1 THEN CAST($4 AS bigint) ELSE told_at END,
          receivers_told_at = CASE WHEN told_receivers = 1 THEN CAST($4 AS bigint) ELSE receivers_told_at END,
          was_told = 0, told_receivers = 0
        WHERE swarm_id = $1 AND after_user IS NOT DISTINCT FROM $2`,
  params: [due.swarm_id, due.after_user, until, now],
  orFail: 'changed',
});

/** The users after this one are told next, of the same changes. */
const continueAfter = (
  due: DueSwarm,
  { until, lastUser }: { until: number; lastUser: string },
): Statement<'changed'> => ({
  sql: `UPDATE audience_notices SET until_seq = CAST($3 AS bigint), after_user = $4
        WHERE swarm_id = $1 AND after_user IS NOT DISTINCT FROM $2`,
  params: [due.swarm_id, due.after_user, until, lastUser],
  orFail: 'changed',
});

/** What these users were told is remembered until all have been told. */
function rememberTold({ swarm_id }: DueSwarm, recipients: readonly { detail: string }[]): Statement[] {
  if (recipients.length === 0) return [];
  const toldReceivers = recipients.some(({ detail }) => detail.split(',').includes('receivers'));
  return [
    {
      sql: `UPDATE audience_notices SET was_told = 1, told_receivers = greatest(told_receivers, CAST($2 AS bigint))
            WHERE swarm_id = $1`,
      params: [swarm_id, toldReceivers ? 1 : 0],
    },
  ];
}
