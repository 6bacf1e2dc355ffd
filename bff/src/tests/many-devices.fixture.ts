import { randomUUID } from 'node:crypto';
import type { ResourceCreate } from '../contract.ts';
import { importDevices } from '../capabilities/operator/import-devices.ts';
import type { Operator } from '../capabilities/operator/operator.ts';
import type { Database } from '../core/store/database.ts';

/** Imports devices as the operator does. Returns the lines of those that failed. */
export async function importAll(options: { operator: Operator; user: string; devices: readonly ResourceCreate[] }) {
  const { operator, user, devices } = options;
  async function* records() {
    for (const [index, row] of devices.entries()) yield { line: index + 2, row };
  }
  const failed: string[] = [];
  await importDevices({
    operator,
    user,
    about: { file: 'devices.csv', hash: 'a' },
    records: records(),
    onFailed: (line) => failed.push(line),
    onProgress() {},
  });
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
