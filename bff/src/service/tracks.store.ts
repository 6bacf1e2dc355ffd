/** Where devices were whose owners keep their tracks. */
import type { Position, TrackPoint } from '../contract.ts';
import type { FairQueue, Requester } from '../limits/fair-queue.ts';
import { trackLimits } from '../limits/field-rules.ts';
import type { Database } from '../store/database.ts';
import { raw, sql, type Statement } from '../store/statement.ts';
import { seesDeviceSince } from '../store/visibility.ts';
import { pointLength, readPoints, startOf, writePoint, writeTime } from './track-points.ts';

const dayMs = 86_400_000;
const purgeSize = 100;
const metresPerDegree = 111_195;

export type Tracks = ReturnType<typeof createTracks>;

/** Appends a position to the device's track, if it is kept. In the write of the position, after it. */
export function appendPoint({ id, at, position }: { id: string; at: Date; position: Position }): Statement {
  const ms = at.getTime();
  // Of squares of degrees, on a plane that is exact enough for ten metres.
  const narrowing = Math.cos((position.latitude * Math.PI) / 180) ** 2;
  const far = (trackLimits.metres / metresPerDegree) ** 2;
  const east = raw('(excluded.longitude - tracks.longitude)');
  const north = raw('(excluded.latitude - tracks.latitude)');
  const most = trackLimits.points * pointLength;
  return sql`INSERT INTO tracks (ref, at, longitude, latitude, points)
    SELECT ref, CAST(${ms} AS bigint), longitude, latitude, CAST(${writePoint(ms, position)} AS text)
      FROM resources WHERE id = ${id} AND keep_track = 1 AND longitude IS NOT NULL
    ON CONFLICT (ref) DO UPDATE SET at = excluded.at, longitude = excluded.longitude, latitude = excluded.latitude,
      points = substr(tracks.points || excluded.points, greatest(1, length(tracks.points) + ${raw(String(pointLength + 1 - most))}))
    WHERE excluded.at >= tracks.at + ${raw(String(trackLimits.apart * 1000))}
      AND (${north} * ${north} + ${east} * ${east} * CAST(${narrowing} AS double precision) >= ${raw(String(far))}
        OR (excluded.at >= tracks.at + ${raw(String(trackLimits.seconds * 1000))} AND (${north} <> 0 OR ${east} <> 0)))`;
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
      const query = sql`SELECT t.points, CASE WHEN r.user_id = ${userId} THEN r.created_at ELSE ${since} END AS since
          FROM resources r LEFT JOIN tracks t ON t.ref = r.ref WHERE r.id = ${id}`;
      // It may look at many members of a swarm.
      const [found] = await queue.run(requester, () =>
        db.read<{ points: string | null; since: string | null }>({ ...query, isLong: true }),
      );
      if (!found || found.since === null) return undefined;
      const { points, since: start } = found;
      return points === null ? [] : readPoints(points, startOf(points, Math.max(Date.parse(start), oldest())));
    },

    /** Deletes points that are too old. */
    async purge(): Promise<void> {
      const first = oldest();
      for (let after = -1; ;) {
        const rows = await db.read<{ ref: number; at: number; points: string }>({
          ...sql`SELECT ref, at, points FROM tracks WHERE ref > ${after} AND points < ${writeTime(first)}
            ORDER BY ref LIMIT ${raw(String(purgeSize))}`,
          isLong: true,
        });
        const last = rows.at(-1);
        if (!last) return;
        await db.write(
          rows.map(({ ref, at, points }) => {
            // A track that was appended to meanwhile is for the next time.
            const same = sql`ref = ${ref} AND at = ${at}`;
            const start = startOf(points, first);
            return start >= points.length
              ? sql`DELETE FROM tracks WHERE ${same}`
              : sql`UPDATE tracks SET points = substr(points, ${start + 1}) WHERE ${same}`;
          }),
        );
        after = last.ref;
      }
    },
  };
}
