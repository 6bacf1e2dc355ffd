/** Where devices were whose owners keep their tracks. */
import type { Position, TrackPoint } from '../../contract.ts';
import { dayMs } from '../../core/limits/durations.ts';
import type { FairQueue, Requester } from '../../core/limits/fair-queue.ts';
import { trackLimits } from './limits.ts';
import { countRetries } from '../../core/limits/retries.ts';
import type { Database } from '../../core/store/database.ts';
import { raw, sql, type Sql, type Statement } from '../../core/store/statement.ts';
import { seesDeviceSince } from '../../core/store/visibility.ts';
import {
  pointLength,
  readPoints,
  roundedPosition,
  startOf,
  timeLength,
  writePoint,
  writeTime,
} from './track-points.ts';

/** Rows that one statement looks at. */
const purgeSize = 100;
/** The longest text of a row. */
const partLength = 64 * pointLength;
const fullLength = trackLimits.points * pointLength;
/** So many hold all points of a track if the newest one has a single point. */
const parts = Math.ceil(fullLength / partLength) + 1;
const metresPerDegree = 111_195;

export type Tracks = ReturnType<typeof createTracks>;

/** A position at a time, as it is sent and stored. */
interface TimedPosition {
  id: string;
  at: string;
  position: Position;
}

/** In squares of degrees of latitude: when a point is far from another one. `narrowing`: of a square of degrees of longitude. */
function metricAt(latitude: number) {
  // On a plane, which is exact enough for ten metres.
  return {
    narrowing: Math.cos((latitude * Math.PI) / 180) ** 2,
    far: (trackLimits.metres / metresPerDegree) ** 2,
  };
}

/**
 * Begins the track of a device with the position that is there when its owner switches it on. In the write that does so.
 */
export function beginTrack(options: { id: string; at: string; position: Position | null | undefined }): Statement[] {
  const { id, at, position } = options;
  if (!position) return [];
  const ms = Date.parse(at);
  const { longitude, latitude } = roundedPosition(position);
  return [
    sql`INSERT INTO tracks (ref, part, at, longitude, latitude, points)
      SELECT ref, 0, CAST(${ms} AS bigint), CAST(${longitude} AS double precision), CAST(${latitude} AS double precision),
        CAST(${writePoint(ms, position)} AS text)
      FROM resources WHERE id = ${id} ON CONFLICT DO NOTHING`,
  ];
}

/**
 * Appends a position to the device's track, if it is kept since before this time. In a write that has locked the device. The
 * newest row is short, because SQLite writes the whole row. A row that is full is followed by another one.
 */
export function appendPoint({ id, at, position }: TimedPosition): Statement[] {
  const ms = Date.parse(at);
  const { longitude, latitude } = roundedPosition(position);
  const { narrowing, far } = metricAt(latitude);
  const east = raw('(r.longitude - newest.longitude)');
  const north = raw('(r.latitude - newest.latitude)');
  const append = sql`INSERT INTO tracks (ref, part, at, longitude, latitude, points)
    SELECT r.ref, CASE WHEN newest.ref IS NULL THEN 0 WHEN length(newest.points) < ${raw(String(partLength))} THEN newest.part ELSE newest.part + 1 END,
      CAST(${ms} AS bigint), r.longitude, r.latitude, CAST(${writePoint(ms, position)} AS text)
    FROM (SELECT ref, CAST(${longitude} AS double precision) AS longitude, CAST(${latitude} AS double precision) AS latitude
        FROM resources WHERE id = ${id} AND keep_track = 1 AND coalesce(track_since, '') <= ${at}) r
      LEFT JOIN tracks newest ON newest.ref = r.ref AND newest.part = (SELECT max(part) FROM tracks WHERE ref = r.ref)
    WHERE newest.ref IS NULL
      OR CAST(${ms} AS bigint) >= newest.at + ${raw(String(trackLimits.apart * 1000))}
        AND (${north} * ${north} + ${east} * ${east} * CAST(${narrowing} AS double precision) >= ${raw(String(far))}
          OR (CAST(${ms} AS bigint) >= newest.at + ${raw(String(trackLimits.seconds * 1000))} AND (${north} <> 0 OR ${east} <> 0)))
    ON CONFLICT (ref, part) DO UPDATE SET at = excluded.at, longitude = excluded.longitude, latitude = excluded.latitude,
      points = tracks.points || excluded.points`;
  const ref = sql`(SELECT ref FROM resources WHERE id = ${id})`;
  const trim = sql`DELETE FROM tracks WHERE ref = ${ref}
    AND part = (SELECT max(part) FROM tracks WHERE ref = ${ref}) - ${raw(String(parts))}`;
  return [append, trim];
}

/** Whether the second one of two positions is a point if the first one is: the same as `appendPoint` says. */
function isApart(before: TrackAt, { at, longitude, latitude }: TrackAt): boolean {
  const { narrowing, far } = metricAt(latitude);
  const [east, north] = [longitude - before.longitude, latitude - before.latitude];
  if (at < before.at + trackLimits.apart * 1000) return false;
  if (north * north + east * east * narrowing >= far) return true;
  return at >= before.at + trackLimits.seconds * 1000 && (north !== 0 || east !== 0);
}

/** A point with its time in ms. */
type TrackAt = Position & { at: number };

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
  function pointsSince(stored: string, ms: number): TrackPoint[] {
    const points = stored.slice(-trackLimits.points * pointLength);
    return readPoints(points, startOf(points, Math.max(ms, oldest())));
  }

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
      // Whether the user sees the device may take a look at many members.
      const [found] = await queue.run(requester, () =>
        db.read<{ points: string | null; since: string | null }>({ ...query, isLong: true }),
      );
      if (!found || found.since === null) return undefined;
      return pointsSince(found.points ?? '', Date.parse(found.since));
    },

    /** The points of a device since a time, oldest first. */
    async since({ id, from, requester }: { id: string; from: string; requester: Requester }): Promise<TrackPoint[]> {
      const [found] = await queue.run(requester, () =>
        db.read<{ points: string | null }>({
          ...sql`SELECT string_agg(points, '' ORDER BY part) AS points FROM tracks
            WHERE ref = (SELECT ref FROM resources WHERE id = ${id} AND keep_track = 1)`,
          isLong: true,
        }),
      );
      return pointsSince(found?.points ?? '', Date.parse(from));
    },

    /**
     * Puts a point from before the position of now at its place in the track, if it is kept since before this time, and if the point
     * is apart from those beside it. The oldest points beyond the limit are deleted.
     */
    async insert({ id, userId, at, position }: TimedPosition & { userId: string }): Promise<void> {
      const ms = Date.parse(at);
      if (ms < oldest()) return;
      const locked: Statement<'changed'> = {
        ...sql`SELECT 1 FROM resources WHERE id = ${id} AND user_id = ${userId} AND keep_track = 1 FOR UPDATE`,
        user: userId,
        orFail: 'changed',
      };
      for (const retry = countRetries(); ; retry()) {
        const [track] = await db.read<TrackPlace>(placeOf({ id, userId, ms }));
        if (!track || at < (track.track_since ?? '') || (!track.track_since && writeTime(ms) < track.first_time))
          return;
        if (track.points === null) {
          await db.write([locked, ...appendPoint({ id, at, position })]);
          return;
        }
        const points = withPoint(track, { at: ms, ...roundedPosition(position) });
        if (points === undefined) return;
        const { ref, part, points: before } = track;
        const written = await db.write([
          locked,
          {
            ...sql`UPDATE tracks SET points = ${points} WHERE ref = ${ref} AND part = ${part} AND points = ${before}`,
            orFail: 'changed',
          },
          sql`DELETE FROM tracks WHERE ref = ${ref} AND CAST(${fullLength} AS bigint) <= (SELECT sum(length(later.points))
            FROM tracks later WHERE later.ref = tracks.ref AND later.part > tracks.part)`,
        ]);
        if (written.ok) return;
      }
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
          // A row that got a point meanwhile, at its end or before, is for the next time.
          const same = sql`ref = ${ref} AND part = ${part} AND at = ${at} AND points = ${points}`;
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

/**
 * Where a point of this time belongs: the row whose last point is later, and the last point of the row before. `points` is null if
 * no row has a later one. No row: the user has no such device, or it has no track.
 */
interface TrackPlace {
  ref: number;
  track_since: string | null;
  /** The time of the first point, as `writeTime` writes it. */
  first_time: string;
  /** The length of all rows. */
  length: number;
  first_part: number;
  part: number;
  points: string | null;
  before_at: number | null;
  longitude: number | null;
  latitude: number | null;
}

const placeOf = ({ id, userId, ms }: { id: string; userId: string; ms: number }): Sql =>
  sql`SELECT r.ref, r.track_since, oldest.part AS first_part, substr(oldest.points, 1, ${raw(String(timeLength))}) AS first_time,
      (SELECT sum(length(points)) FROM tracks WHERE ref = r.ref) AS length,
      later.part, later.points, earlier.at AS before_at, earlier.longitude, earlier.latitude
    FROM resources r
      JOIN tracks oldest ON oldest.ref = r.ref AND oldest.part = (SELECT min(part) FROM tracks WHERE ref = r.ref)
      LEFT JOIN tracks later ON later.ref = r.ref
        AND later.part = (SELECT min(part) FROM tracks WHERE ref = r.ref AND at > CAST(${ms} AS bigint))
      LEFT JOIN tracks earlier ON earlier.ref = r.ref
        AND earlier.part = (SELECT max(part) FROM tracks WHERE ref = r.ref AND at <= CAST(${ms} AS bigint))
    WHERE r.id = ${id} AND r.user_id = ${userId} AND r.keep_track = 1`;

/** The points of the row with this one among them; undefined if it is not apart from those beside it, or older than a full track. */
function withPoint({ length, ...row }: TrackPlace, point: TrackAt): string | undefined {
  const points = row.points!;
  const start = startOf(points, point.at + 1);
  const beforeInRow = start === 0 ? undefined : pointAt(points, start - pointLength);
  const beforeRow =
    row.before_at === null ? undefined : { at: row.before_at, longitude: row.longitude!, latitude: row.latitude! };
  const before = beforeInRow ?? beforeRow;
  const after = pointAt(points, start);
  if ((before && !isApart(before, point)) || point.at > after.at - trackLimits.apart * 1000) return undefined;
  // Only the first row is cut: of the others, whole ones are deleted.
  const cut = row.part === row.first_part ? Math.max(0, length + pointLength - fullLength) : 0;
  if (cut > start) return undefined;
  return (points.slice(0, start) + writePoint(point.at, point) + points.slice(start)).slice(cut);
}

function pointAt(points: string, start: number): TrackAt {
  const [point] = readPoints(points.slice(start, start + pointLength), 0);
  return { ...point!, at: Date.parse(point!.at) };
}
