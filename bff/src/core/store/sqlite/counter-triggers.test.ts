import fc from 'fast-check';
import { expect, test } from 'vitest';
import { machineTypes, memberRoles } from '../../limits/field-rules.ts';
import { isOfEitherRole } from '../invitation-record.ts';
import { acceptedOf } from '../schema/triggers/memberships.ts';
import { lastEnd } from '../schema/triggers/swarm-viewers.ts';
import { openConnection } from './connection.ts';
import { migrate } from './migrate.ts';
import type { Value } from '../statement.ts';
import { temporaryFolder } from '../store.fixture.ts';

const at = '2026-03-04T12:00:00.000Z';
const resource = fc.constantFrom('a1', 'a2', 'b1', 'b2');
const swarm = fc.constantFrom('s1', 's2');
const invitation = fc.constantFrom('i1', 'i2', 'i3');
const role = fc.constantFrom(...memberRoles);
const end = fc.constantFrom(null, '2998-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z');
const watcher = fc.constantFrom('b', 'w');

const act = fc.oneof(
  fc.record({ sql: fc.constant('join' as const), params: fc.tuple(swarm, resource, role, end) }),
  fc.record({ sql: fc.constant('end' as const), params: fc.tuple(end, swarm, resource) }),
  fc.record({ sql: fc.constant('ask' as const), params: fc.tuple(swarm, watcher, end) }),
  fc.record({ sql: fc.constant('agree' as const), params: fc.tuple(swarm, watcher) }),
  fc.record({ sql: fc.constant('endWatcher' as const), params: fc.tuple(end, swarm, watcher) }),
  fc.record({ sql: fc.constant('stepDown' as const), params: fc.tuple(swarm, watcher) }),
  fc.record({ sql: fc.constant('role' as const), params: fc.tuple(role, swarm, resource) }),
  fc.record({ sql: fc.constant('leave' as const), params: fc.tuple(swarm, resource) }),
  fc.record({ sql: fc.constant('type' as const), params: fc.tuple(fc.constantFrom(...machineTypes), resource) }),
  fc.record({ sql: fc.constant('destroyResource' as const), params: fc.tuple(resource) }),
  fc.record({ sql: fc.constant('destroySwarm' as const), params: fc.tuple(swarm) }),
  fc.record({ sql: fc.constant('invite' as const), params: fc.tuple(invitation, swarm, resource) }),
  fc.record({ sql: fc.constant('answer' as const), params: fc.tuple(invitation) }),
  fc.record({ sql: fc.constant('withdraw' as const), params: fc.tuple(invitation) }),
);
const sqlOf = {
  join: `INSERT INTO memberships (swarm_id, resource_id, resource_type, member_since, ends_at) SELECT s.id, r.id, $3, '${at}', $4 FROM swarms s, resources r
         WHERE s.id = $1 AND r.id = $2 ON CONFLICT DO UPDATE SET resource_type = excluded.resource_type, ends_at = excluded.ends_at`,
  end: 'UPDATE memberships SET ends_at = $1 WHERE swarm_id = $2 AND resource_id = $3',
  ask: `INSERT INTO managers (swarm_id, user_id, role, asked_at, ends_at) SELECT id, $2, 'watcher', '${at}', $3 FROM swarms WHERE id = $1
        ON CONFLICT DO NOTHING`,
  agree: `UPDATE managers SET agreed_at = '${at}' WHERE swarm_id = $1 AND user_id = $2 AND agreed_at IS NULL`,
  endWatcher: 'UPDATE managers SET ends_at = $1 WHERE swarm_id = $2 AND user_id = $3',
  stepDown: 'DELETE FROM managers WHERE swarm_id = $1 AND user_id = $2',
  role: 'UPDATE memberships SET resource_type = $1 WHERE swarm_id = $2 AND resource_id = $3',
  leave: 'DELETE FROM memberships WHERE swarm_id = $1 AND resource_id = $2',
  type: 'UPDATE resources SET machine_type = $1 WHERE id = $2',
  destroyResource: 'DELETE FROM resources WHERE id = $1',
  destroySwarm: 'DELETE FROM swarms WHERE id = $1',
  invite: `INSERT INTO invitations (id, "from", "to", swarm_id, resource_id, resource_type, sent_at, status, created_at)
           SELECT $1, s.user_id, 'b', s.id, $3, 'consumer', '${at}', 'new', '${at}' FROM swarms s WHERE s.id = $2
           AND NOT EXISTS (SELECT 1 FROM invitations WHERE id = $1)
           ON CONFLICT (swarm_id, resource_id, resource_type) WHERE status = 'new' DO UPDATE SET description = 'again'`,
  answer: `UPDATE invitations SET status = 'rejected', rejected_at = '${at}' WHERE id = $1 AND status = 'new'`,
  withdraw: 'DELETE FROM invitations WHERE id = $1',
};
const counted = `SELECT m.swarm_id, r.user_id, r.machine_type, m.resource_type, count(*) AS resources
  FROM memberships m JOIN resources r ON r.id = m.resource_id GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`;
const receives = `m.resource_type <> 'producer'`;
const seen = `SELECT swarm_id, user_id, sum(resources) AS resources, sum(consumers) AS consumers,
    sum(CASE WHEN ends_at IS NULL THEN 1 ELSE 0 END) AS endless, max(ends_at) AS ends_at FROM (
    SELECT id AS swarm_id, user_id, 0 AS resources, 0 AS consumers, NULL AS ends_at FROM swarms UNION ALL
    SELECT swarm_id, user_id, 0, 0, ends_at FROM managers WHERE agreed_at IS NOT NULL UNION ALL
    SELECT m.swarm_id, r.user_id, 1, ${receives}, m.ends_at FROM memberships m JOIN resources r ON r.id = m.resource_id)
  GROUP BY 1, 2 ORDER BY 1, 2`;

const used = `SELECT user_id, 'resources' AS kind, count(*) AS amount FROM resources GROUP BY 1
  UNION ALL SELECT user_id, 'swarms', count(*) FROM swarms GROUP BY 1
  UNION ALL SELECT "from", 'invitations', count(*) FROM invitations WHERE status = 'new' GROUP BY 1 ORDER BY 1, 2`;
const sizes = `SELECT m.swarm_id, count(*) AS members, count(DISTINCT r.user_id) AS users, sum(${receives}) AS consumers,
    count(DISTINCT CASE WHEN ${receives} THEN r.user_id END) AS consumer_users
  FROM memberships m JOIN resources r ON r.id = m.resource_id GROUP BY 1 ORDER BY 1`;

test('the counters of the triggers equal the counts of the rows', async () => {
  using folder = temporaryFolder();
  const connection = openConnection({ path: folder.path, readOnly: false });
  migrate({ connection });
  const run = (sql: string, params: Value[] = []) => connection.run(sql, params);
  try {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 25 }), (acts) => {
        run('DELETE FROM swarms');
        run('DELETE FROM resources');
        for (const id of ['a1', 'a2', 'b1', 'b2']) {
          run(
            `INSERT INTO resources (id, user_id, name, machine_type, created_at, changed_at, version, name_key, name_folded)
             VALUES ($1, $2, $1, 'pc', $3, $3, 1, $1, $1)`,
            [id, id[0]!, at],
          );
        }
        for (const id of ['s1', 's2'])
          run(
            `INSERT INTO swarms (id, user_id, name, description, public, created_at, version) VALUES ($1, 'a', 's', '', 0, $2, 1)`,
            [id, at],
          );
        for (const { sql, params } of acts) {
          run(sqlOf[sql], params);
          expect(connection.all('SELECT * FROM member_tallies', [])).toEqual(connection.all(counted, []));
          expect(
            connection.all('SELECT swarm_id, user_id, resources, consumers, endless, ends_at FROM swarm_viewers', []),
          ).toEqual(connection.all(seen, []));
          expect(connection.all('SELECT * FROM usage WHERE amount <> 0', [])).toEqual(connection.all(used, []));
          expect(connection.all('SELECT * FROM swarm_sizes WHERE members <> 0', [])).toEqual(connection.all(sizes, []));
        }
      }),
    );
  } finally {
    connection.close();
  }
});

test('the last end of a user is found without the members of others', () => {
  using folder = temporaryFolder();
  const connection = openConnection({ path: folder.path, readOnly: false });
  migrate({ connection });
  const plan = connection.all(`EXPLAIN QUERY PLAN SELECT ${lastEnd()} FROM swarm_viewers`, []);
  connection.close();
  expect(plan.map(({ detail }) => detail)).toContain(
    'SEARCH own USING COVERING INDEX memberships_ending_of_user (swarm_id=? AND user_id=? AND ends_at>?)',
  );
});

test('the invitations of a member are found without those of others', () => {
  using folder = temporaryFolder();
  const connection = openConnection({ path: folder.path, readOnly: false });
  migrate({ connection });
  const planOf = (where: string) =>
    connection.all(`EXPLAIN QUERY PLAN SELECT (SELECT id FROM invitations WHERE ${where}) FROM memberships old`, []);
  const open = planOf(
    `swarm_id = old.swarm_id AND resource_id = old.resource_id AND status = 'new' AND ${isOfEitherRole}`,
  );
  const accepted = planOf(acceptedOf('old'));
  connection.close();
  const by = '(swarm_id=? AND resource_id=?';
  const detail = (found: string) =>
    expect.objectContaining({ detail: expect.stringContaining(`${found} ${by}`) as string });
  expect(open).toContainEqual(detail('INDEX invitations_open'));
  expect(accepted).toContainEqual(detail('INDEX invitations_answered'));
});
