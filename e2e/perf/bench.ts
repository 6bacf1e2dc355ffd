/**
 * `npm run bench -- NAME`: runs `NAME.bench.ts`; without a name `service`, the server against a bare one.
 * `STORE=postgres`: its servers are on a PostgreSQL server of their own, whose commits wait for the disk.
 */
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { startPostgres } from '../../.tools/postgres.ts';

const suffix = '.bench.ts';
const [name = 'service'] = process.argv.slice(2);
const names = globSync(`*${suffix}`, { cwd: import.meta.dirname }).map((file) => basename(file, suffix));
if (names.includes(name)) {
  const postgres = process.env['STORE'] === 'postgres' ? await startPostgres({ isDurable: true }) : undefined;
  if (postgres) process.env['DATABASE_URL'] = postgres.url;
  process.env['SECRET'] = 'a secret of the bench, of 32 and more characters';
  try {
    await import(`./${name}${suffix}`);
  } finally {
    await postgres?.stop();
  }
} else {
  console.error(`There is no benchmark "${name}". There are: ${names.toSorted().join(', ')}.`);
  process.exitCode = 1;
}
