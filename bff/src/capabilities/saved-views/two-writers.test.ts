// stores: PostgreSQL
import { Client } from 'pg';
import { expect, test } from 'vitest';
import type { Quotas } from '../../core/limits/quotas.ts';
import type { Problem } from '../../core/problem.ts';
import { addUserWithoutPassword } from '../../core/accounts/users.store.ts';
import { openStore } from '../../core/store/open.ts';
import { testDatabase } from '../../core/store/store.fixture.ts';
import { addSavedView, changeSavedView } from './saved-views.store.ts';

test('of two saved views that two processes give one name at once, one gets it', async () => {
  await using database = await testDatabase();
  const db = await openStore({ url: database.url });
  const at = new Date();
  const user_id = 'viewer';
  const named = (name: string) => ({ name, name_folded: name, name_key: name });
  await db.write([addUserWithoutPassword({ id: user_id, userName: user_id, at })]);
  const add = (id: string) =>
    addSavedView({
      db,
      quotas: { saved_views: 10 } as Quotas,
      view: { id, user_id, ...named(id), url: '/', created_at: at.toISOString() },
    });
  await Promise.all([add('first'), add('second')]);

  // The other process has renamed the first view, and has not committed.
  const other = new Client({ connectionString: database.url });
  await other.connect();
  await other.query('BEGIN');
  await other.query(`SELECT 1 FROM "user" WHERE username = 'viewer' FOR UPDATE`);
  await other.query(`UPDATE saved_views SET name_folded = 'taken' WHERE id = 'first'`);
  const change = { id: 'second', user_id, ...named('taken'), updated_at: at.toISOString() };
  const renamed = changeSavedView({ db, change }).then(
    () => 'renamed',
    (error: Problem) => error.code,
  );
  // It waits in a batch, and then in a transaction of its own, which is not repeated.
  const watching = new Client({ connectionString: database.url });
  await watching.connect();
  const begun = new Set<string>();
  const waiting = `SELECT CAST(xact_start AS text) AS since FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  const lookAgain = async () => {
    for (const { since } of (await watching.query<{ since: string }>(waiting)).rows) begun.add(since);
    return begun.size;
  };
  await expect.poll(lookAgain).toBe(2);
  await other.query('COMMIT');
  expect(await renamed).toBe('saved_view.name_taken');
  await Promise.all([other.end(), watching.end(), db.close()]);
});
