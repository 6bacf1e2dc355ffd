import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Client } from 'pg';
import type { Connection } from './sqlite/connection.ts';
import type { Row } from './statement.ts';
import { baseTables, type Store } from './schema/tables.ts';

/** A dump of a database that has the first migration only, with rows in every table. */
export const firstReleaseDump = (store: Store): string =>
  gunzipSync(readFileSync(join(import.meta.dirname, `schema/first-release/${store}.sql.gz`))).toString();

const namesOfTables = (store: Store): string[] =>
  baseTables(store).flatMap((statement) => /^CREATE TABLE "?(\w+)/.exec(statement)?.[1] ?? []);

const selectRows = (table: string) => `SELECT * FROM "${table}" ORDER BY 1`;

/** The rows of every table of the first migration. */
export function rowsOfSqlite(connection: Connection): Record<string, Row[]> {
  return Object.fromEntries(namesOfTables('sqlite').map((table) => [table, connection.all(selectRows(table), [])]));
}
export async function rowsOfPostgres(client: Client): Promise<Record<string, unknown[]>> {
  const rows: Record<string, unknown[]> = {};
  for (const table of namesOfTables('postgres'))
    rows[table] = (await client.query(selectRows(table))).rows as unknown[];
  return rows;
}

interface Column {
  table: string;
  name: string;
  type: 'text' | 'integer' | 'real' | 'blob';
  isNullable: boolean;
  isGenerated: boolean;
}

interface Schema {
  columns: Column[];
  /** Their definitions without what the stores write in different ways. */
  indexes: string[];
  /** `table(columns)` of primary keys and unique columns, and `table(columns)>other(columns)` of references. */
  constraints: string[];
  triggers: string[];
}

/** https://www.sqlite.org/datatype3.html#determination_of_column_affinity; `date` is a text. */
function typeOf(declared: string): Column['type'] {
  if (/int/i.test(declared)) return 'integer';
  if (/text|date/i.test(declared)) return 'text';
  if (/blob|bytea/i.test(declared)) return 'blob';
  return 'real';
}

const plain = (definition: string) =>
  definition.replaceAll(/::text|\bpublic\.|\bUSING btree\b|["()\s]/g, '').toLowerCase();

export function schemaOfSqlite(connection: Connection): Schema {
  const named = (type: string) =>
    connection.all(`SELECT name, sql FROM sqlite_schema WHERE type = $1 AND name NOT LIKE 'sqlite_%' ORDER BY name`, [
      type,
    ]);
  const tables = named('table').map(({ name }) => String(name));
  const list = (table: string, rows: Row[]) => `${table}(${rows.map(({ name }) => name).join()})`;
  return {
    columns: tables.flatMap((table) =>
      connection.all(`SELECT * FROM pragma_table_xinfo($1)`, [table]).map((column) => ({
        table,
        name: String(column['name']),
        type: typeOf(String(column['type'])),
        isNullable: column['notnull'] === 0 && column['pk'] === 0,
        isGenerated: column['hidden'] !== 0,
      })),
    ),
    indexes: named('index').map(({ sql }) => plain(String(sql))),
    constraints: tables
      .flatMap((table) => [
        ...connection
          .all(`SELECT name FROM pragma_index_list($1) WHERE origin IN ('pk', 'u')`, [table])
          .map(({ name }) => list(table, connection.all('SELECT name FROM pragma_index_info($1)', [name!]))),
        // The primary key of a table with row numbers has no index.
        ...connection
          .all(`SELECT name FROM pragma_table_info($1) WHERE pk = 1 AND lower(type) = 'integer'`, [table])
          .filter(() => !connection.get(`SELECT 1 FROM pragma_index_list($1) WHERE origin = 'pk'`, [table]))
          .map((row) => list(table, [row])),
        ...connection
          .all(
            `SELECT $1 || '(' || "from" || ')>' || "table" || ' ' || on_delete AS name FROM pragma_foreign_key_list($1)`,
            [table],
          )
          .map(({ name }) => String(name)),
      ])
      .toSorted(),
    triggers: named('trigger').map(({ sql }) => String(sql)),
  };
}

export async function schemaOfPostgres(client: Client): Promise<Schema> {
  const all = async (sql: string) => (await client.query<Record<string, string>>(sql)).rows;
  const columns = await all(`SELECT * FROM information_schema.columns WHERE table_schema = 'public'
    ORDER BY table_name COLLATE "C", ordinal_position`);
  const indexes = await all(`SELECT pg_get_indexdef(indexrelid) AS sql FROM pg_index
    JOIN pg_class c ON c.oid = indexrelid WHERE relnamespace = 'public'::regnamespace
      AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u'))
    ORDER BY relname COLLATE "C"`);
  const constraints = await all(`SELECT conrelid::regclass::text AS "table", pg_get_constraintdef(oid) AS sql
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype IN ('p', 'u', 'f')`);
  const triggers = await all(`SELECT pg_get_triggerdef(t.oid) || ' ' || pg_get_functiondef(t.tgfoid) AS sql
    FROM pg_trigger t WHERE NOT tgisinternal ORDER BY tgname COLLATE "C"`);
  return {
    columns: columns.map((column) => ({
      table: column['table_name']!,
      name: column['column_name']!,
      type: typeOf(column['data_type']!),
      isNullable: column['is_nullable'] === 'YES',
      isGenerated: column['is_generated'] === 'ALWAYS',
      ...(column['data_type'] === 'text' && column['collation_name'] !== 'C' && { collation: 'not C' }),
    })),
    indexes: indexes.map(({ sql }) => plain(sql!)),
    constraints: constraints
      .map(({ table, sql }) =>
        `${table}${sql}`
          .replaceAll('"', '')
          .replaceAll(', ', ',')
          .replace(/(PRIMARY KEY|UNIQUE|FOREIGN KEY) /, '')
          .replace(/ REFERENCES (\w+)\(\w+\) ON DELETE /, '>$1 '),
      )
      .toSorted(),
    triggers: triggers.map(({ sql }) => sql!),
  };
}
