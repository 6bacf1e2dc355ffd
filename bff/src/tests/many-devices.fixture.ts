import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ResourceCreate } from '../contract.ts';
import type { Operator } from '../capabilities/operator/operator.ts';
import { actionLimits } from '../core/limits/field-rules.ts';
import type { Database } from '../core/store/database.ts';

/** Imports devices as the operator does. Returns what is wrong with those that failed. */
export async function importAll(options: { operator: Operator; user: string; devices: readonly ResourceCreate[] }) {
  const { operator, user, devices } = options;
  const about = { file: 'devices.csv', hash: 'a' };
  const { id = '' } = await operator.beginImport({ user, about, total: devices.length });
  const items = devices.map((create, index) => ({ line: index + 2, name: create.name, create }));
  const parts = Array.from({ length: Math.ceil(items.length / actionLimits.part) }, (_, part) =>
    items.slice(part * actionLimits.part, (part + 1) * actionLimits.part),
  );
  for (const [part, ofPart] of parts.entries()) await operator.putImportPart({ user, id, part, items: ofPart });
  await operator.startImport({ user, id });
  // Fixtures of benches use it, too, which have no `expect.poll`.
  while ((await operator.readImport({ user, id })).state !== 'ended') await sleep(20);
  const failed: string[] = [];
  for (const part of parts.keys())
    for (const { line, result } of (await operator.readFailedLines({ user, id, part })).failed)
      failed.push(`line ${line}: ${result.detail}`);
  await operator.endImport({ user, id });
  return failed;
}

/** Adds many devices of a user. */
export async function addDevices(options: {
  db: Database;
  userId: string;
  count: number;
  /** Default: none. */
  description?: string;
}): Promise<void> {
  const { db, userId, count, description = null } = options;
  const ids = Array.from({ length: count }, () => randomUUID()).toSorted();
  const sql = `INSERT INTO resources (id, user_id, name, machine_type, description, created_at, changed_at, version,
      name_key, name_folded, description_folded)
    SELECT value, $2, 'Sensor', 'pc', $4, $3, $3, 1, 'sensor', 'sensor', $4 FROM elements($1)`;
  await writeInParts({ db, sql, ids, params: [userId, '2026-01-02T03:04:05.678Z', description] });
}

/** Adds all devices of a user to a swarm. */
export async function addAllToSwarm(options: { db: Database; userId: string; swarmId: string }): Promise<void> {
  const { db, userId, swarmId } = options;
  const sql = `INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since)
    SELECT $2, value, 'both', $3 FROM elements($1) WHERE true ON CONFLICT DO NOTHING`;
  await writeForDevices({ db, userId, sql, params: [swarmId, '2026-01-02T03:04:05.678Z'] });
}

interface ManyWrites {
  db: Database;
  /** With the ids as `elements($1)`. */
  sql: string;
  /** From `$2` on. */
  params: (string | null)[];
}

/** Runs a statement for all devices of a user. */
export async function writeForDevices({ userId, ...writes }: ManyWrites & { userId: string }): Promise<void> {
  const select = 'SELECT id FROM resources WHERE user_id = $1 ORDER BY id';
  const found = await writes.db.read<{ id: string }>({ sql: select, params: [userId] });
  await writeInParts({ ...writes, ids: found.map(({ id }) => id) });
}

/** Runs a statement for these ids, in parts that end before the limit of a statement on PostgreSQL, also on a busy machine. */
export async function writeInParts({ db, sql, ids, params }: ManyWrites & { ids: readonly string[] }): Promise<void> {
  for (let from = 0; from < ids.length; from += 500) {
    await db.write([{ sql, params: [JSON.stringify(ids.slice(from, from + 500)), ...params] }]);
  }
}
