import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { searchText } from '../search-text.ts';

/**
 * `ref` names a device in the indexes of the map. AUTOINCREMENT never gives a number out again; without it SQLite reuses
 * the highest row number after a deletion, and an index that does not know of that yet shows the wrong device.
 */
const resources = `CREATE TABLE resources (ref INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
  user_id TEXT NOT NULL, name TEXT NOT NULL,
  machine_type TEXT NOT NULL CHECK (machine_type IN ('pc', 'bug', 'smartphone')), description TEXT,
  longitude REAL CHECK (longitude BETWEEN -180 AND 180), latitude REAL CHECK (latitude BETWEEN -90 AND 90),
  created_at TEXT NOT NULL, modified_at TEXT, changed_at TEXT NOT NULL, version INTEGER NOT NULL,
  name_key TEXT NOT NULL, name_folded TEXT NOT NULL, description_folded TEXT,
  CHECK ((longitude IS NULL) = (latitude IS NULL)))`;
const columns = `id, user_id, name, machine_type, description, longitude, latitude, created_at, modified_at, changed_at,
  version, name_key, name_folded, description_folded`;

/**
 * SQLite cannot change a primary key, so the table is made again. Triggers of other tables name it: renaming a new table
 * to its name would fail while it is gone, copying twice does not.
 */
export async function up(db: Kysely<unknown>) {
  const run = (statement: string) => sql.raw(statement).execute(db);
  const dependents = await sql<{ sql: string }>`SELECT sql FROM sqlite_schema
    WHERE tbl_name = 'resources' AND type IN ('index', 'trigger') AND sql IS NOT NULL ORDER BY rowid`.execute(db);
  await run(`CREATE TABLE old_resources AS SELECT rowid AS ref, ${columns} FROM resources`);
  await run('DROP TABLE resources');
  await run(resources);
  await run(`INSERT INTO resources (ref, ${columns}) SELECT ref, ${columns} FROM old_resources ORDER BY ref`);
  await run('DROP TABLE old_resources');
  await foldAgain(db);
  for (const { sql: statement } of dependents.rows) await run(statement);
  const { rows: broken } = await sql`PRAGMA foreign_key_check`.execute(db);
  if (broken.length > 0) throw new Error('the memberships do not fit the resources');
}

const chunk = 1000;

/** Searches ignore accents and punctuation from now on. */
async function foldAgain(db: Kysely<unknown>) {
  type Row = { ref: number; name: string; description: string | null };
  for (let last = 0; ;) {
    const { rows } = await sql<Row>`SELECT ref, name, description FROM resources WHERE ref > ${last}
      ORDER BY ref LIMIT ${chunk}`.execute(db);
    const folded = rows.map(({ ref, name, description }) => [
      ref,
      searchText(name),
      description === null ? null : searchText(description),
    ]);
    await sql`UPDATE resources SET name_folded = folded.value ->> 1, description_folded = folded.value ->> 2
      FROM json_each(${JSON.stringify(folded)}) folded WHERE ref = folded.value ->> 0`.execute(db);
    if (rows.length < chunk) return;
    last = rows.at(-1)!.ref;
  }
}
