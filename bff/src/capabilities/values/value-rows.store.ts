/** The writes of recorded values, and what belongs to other writes. */
import type { FairQueue } from '../../core/limits/fair-queue.ts';
import type { Database } from '../../core/store/database.ts';
import { raw, sql, StorageError, type Sql, type Statement, type Value } from '../../core/store/statement.ts';
import type { RecordedDevice, ValueBlock } from './recorded-values.shape.ts';

/** What the job has for its writes. */
export interface RecordingDeps {
  db: Database;
  queue: FairQueue;
  /** Fails a write if this process has lost the lease. */
  holdsLease: Statement<'lost'>;
  /** Renews it. Returns false if another process has it. */
  takeLease: () => Promise<boolean>;
  isStopping: () => boolean;
  /** Whether messages are to be recorded now. */
  isAwaited: () => boolean;
  /** Of a fault of one user's values, which holds up nobody else. */
  report: (error: unknown) => void;
  /** By the step of blocks: the user whose turn was last. */
  lastUsers: Map<number, string>;
}

/** Runs work for one user. Returns undefined if it has failed, but not because of the database as a whole. */
export async function forUser<R>(
  { report }: Pick<RecordingDeps, 'report'>,
  work: () => Promise<R>,
): Promise<R | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StorageError && (error.kind === 'away' || error.kind === 'full')) throw error;
    report(error);
    return undefined;
  }
}

/** A device that stops recording is written before, or waits. In the order of those who lock several devices. */
export const lockDevices = (devices: readonly { ref: number }[]): Statement =>
  sql`SELECT 1 FROM resources WHERE ref IN (SELECT CAST(value AS bigint) FROM elements(${JSON.stringify(devices.map(({ ref }) => ref))}))
    ORDER BY id FOR UPDATE`;

/** Empties the newest points of devices, which are in blocks of the same write. */
export const emptyOpen = (devices: readonly { ref: number }[]): Statement[] =>
  devices.length === 0
    ? []
    : [
        sql`UPDATE device_values SET open = '', opened_at = NULL
          WHERE ref IN (SELECT CAST(value AS bigint) FROM elements(${JSON.stringify([...new Set(devices.map(({ ref }) => ref))])}))`,
      ];

/** Devices of one statement. */
const devicesAtOnce = 20;
/** No device has this number. */
const nobody: RecordedDevice = {
  ref: 0,
  user_id: '',
  values_since: '',
  open: '',
  isPacked: false,
  opened_at: null,
  last: '',
  audiences: '',
  known_keys: '',
};
/** `$1` is the cursor. */
const rowOf = (place: number) =>
  ['bigint', 'text', 'text', 'bigint', 'text', 'text', 'text']
    .map((type, index) => `CAST($${7 * place + index + 2} AS ${type})`)
    .join(', ');
const upsertOfDevices = `INSERT INTO device_values (ref, user_id, seq, open, opened_at, last, audiences, known_keys)
  SELECT r.ref, r.user_id, CAST($1 AS bigint), given.open, given.opened_at, given.last, given.audiences, given.known FROM (
    SELECT 0 AS ref, '' AS since, '' AS open, 0 AS opened_at, '' AS last, '' AS audiences, '' AS known
    UNION ALL ${Array.from({ length: devicesAtOnce }, (_, place) => `SELECT ${rowOf(place)}`).join(' UNION ALL ')}) given
  JOIN /*in this order*/ resources r ON r.ref = given.ref AND r.keep_values IS NOT NULL AND r.values_since = given.since
  WHERE true ON CONFLICT (ref) DO UPDATE SET seq = excluded.seq, open = device_values.open || excluded.open, opened_at = excluded.opened_at, last = excluded.last, audiences = excluded.audiences, known_keys = excluded.known_keys`;

/** The text is always the same, because a statement is prepared for each text. */
export function upsertDevices(devices: readonly RecordedDevice[], seq: number): Statement[] {
  const statements: Statement[] = [];
  for (let from = 0; from < devices.length; from += devicesAtOnce) {
    const params: Value[] = [seq];
    for (let place = from; place < from + devicesAtOnce; place++) {
      const { ref, values_since, open, opened_at, last, audiences, known_keys } = devices[place] ?? nobody;
      params.push(ref, values_since, open, opened_at, last, audiences, known_keys);
    }
    statements.push({ sql: upsertOfDevices, params });
  }
  return statements;
}

export function insertBlock(block: ValueBlock): Sql {
  const { ref, values_since, step, audience, part, starts, ends, points, samples, bytes, due } = block;
  return sql`INSERT INTO value_blocks (ref, step, audience, part, user_id, starts, ends, points, samples, content, due)
    SELECT r.ref, CAST(${step} AS integer), CAST(${audience} AS integer), CAST(${part} AS bigint), r.user_id,
      CAST(${starts} AS bigint), CAST(${ends} AS bigint), CAST(${points} AS integer), CAST(${samples} AS integer), ${bytes}, CAST(${due} AS bigint)
    FROM resources r WHERE r.ref = ${ref} AND r.keep_values IS NOT NULL AND r.values_since = ${values_since}`;
}

/** Counts the messages among these whose values were not recorded. In the write that deletes them. */
export const countMissed = (condition: Sql): Sql =>
  sql`UPDATE value_cursor SET missed = missed + (SELECT count(*) FROM messages
    JOIN resources r ON r.id = messages.sender_id AND r.keep_values IS NOT NULL AND r.values_since <= messages.sent_at
    WHERE messages.seq > value_cursor.seq AND messages.to_id IS NULL AND ${condition})`;

const valueTables = ['device_values', 'value_blocks'];

/** In the write that switches it off. */
export const deleteValues = (id: string): Statement[] =>
  valueTables.map((table) => sql`DELETE FROM ${raw(table)} WHERE ref = (SELECT ref FROM resources WHERE id = ${id})`);

/** Sets which keys of a device are recorded; null: those that are worth it. Returns false if none are, or the user is not its owner any more. */
export async function chooseKeys(
  db: Database,
  { id, userId, keys }: { id: string; userId: string; keys: readonly string[] | null },
): Promise<boolean> {
  const recorded = sql`FROM resources WHERE id = ${id} AND user_id = ${userId} AND keep_values IS NOT NULL`;
  const { ok } = await db.write([
    { ...sql`SELECT 1 ${recorded} FOR UPDATE`, orFail: 'not recorded' },
    sql`INSERT INTO device_values (ref, user_id, seq, open, last, audiences, chosen_keys)
      SELECT ref, user_id, coalesce((SELECT seq FROM value_cursor), 0), '', '[]', '[]', CAST(${keys && JSON.stringify(keys)} AS text) ${recorded}
      ON CONFLICT (ref) DO UPDATE SET chosen_keys = excluded.chosen_keys`,
  ]);
  return ok;
}

/** In the write that switches to the device's own times, before it: they count from now on. */
export const countTimesFrom = ({ id, at }: { id: string; at: string }): Sql =>
  sql`INSERT INTO device_values (ref, user_id, seq, open, last, audiences, times_since)
    SELECT ref, user_id, coalesce((SELECT seq FROM value_cursor), 0), '', '[]', '[]', CAST(${Date.parse(at)} AS bigint)
      FROM resources WHERE id = ${id} AND keep_values = 'sent_at'
    ON CONFLICT (ref) DO UPDATE SET times_since = excluded.times_since`;

/** In the write that hands the device over with them. */
export const giveValues = ({ id, userId }: { id: string; userId: string }): Statement[] =>
  valueTables.map(
    (table) =>
      sql`UPDATE ${raw(table)} SET user_id = ${userId} WHERE ref = (SELECT ref FROM resources WHERE id = ${id})`,
  );

/** SQL: the payload in one row of each message, because those of a message to many swarms are equal. */
export const payloadOnce = `CASE WHEN m.rest = 0 OR NOT EXISTS (SELECT 1 FROM messages next
    WHERE next.seq = m.seq + 1 AND next.id = m.id AND next.sender_id = m.sender_id) THEN m.payload END AS payload`;
