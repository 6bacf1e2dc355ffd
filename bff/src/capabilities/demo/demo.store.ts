import type { Demo } from '../../contract.ts';
import type { Database } from '../../core/store/database.ts';
import { join, sql, type Statement, StorageError } from '../../core/store/statement.ts';
import { lockUser } from '../../core/store/user-locks.ts';
import type { ResourceRow } from '../../core/store/resource-fields.ts';
import type { DemoRecordRow } from '../../core/store/row-types.ts';

/** The existing demo objects of a user. Those that were handed over are not theirs any more. */
export async function readDemo({ db, userName }: { db: Database; userName: string }): Promise<Demo> {
  const records = await db.read<Pick<DemoRecordRow, 'kind' | 'id'>>({
    sql: `SELECT d.kind, d.id FROM demo_records d WHERE d.user_id = $1 AND (d.kind = 'partner'
       OR d.kind = 'resource' AND EXISTS (SELECT 1 FROM resources r WHERE r.id = d.id AND r.user_id = $1)
       OR d.kind = 'swarm' AND EXISTS (SELECT 1 FROM swarms s WHERE s.id = d.id AND s.user_id = $1)) ORDER BY d.id`,
    params: [userName],
  });
  const idsOf = (kind: string) => records.filter((record) => record.kind === kind).map(({ id }) => id);
  const partners = idsOf('partner');
  return { exists: partners.length > 0, partners, resources: idsOf('resource'), swarms: idsOf('swarm') };
}

export type DemoDevice = Pick<ResourceRow, 'id' | 'user_id' | 'machine_type' | 'longitude' | 'latitude'>;

/** Some devices of the demo that are producers, of the user and of the partners; none that was handed over. */
export function readDemoProducers(options: {
  db: Pick<Database, 'read'>;
  userName: string;
  most: number;
}): Promise<DemoDevice[]> {
  const { db, userName, most } = options;
  return db.read<DemoDevice>({
    sql: `SELECT r.id, r.user_id, r.machine_type, r.longitude, r.latitude FROM demo_records d
            JOIN resources r ON d.kind = 'partner' AND r.user_id = d.id OR d.kind = 'resource' AND r.id = d.id AND r.user_id = $1
          WHERE d.user_id = $1 AND EXISTS (SELECT 1 FROM memberships m
            WHERE m.resource_id = r.id AND m.resource_type <> 'consumer') ORDER BY substr(r.id, 30) LIMIT $2`,
    params: [userName, most],
    isLong: true,
  });
}

/** Adds the partners of a demo. Returns why it could not, or undefined. */
export async function reserve(options: {
  db: Database;
  userName: string;
  partners: string[];
  addPartners: Statement[];
}): Promise<'no user' | 'has a demo' | 'name taken' | undefined> {
  const { db, userName, partners, addPartners } = options;
  const hasNone = 'SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM demo_records WHERE user_id = $1)';
  try {
    const written = await db.write([
      lockUser(userName),
      { sql: hasNone, params: [userName], orFail: 'has a demo' },
      ...addPartners,
      insertDemoRecords(userName, 'partner', partners),
    ]);
    return written.ok ? undefined : written.failed;
  } catch (error) {
    // A user has or had the name of a partner.
    if (error instanceof StorageError && error.kind === 'constraint') return 'name taken';
    throw error;
  }
}

export function insertDemoRecords(userName: string, kind: DemoRecordRow['kind'], ids: string[]): Statement {
  const records = ids.map((id) => sql`(${userName}, ${kind}, ${id})`);
  return sql`INSERT INTO demo_records (user_id, kind, id) VALUES ${join(records, ', ')}`;
}

/** Deletes the record of the demo, the partners' activity logs, and what the user's own log says about the demo. */
export function deleteDemoRecords(userName: string): Statement[] {
  const records = (kind: string) => `(SELECT id FROM demo_records WHERE user_id = $1 AND kind = '${kind}')`;
  return [
    {
      sql: `DELETE FROM activity WHERE user_id = $1
            AND (resource_id IN ${records('resource')} OR swarm_id IN ${records('swarm')}
              OR resource_owner IN ${records('partner')} OR actor IN ${records('partner')})`,
      params: [userName],
    },
    { sql: `DELETE FROM activity WHERE user_id IN ${records('partner')}`, params: [userName] },
    { sql: 'DELETE FROM demo_records WHERE user_id = $1', params: [userName] },
  ];
}

/** Deleted users whose demo was not removed. */
export async function usersOfOrphanedDemos(db: Database): Promise<string[]> {
  const select = `SELECT DISTINCT user_id FROM demo_records d
    WHERE NOT EXISTS (SELECT 1 FROM "user" WHERE username = d.user_id) LIMIT 1000`;
  const records = await db.read<Pick<DemoRecordRow, 'user_id'>>({ sql: select });
  return records.map(({ user_id }) => user_id);
}
