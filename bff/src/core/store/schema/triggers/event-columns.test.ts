import { expect, test } from 'vitest';
import { openConnection } from '../../sqlite/connection.ts';
import { migrate } from '../../sqlite/migrate.ts';
import { temporaryFolder } from '../../store.fixture.ts';

/** The columns that need no event, and why. */
const silent = {
  swarms: {
    id: 'never changes',
    created_at: 'never changes',
    version: 'nobody sees it change alone',
    modified_at: 'changes with what is modified',
    owner_since: 'changes with `user_id`',
    listed: 'is set with the name; else the swarm leaves the directory, which no stream follows',
    expected_after: 'is how far the rounds of presence are',
    silence_notices: 'is read when its page is opened',
  },
  memberships: {
    swarm_id: 'never changes',
    resource_id: 'never changes',
    member_since: 'never changes',
    receivers_then: 'never changes',
    user_id: 'is who owns the device, for an index',
    ends_at_most: 'is set with `ends_at`',
  },
};

test.each([
  { table: 'swarms', trigger: 'swarm_updated' },
  { table: 'memberships', trigger: 'member_changed' },
] as const)('each column of $table is in the event of $trigger, or is known to need none', ({ table, trigger }) => {
  using folder = temporaryFolder();
  const connection = openConnection({ path: folder.path, readOnly: false });
  migrate({ connection });
  const columns = connection.all(`SELECT name FROM pragma_table_info('${table}')`, []).map(({ name }) => name);
  const [created] = connection.all('SELECT sql FROM sqlite_master WHERE name = $1', [trigger]);
  connection.close();
  const [, marked = ''] = /UPDATE OF ([\w, ]+) ON/.exec(String(created?.['sql'])) ?? [];
  expect(new Set([...marked.split(', '), ...Object.keys(silent[table])])).toEqual(new Set(columns));
});
