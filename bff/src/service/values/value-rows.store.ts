/** The writes of recorded values, and what belongs to other writes. */
import type { FairQueue } from '../../limits/fair-queue.ts';
import type { Database } from '../../store/database.ts';
import { raw, sql, type Sql, type Statement, type Value } from '../../store/statement.ts';
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
};
/** `$1` is the cursor. */
const rowOf = (place: number) =>
  ['bigint', 'text', 'text', 'bigint', 'text', 'text']
    .map((type, index) => `CAST($${6 * place + index + 2} AS ${type})`)
    .join(', ');
const upsertOfDevices = `INSERT INTO device_values (ref, user_id, seq, open, opened_at, last, audiences)
  SELECT r.ref, r.user_id, CAST($1 AS bigint), given.open, given.opened_at, given.last, given.audiences FROM (
    SELECT 0 AS ref, '' AS since, '' AS open, 0 AS opened_at, '' AS last, '' AS audiences
    UNION ALL ${Array.from({ length: devicesAtOnce }, (_, place) => `SELECT ${rowOf(place)}`).join(' UNION ALL ')}) given
  JOIN /*in this order*/ resources r ON r.ref = given.ref AND r.keep_values IS NOT NULL AND r.values_since = given.since
  WHERE true ON CONFLICT (ref) DO UPDATE SET seq = excluded.seq, open = device_values.open || excluded.open, opened_at = excluded.opened_at, last = excluded.last, audiences = excluded.audiences`;

/** The text is always the same, because a statement is prepared for each text. */
export function upsertDevices(devices: readonly RecordedDevice[], seq: number): Statement[] {
  const statements: Statement[] = [];
  for (let from = 0; from < devices.length; from += devicesAtOnce) {
    const params: Value[] = [seq];
    for (let place = from; place < from + devicesAtOnce; place++) {
      const { ref, values_since, open, opened_at, last, audiences } = devices[place] ?? nobody;
      params.push(ref, values_since, open, opened_at, last, audiences);
    }
    statements.push({ sql: upsertOfDevices, params });
  }
  return statements;
}

export function insertBlock({ ref, values_since, step, audience, part, starts, ends, points, bytes }: ValueBlock): Sql {
  return sql`INSERT INTO value_blocks (ref, step, audience, part, user_id, starts, ends, points, content)
    SELECT r.ref, CAST(${step} AS integer), CAST(${audience} AS integer), CAST(${part} AS bigint), r.user_id,
      CAST(${starts} AS bigint), CAST(${ends} AS bigint), CAST(${points} AS integer), ${bytes}
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

/** In the write that hands the device over with them. */
export const giveValues = ({ id, userId }: { id: string; userId: string }): Statement[] =>
  valueTables.map(
    (table) =>
      sql`UPDATE ${raw(table)} SET user_id = ${userId} WHERE ref = (SELECT ref FROM resources WHERE id = ${id})`,
  );

/** SQL: the payload in one row of each message, because those of a message to many swarms are equal. */
export const payloadOnce = `CASE WHEN m.rest = 0 OR NOT EXISTS (SELECT 1 FROM messages next
    WHERE next.seq = m.seq + 1 AND next.id = m.id AND next.sender_id = m.sender_id) THEN m.payload END AS payload`;
