/** Points of the past of a device that has just been created: for the demo. */
import { startInTicks } from '../../core/limits/loop-ticks.ts';
import type { Database } from '../../core/store/database.ts';
import { writeLast, type LastValues } from '../../core/store/last-values.ts';
import { raw, sql } from '../../core/store/statement.ts';
import { isOpen } from '../../core/store/visibility.ts';
import { readAudiences, writeAudiences } from '../../core/store/value-audiences.ts';
import { valuesIn } from './payload-values.ts';
import { audienceOf, createKeyPlaces } from './recorded-keys.ts';
import { blockKeyOf, boundsOf, packBlock } from './value-blocks.ts';
import { insertBlock } from './value-rows.store.ts';
import { samplesIn, seriesOf, stepOfPoints } from './value-steps.ts';

interface PastPoint {
  /** In ms. */
  at: number;
  payload: object;
}

/**
 * Records these points, as if the device had sent them then to the swarms in which it is a producer now. They are in the order of their times. Nothing is
 * written if something is recorded already, or if `keep_values` is off.
 */
export async function addPast(
  db: Database,
  { id, points }: { id: string; points: readonly PastPoint[] },
): Promise<void> {
  const [device] = await db.read<{ ref: number; user_id: string; swarms: string | null }>(
    sql`SELECT ref, user_id, (SELECT string_agg(swarm_id, ',' ORDER BY swarm_id) FROM memberships m WHERE resource_id = resources.id AND resource_type <> 'consumer' AND ${raw(isOpen('m'))}) AS swarms
      FROM resources WHERE id = ${id} AND keep_values IS NOT NULL`,
  );
  const [first] = points;
  if (!device || !first) return;
  const { ref, user_id, swarms } = device;
  const values_since = new Date(first.at).toISOString();
  const audiences = readAudiences('[]');
  const last: LastValues = new Map();
  const places = createKeyPlaces({ last, known: '', chosen: null });
  const audience =
    swarms === null ? 0 : audienceOf(audiences, { swarms: swarms.split(','), last, at: points.at(-1)!.at });
  const days = [...Map.groupBy(points, ({ at }) => blockKeyOf(at, stepOfPoints))];
  // A month in one tick would take 10 ms of the main thread.
  const blocks = await startInTicks(days, async ([part, pointsOfDay]) => {
    const ofDay = pointsOfDay.map(({ at, payload }) => ({
      at,
      values: (valuesIn(payload, { sentAt: at, byTime: false })?.values ?? []).filter(([key, value]) =>
        places.note({ audience, key, value, at }),
      ),
    }));
    const series = seriesOf(ofDay);
    return {
      ref,
      values_since,
      step: 0,
      audience,
      part: -part,
      ...boundsOf(series),
      points: ofDay.length,
      samples: samplesIn(series),
      bytes: packBlock(series, 0),
      due: null,
    };
  });
  await db.write([
    sql`SELECT 1 FROM resources WHERE ref = ${ref} FOR UPDATE`,
    {
      ...sql`UPDATE resources SET values_since = ${values_since} WHERE ref = ${ref} AND keep_values IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM device_values WHERE device_values.ref = resources.ref)`,
      orFail: 'kept',
    },
    sql`INSERT INTO device_values (ref, user_id, seq, open, last, audiences, known_keys) VALUES (${ref}, ${user_id}, coalesce((SELECT seq FROM value_cursor), 0), '', ${writeLast(last)},
      ${writeAudiences(audiences)}, ${places.write()})`,
    ...blocks.map(insertBlock),
  ]);
}
