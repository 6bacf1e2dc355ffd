/**
 * What clients and operators see, in the order of the alphabet: moving code changes none of it. A change that is meant is written
 * with `vitest -u`.
 */
import { expect, test } from 'vitest';
import { problemCodes } from '../contract.ts';
import { jobLimits } from '../core/limits/job-limits.ts';
import type { JobLimits } from '../core/limits/job-rows.ts';
import { mapRows, queueTable, quotaTable, rateTable, slotTable } from '../core/limits/limit-tables.ts';
import { operationLimits } from '../core/limits/operation-limits.ts';
import { policy } from '../core/endpoint/policy.ts';
import { schemaOfSqlite } from '../core/store/schema.fixture.ts';
import { openConnection } from '../core/store/sqlite/connection.ts';
import { migrate } from '../core/store/sqlite/migrate.ts';
import { temporaryFolder } from '../core/store/store.fixture.ts';
import { createTestServer } from './test-server.fixture.ts';

/** A line for each row of each table. */
const linesOf = (tables: Record<string, object>): string =>
  Object.entries(tables)
    .flatMap(([table, rows]) =>
      Object.entries(rows).map(([name, row]) => `${table} ${name} ${JSON.stringify(sorted(row))}`),
    )
    .toSorted()
    .join('\n') + '\n';

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, each]) => [name, sorted(each)]));
}

const inOrder = (list: string): string => list.split(',').toSorted().join(',');

test('the document of the API', async () => {
  await using server = await createTestServer();
  const document = (await (await server.fetch('/service/openapi.json')).json()) as {
    info: object;
    paths: Record<string, object>;
    components: Record<string, object>;
  };
  const { info, paths, components, ...rest } = document;
  const text = linesOf({ rest, info, ...components, ...paths });
  // Enums of codes and the kinds of events are in the order of their tables.
  const ordered = text
    .replaceAll(/"enum":\[("[a-z_]+\.[^\]]*)\]/g, (_, codes: string) => `"enum":[${inOrder(codes)}]`)
    .replaceAll(/"oneOf":\[([^\]]*Event"[^\]]*)\]/g, (_, kinds: string) => `"oneOf":[${inOrder(kinds)}]`);
  await expect(ordered).toMatchFileSnapshot('golden/api.txt');
});

test('the codes of problems', async () => {
  await expect(linesOf({ problem: mapRows(problemCodes, ([status, title]) => [status, title]) })).toMatchFileSnapshot(
    'golden/problems.txt',
  );
});

test('limits and rights', async () => {
  const quotas = mapRows(quotaTable, ({ who, what, most }) => ({ who, what, most }));
  // Where it runs is no part of it.
  const jobs = mapRows(jobLimits, ({ in: _in, ...row }: JobLimits) => row);
  const tables = { rateTable, slotTable, queueTable, quotaTable: quotas, operationLimits, jobLimits: jobs, policy };
  await expect(linesOf(tables)).toMatchFileSnapshot('golden/limits.txt');
});

test('the schema', async () => {
  using folder = temporaryFolder();
  const connection = openConnection({ path: folder.path, readOnly: false });
  migrate({ connection });
  const schema = schemaOfSqlite(connection);
  connection.close();
  const lines = Object.entries(schema).flatMap(([kind, rows]) =>
    rows.map((row: object | string) => `${kind} ${JSON.stringify(row)}`),
  );
  await expect(`${lines.toSorted((a, b) => (a < b ? -1 : 1)).join('\n')}\n`).toMatchFileSnapshot('golden/schema.txt');
});
