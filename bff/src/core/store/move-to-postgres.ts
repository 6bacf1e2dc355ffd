/**
 * Copies a SQLite database into an empty PostgreSQL database, table by table in chunks, and compares the two. The feed is not
 * copied: clients with a position in the old one fetch their lists again.
 */
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { migrate, unfinishedMove } from './postgres/migrate.ts';
import { storageError } from './postgres/fault.ts';
import { checkFile } from './sqlite/check-file.ts';
import { openConnection, type Connection } from './sqlite/connection.ts';
import { lockFile } from './sqlite/file-lock.ts';
import { sharedTables } from './schema/migrations.ts';
import { pendingIn } from './sqlite/migrate.ts';
import { type Value, StorageError } from './statement.ts';

/** In rows. A message has up to 64 KiB, and the values of a chunk are in memory several times. */
const chunkSize = 500;

interface Layout {
  table: string;
  columns: { name: string; type: string }[];
  /** The primary key: rows are read in its order. */
  key: string[];
}

/**
 * `from`: `file:///path.db`, which no server may use meanwhile and which stays as it is. `to`: `postgres://...`. A move
 * that was interrupted is resumed; a server does not start on the database before it is complete.
 * @throws StorageError with a sentence for the operator
 */
export async function moveDatabase(options: {
  from: string;
  to: string;
  onProgress: (progress: { step: 'copied' | 'compared'; table: string; rows: number }) => void;
}): Promise<{ rows: number }> {
  const { to, onProgress } = options;
  const path = realpathSync(fileURLToPath(options.from));
  const lock = lockFile(path);
  const client = new Client({ connectionString: to });
  try {
    checkFile(path, 'restore it from a backup');
    const file = openConnection({ path, readOnly: true });
    try {
      requireNewest(file, path);
      await migrate({ url: to });
      await client.connect();
      const layouts = await begin(client, file);
      for (const layout of layouts) {
        await copyTable({
          client,
          file,
          layout,
          onCopied: (rows) => onProgress({ step: 'copied', table: layout.table, rows }),
        });
      }
      let rows = 0;
      for (const layout of layouts) {
        const compared = await compareTable({ client, file, layout });
        onProgress({ step: 'compared', table: layout.table, rows: compared });
        rows += compared;
      }
      await finish(client, file);
      return { rows };
    } finally {
      file.close();
    }
  } catch (error) {
    throw storageError(error);
  } finally {
    await client.end().catch(() => {});
    lock.release();
  }
}

function requireNewest(file: Connection, path: string) {
  if (pendingIn(file).length === 0) return;
  throw new StorageError('away', `${path} was last used by an older version: start the server on it once before`);
}

const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');

/** Without triggers, which would count and report every row again; foreign keys are checked. */
async function begin(client: Client, file: Connection): Promise<Layout[]> {
  if (!(await unfinishedMove(client))) {
    const { rows } = await client.query('SELECT 1 FROM "user" UNION ALL SELECT 1 FROM retired_names LIMIT 1');
    if (rows.length > 0)
      throw new StorageError('away', 'the PostgreSQL database already has users. Nothing was changed');
    await client.query('BEGIN');
    await client.query('CREATE TABLE move_progress (table_name text NOT NULL PRIMARY KEY, last_key text NOT NULL)');
    for (const table of sharedTables) await client.query(`ALTER TABLE "${table}" DISABLE TRIGGER USER`);
    await client.query('COMMIT');
  }
  const { rows } = await client.query<{ table_name: string; name: string; type: string }>(
    `SELECT table_name, column_name AS name, data_type AS type FROM information_schema.columns
     WHERE table_schema = current_schema() AND is_generated = 'NEVER' ORDER BY ordinal_position`,
  );
  return sharedTables.map((table) => {
    const columns = rows.filter(({ table_name }) => table_name === table);
    const key = file.all(`SELECT name FROM pragma_table_info('${table}') WHERE pk > 0 ORDER BY pk`, []);
    return { table, columns, key: key.map(({ name }) => String(name)) };
  });
}

/** Columns, and the condition of the rows after a key, in the order of the key. */
const selectAfter = ({ table, columns, key }: Layout, isFirst: boolean) => `
  SELECT ${quoted(columns.map(({ name }) => name))} FROM "${table}"
  ${isFirst ? '' : `WHERE (${quoted(key)}) > (${key.map((_, index) => `$${index + 1}`).join(', ')})`}
  ORDER BY ${quoted(key)} LIMIT ${chunkSize}`;

const keyOf = ({ columns, key }: Layout, row: readonly Value[]): Value[] =>
  key.map((name) => row[columns.findIndex((column) => column.name === name)]!);

function readFile(file: Connection, layout: Layout, after: readonly Value[] | undefined): Value[][] {
  return file.tuples(selectAfter(layout, after === undefined), after ?? []);
}

async function copyTable(options: {
  client: Client;
  file: Connection;
  layout: Layout;
  onCopied: (rows: number) => void;
}): Promise<void> {
  const { client, file, layout, onCopied } = options;
  const { table, columns } = layout;
  const { rows: progress } = await client.query<{ last_key: string }>({
    text: 'SELECT last_key FROM move_progress WHERE table_name = $1',
    values: [table],
  });
  let after = progress[0] && (JSON.parse(progress[0].last_key) as Value[]);
  const arrays = columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ');
  const insert = `INSERT INTO "${table}" (${quoted(columns.map(({ name }) => name))}) SELECT * FROM unnest(${arrays})`;
  for (;;) {
    const rows = readFile(file, layout, after);
    if (rows.length === 0) return;
    after = keyOf(layout, rows.at(-1)!);
    // The position is committed with the rows, so that an interrupted move neither loses nor repeats any.
    await client.query('BEGIN');
    await client.query(
      insert,
      columns.map(({ type }, index) => rows.map((row) => (type === 'bytea' ? bytesOf(row[index]!) : row[index]))),
    );
    await client.query(
      `INSERT INTO move_progress VALUES ($1, $2) ON CONFLICT (table_name) DO UPDATE SET last_key = excluded.last_key`,
      [table, JSON.stringify(after)],
    );
    await client.query('COMMIT');
    onCopied(rows.length);
  }
}

const bytesOf = (value: Value) => (value instanceof Uint8Array ? Buffer.from(value) : value);

/** Numbers as numbers, also those that `pg` returns as text. */
function comparable(value: unknown, type: string): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return value !== null && /^(bigint|integer|double precision)$/.test(type) ? Number(value) : value;
}

/** Returns the number of rows. @throws StorageError if a row differs */
async function compareTable(options: { client: Client; file: Connection; layout: Layout }): Promise<number> {
  const { client, file, layout } = options;
  let after: Value[] | undefined;
  for (let count = 0; ;) {
    const rows = readFile(file, layout, after);
    const { rows: copies } = await client.query<Value[]>({
      text: selectAfter(layout, after === undefined),
      values: after ?? [],
      rowMode: 'array',
    });
    const textOf = (row: readonly unknown[] | undefined) =>
      row && JSON.stringify(layout.columns.map(({ type }, index) => comparable(row[index], type)));
    for (let index = 0; index < Math.max(rows.length, copies.length); index++) {
      if (textOf(rows[index]) === textOf(copies[index])) continue;
      throw new StorageError('unexpected', `the copy of ${layout.table} differs after ${count + index} rows`);
    }
    if (rows.length === 0) return count;
    count += rows.length;
    after = keyOf(layout, rows.at(-1)!);
  }
}

/** New rows get numbers that were never given out before. */
async function finish(client: Client, file: Connection) {
  await client.query('BEGIN');
  for (const [table, column] of Object.entries({
    resources: 'ref',
    messages: 'seq',
    webhook_deliveries: 'seq',
    audience_changes: 'seq',
    mails: 'seq',
  })) {
    const last = file.get('SELECT max(seq) AS seq FROM sqlite_sequence WHERE name = $1', [table])?.['seq'] ?? 0;
    await client.query(`SELECT setval(pg_get_serial_sequence('${table}', '${column}'), $1 + 1, false)`, [last]);
  }
  await client.query(`SELECT setval('activity_seq', (SELECT coalesce(max(seq), 0) + 1 FROM activity), false)`);
  for (const table of sharedTables) await client.query(`ALTER TABLE "${table}" ENABLE TRIGGER USER`);
  await client.query('DROP TABLE move_progress');
  await client.query('COMMIT');
  await client.query('ANALYZE');
}
