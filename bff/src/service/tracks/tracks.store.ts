/** Where devices were whose owners keep their tracks. */
import type { Position, TrackPoint } from '../../contract.ts';
import type { FairQueue, Requester } from '../../limits/fair-queue.ts';
import { trackLimits } from '../../limits/field-rules.ts';
import type { Database } from '../../store/database.ts';
import { raw, sql, type Statement } from '../../store/statement.ts';
import { seesDeviceSince } from '../../store/visibility.ts';
import { pointLength, readPoints, startOf, writePoint, writeTime } from './track-points.ts';

const dayMs = 86_400_000;
/** Rows that one statement looks at. */
const purgeSize = 100;
/** Of the text of a row. */
const partLength = 64 * pointLength;
/** So many hold all points of a track if the newest one has a single point. */
const parts = Math.ceil((trackLimits.points * pointLength) / partLength) + 1;
const metresPerDegree = 111_195;

export type Tracks = ReturnType<typeof createTracks>;

/**
 * Appends a position to the device's track, if it is kept. In the write of the position, after it. The newest row is short,
 * because SQLite writes the whole row. A row that is full is followed by another one.
 */
export function appendPoint({ id, at, position }: { id: string; at: Date; position: Position }): Statement[] {
  const ms = at.getTime();
  // Of squares of degrees, on a plane that is exact enough for ten metres.
  const narrowing = Math.cos((position.latitude * Math.PI) / 180) ** 2;
  const far = (trackLimits.metres / metresPerDegree) ** 2;
  const east = raw('(r.longitude - newest.longitude)');
  const north = raw('(r.latitude - newest.latitude)');
  const append = sql`INSERT INTO tracks (ref, part, at, longitude, latitude, points)
    SELECT r.ref, CASE WHEN newest.ref IS NULL THEN 0 WHEN length(newest.points) < ${raw(String(partLength))} THEN newest.part ELSE newest.part + 1 END,
      CAST(${ms} AS bigint), r.longitude, r.latitude, CAST(${writePoint(ms, position)} AS text)
    FROM resources r LEFT JOIN tracks newest ON newest.ref = r.ref
      AND newest.part = (SELECT max(part) FROM tracks WHERE ref = r.ref)
    WHERE r.id = ${id} AND r.keep_track = 1 AND r.longitude IS NOT NULL AND (newest.ref IS NULL
      OR CAST(${ms} AS bigint) >= newest.at + ${raw(String(trackLimits.apart * 1000))}
        AND (${north} * ${north} + ${east} * ${east} * CAST(${narrowing} AS double precision) >= ${raw(String(far))}
          OR (CAST(${ms} AS bigint) >= newest.at + ${raw(String(trackLimits.seconds * 1000))} AND (${north} <> 0 OR ${east} <> 0))))
    ON CONFLICT (ref, part) DO UPDATE SET at = excluded.at, longitude = excluded.longitude, latitude = excluded.latitude,
      points = tracks.points || excluded.points`;
  const ref = sql`(SELECT ref FROM resources WHERE id = ${id})`;
  const trim = sql`DELETE FROM tracks WHERE ref = ${ref}
    AND part = (SELECT max(part) FROM tracks WHERE ref = ${ref}) - ${raw(String(parts))}`;
  return [append, trim];
}

export const deleteTrack = (id: string): Statement =>
  sql`DELETE FROM tracks WHERE ref = (SELECT ref FROM resources WHERE id = ${id})`;

/** Rejects a write that leaves this user with more tracks. The user is locked. */
export const withinTracks = ({
  userId,
  allowed,
}: {
  userId: string;
  allowed: number;
}): Statement<'too many tracks'> => ({
  ...sql`SELECT 1 FROM (SELECT count(*) AS kept FROM resources WHERE user_id = ${userId} AND keep_track = 1) tracked
    WHERE kept <= ${allowed}`,
  orFail: 'too many tracks',
});

export function createTracks({ db, queue, now }: { db: Database; queue: FairQueue; now: () => Date }) {
  const oldest = () => now().getTime() - trackLimits.days * dayMs;

  return {
    /**
     * The points that the user may see, oldest first: a user who does not own the device, those since they share a
     * swarm. Undefined if the user does not see the device any more.
     */
    async read({ id, requester }: { id: string; requester: Requester }): Promise<TrackPoint[] | undefined> {
      const { user: userId } = requester;
      const since = seesDeviceSince({ user: sql`${userId}`, resource: raw('r.id') });
      const query = sql`SELECT CASE WHEN r.user_id = ${userId} THEN r.created_at ELSE ${since} END AS since,
          (SELECT string_agg(points, '' ORDER BY part) FROM tracks WHERE ref = r.ref) AS points
          FROM resources r WHERE r.id = ${id}`;
      // It may look at many members of a swarm.
      const [found] = await queue.run(requester, () =>
        db.read<{ points: string | null; since: string | null }>({ ...query, isLong: true }),
      );
      if (!found || found.since === null) return undefined;
      const points = (found.points ?? '').slice(-trackLimits.points * pointLength);
      return readPoints(points, startOf(points, Math.max(Date.parse(found.since), oldest())));
    },

    /** Deletes points that are too old. */
    async purge(): Promise<void> {
      const first = oldest();
      for (let after = [-1, -1]; ;) {
        const rows = await db.read<{ ref: number; part: number; at: number; points: string | null }>({
          ...sql`SELECT ref, part, at, CASE WHEN points < ${writeTime(first)} THEN points END AS points FROM tracks
            WHERE (ref, part) > (${after[0]!}, ${after[1]!}) ORDER BY ref, part LIMIT ${raw(String(purgeSize))}`,
          isLong: true,
        });
        const last = rows.at(-1);
        if (!last) return;
        const changes = rows.flatMap(({ ref, part, at, points }) => {
          if (points === null) return [];
          // A row that was appended to meanwhile is for the next time.
          const same = sql`ref = ${ref} AND part = ${part} AND at = ${at}`;
          const start = startOf(points, first);
          return start >= points.length
            ? sql`DELETE FROM tracks WHERE ${same}`
            : sql`UPDATE tracks SET points = substr(points, ${start + 1}) WHERE ${same}`;
        });
        if (changes.length > 0) await db.write(changes);
        after = [last.ref, last.part];
      }
    },
  };
}
