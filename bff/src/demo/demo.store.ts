import type { Demo } from '../contract.ts';
import type { Database } from '../store/database.ts';
import { join, sql } from '../store/statement.ts';
import type { Statement } from '../store/statement.ts';
import type { DemoRecordRow } from '../store/tables.ts';

/** What was made for a user, and is still there. */
export async function readDemo({ db, userName }: { db: Database; userName: string }): Promise<Demo> {
  const records = await db.read<Pick<DemoRecordRow, 'kind' | 'id'>>({
    sql: `SELECT d.kind, d.id FROM demo_records d WHERE d.user_id = $1 AND (d.kind = 'partner'
       OR d.kind = 'resource' AND EXISTS (SELECT 1 FROM resources r WHERE r.id = d.id)
       OR d.kind = 'swarm' AND EXISTS (SELECT 1 FROM swarms s WHERE s.id = d.id))`,
    params: [userName],
  });
  const idsOf = (kind: string) => records.filter((record) => record.kind === kind).map(({ id }) => id);
  const partners = idsOf('partner');
  return { there: partners.length > 0, partners, resources: idsOf('resource'), swarms: idsOf('swarm') };
}

/** Holds while the user is there and nothing was made for them. */
export function isFree(userName: string): Statement[] {
  return [
    { sql: 'SELECT 1 FROM "user" WHERE username = $1 FOR UPDATE', params: [userName], expect: 'row' },
    {
      sql: 'SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM demo_records WHERE user_id = $1)',
      params: [userName],
      expect: 'row',
    },
  ];
}

const nameIsFree = `SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM "user" WHERE username = $1)
  AND NOT EXISTS (SELECT 1 FROM retired_names WHERE name = $1)`;

/** Holds if nobody has or had the name. */
export function isNameFree(name: string): Statement {
  return { sql: nameIsFree, params: [name], expect: 'row' };
}

export async function isNameFreeNow({ db, name }: { db: Database; name: string }): Promise<boolean> {
  return (await db.read({ sql: nameIsFree, params: [name] })).length > 0;
}

export function remember(userName: string, made: Omit<Demo, 'there'>): Statement {
  const record = (kind: DemoRecordRow['kind']) => (id: string) => sql`(${userName}, ${kind}, ${id})`;
  const records = [
    ...made.partners.map(record('partner')),
    ...made.resources.map(record('resource')),
    ...made.swarms.map(record('swarm')),
  ];
  return sql`INSERT INTO demo_records (user_id, kind, id) VALUES ${join(records, ', ')}`;
}

/** Deletes the record of the demo, the partners' activity logs, and what the user's own log says about the demo. */
export function forget(userName: string): Statement[] {
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

/** Users who are gone, and whose demo is not. */
export async function orphaned(db: Database): Promise<string[]> {
  const select = `SELECT DISTINCT user_id FROM demo_records d
    WHERE NOT EXISTS (SELECT 1 FROM "user" WHERE username = d.user_id) LIMIT 1000`;
  const records = await db.read<Pick<DemoRecordRow, 'user_id'>>({ sql: select });
  return records.map(({ user_id }) => user_id);
}
