/**
 * `npm run bench -- audience`: a page of who sees a device that is in SWARMS (1,000) swarms with MEMBERS (100) members and CHANGES (990)
 * changes each. With `STORE=postgres`, on PostgreSQL. Prints a table; asserts nothing.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { machine } from './harness.ts';

const settings = [
  process.env['DATABASE_URL'] ?? '',
  process.env['SWARMS'] ?? 1000,
  process.env['MEMBERS'] ?? 100,
  process.env['CHANGES'] ?? 990,
].map(String);
console.log(`${machine()}\n`);
await once(fork(join(import.meta.dirname, '../../bff/src/tests/audience-bench.fixture.ts'), settings), 'exit');
