/**
 * `npm run bench -- values`: the job that keeps values, of DEVICES (100,000) devices that send once a minute, in MINUTES (5) minutes: its processor
 * time, with that of its threads. Then the bytes on the disk of a device that sends 8 numbers once a minute, after DAYS (400). Prints a table;
 * asserts nothing. On SQLite.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { machine } from './harness.ts';

const settings = [process.env['DEVICES'] ?? 100_000, process.env['MINUTES'] ?? 5, process.env['DAYS'] ?? 400].map(
  String,
);
console.log(`${machine()}, SQLite\n`);
await once(fork(join(import.meta.dirname, '../../bff/src/tests/values-bench.fixture.ts'), settings), 'exit');
