/**
 * A whole server whose disk takes `delay` milliseconds to sync, for `npm run bench -- fsync`, which starts it as
 * `slow-disk.fixture.ts thread|inline DELAY`. It commits in the writer's thread, as in production, or inline in the
 * main thread, with the same group commit. Sends `{ url, key }` when it listens, and for each message how long its
 * event loop was blocked since the previous one, in milliseconds.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { openConnection } from '../store/sqlite/connection.ts';
import { openDatabase } from '../store/sqlite/open-database.ts';
import type { Database } from '../store/database.ts';
import { StorageError } from '../store/statement.ts';
import type { Write, WriteResult } from '../store/statement.ts';
import { createBatchWriter } from '../store/sqlite/batch-writer.ts';
import { benchUser as user, serveBench } from './bench-server.fixture.ts';

const [mode, delayText] = process.argv.slice(2);
const delay = Number(delayText);
const folder = mkdtempSync(join(tmpdir(), 'swarmdeck-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true }));

const path = join(folder, 'bench.db');
const opened = await openDatabase({ url: pathToFileURL(path).href, commitDelay: delay });
const db: Database = mode === 'inline' ? { ...opened, write: inlineWriter() } : opened;
const { app, url } = await serveBench({ db });
await app.operator.addUser(user);
const { key } = await app.operator.createKey({ user: user.name, name: 'bench' });
process.send?.({ url, key });

const loop = monitorEventLoopDelay({ resolution: 1 });
loop.enable();
process.on('message', () => {
  const milliseconds = (nanoseconds: number) => nanoseconds / 1e6;
  process.send?.({ p99: milliseconds(loop.percentile(99)), max: milliseconds(loop.max) });
  loop.reset();
});
process.on('disconnect', () => process.exit(0));

/** The writer without its thread: pending writes are committed and synced in the main thread. */
function inlineWriter(): Database['write'] {
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  const connection = openConnection({ path, readOnly: false });
  const writeBatch = createBatchWriter({
    connection,
    beforeCommit() {
      if (delay > 0) Atomics.wait(sleeper, 0, 0, delay);
    },
  });
  let waiting: { statements: Write; resolve(result: WriteResult): void; reject(error: Error): void }[] = [];

  function commit() {
    const batch = waiting;
    waiting = [];
    const outcomes = writeBatch(batch.map(({ statements }) => statements));
    for (const [index, { resolve, reject }] of batch.entries()) {
      const outcome = outcomes[index]!;
      if ('fault' in outcome) reject(new StorageError(outcome.fault, outcome.message));
      else resolve(outcome);
    }
  }

  const write = (statements: Write) =>
    new Promise<WriteResult>((resolve, reject) => {
      if (waiting.length === 0) setImmediate(commit);
      waiting.push({ statements, resolve, reject });
    });
  return write as Database['write'];
}
