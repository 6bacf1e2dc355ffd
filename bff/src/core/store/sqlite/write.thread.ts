/** The thread of the writer: each message is a batch of writes, which becomes one commit. */
import { workerData } from 'node:worker_threads';
import {
  type Row,
  type Statement,
  type Write,
  type WriteResult,
  StorageError,
  type StorageFault,
} from '../statement.ts';
import { serveThread } from '../thread.ts';
import { openConnection } from './connection.ts';
import { storageError } from './fault.ts';
import { giveSpaceBack } from './space.ts';

/** A batch of writes, a slice of unused space, or the request to close the connection. */
export type WriteRequest = readonly Write[] | 'give space back' | 'close';
type Outcome = WriteResult | { fault: StorageFault; message: string };
/** `newestEntry`: of the feed, after the commit. */
export interface WriteReply {
  outcomes: Outcome[];
  newestEntry?: number;
}

/**
 * Each commit deletes a few of the oldest entries of the feed that are too many, and a tenth of the others: 100,000 at
 * once would block all other writes for 34 ms, and a commit can add thousands.
 */
const mostEntries = 50_000;
const purgeSize = 200;
const purgeFeed = `DELETE FROM feed WHERE seq <= (
  SELECT min(newest.seq - ${mostEntries}, oldest.seq + ${purgeSize} + (newest.seq - ${mostEntries} - oldest.seq) / 10)
  FROM (SELECT min(seq) AS seq FROM feed) oldest, (SELECT max(seq) AS seq FROM feed) newest)`;

const selectNewest = 'SELECT coalesce(max(seq), 0) AS seq FROM feed';

/**
 * `commitDelay`: milliseconds, for measuring slow disks. `batchMs`: a batch takes no further write after so many milliseconds,
 * so that the next write does not wait for all of it.
 */
const { path, commitDelay, batchMs } = workerData as { path: string; commitDelay: number; batchMs: number };
const sleeper = new Int32Array(new SharedArrayBuffer(4));
const connection = openConnection({ path, readOnly: false });
const { raw } = connection;

/** The newest entry of the feed when there were not too many. */
let purgedAt = -1;

serveThread((request: WriteRequest): WriteReply => {
  if (request === 'give space back') return { outcomes: [slice()] };
  if (request !== 'close') return writeBatch(request);
  connection.close();
  return { outcomes: [] };
});

/** Has a row if more is left. */
function slice(): Outcome {
  try {
    rollback();
    return { ok: true, rows: giveSpaceBack(connection) ? [{ left: 1 }] : [] };
  } catch (error) {
    const { kind, message } = storageError(error);
    return { fault: kind, message };
  }
}

/**
 * Writes a batch in one transaction, with one commit, or as many of its first writes as there is time for. Each write of several statements has a savepoint, so that one bad write does not fail
 * its neighbours. If the commit fails, every write has failed. Outcomes are in the order of the writes.
 */
function writeBatch(writes: readonly Write[]): WriteReply {
  try {
    // An earlier rollback may have failed.
    rollback();
    exec('BEGIN IMMEDIATE');
    const until = performance.now() + batchMs;
    const outcomes: Outcome[] = [];
    for (const write of writes) {
      outcomes.push(guarded(write));
      if (performance.now() >= until) break;
    }
    const newestEntry = Number(connection.get(selectNewest, [])!['seq']);
    purge(newestEntry);
    requireTransaction();
    if (commitDelay > 0) Atomics.wait(sleeper, 0, 0, commitDelay);
    exec('COMMIT');
    return { outcomes, newestEntry };
  } catch (error) {
    rollback();
    const { kind, message } = storageError(error);
    const fault = kind === 'full' ? 'full' : 'away';
    return { outcomes: writes.map(() => ({ fault, message })) };
  }
}

function exec(sql: string) {
  connection.run(sql, []);
}

/** A full disk ends the transaction. The statements after it must not be committed alone. */
function requireTransaction() {
  if (!raw.isTransaction) throw new StorageError('away', 'the transaction was undone');
}

function rollback() {
  // SQLite itself rolls back on a full disk or an I/O error
  if (raw.isTransaction) exec('ROLLBACK');
}

function guarded(statements: Write): Outcome {
  // SQLite itself undoes a statement that fails. One that has touched no row has nothing to undo.
  if (statements.length === 1) return attempted(statements);
  exec('SAVEPOINT one');
  const outcome = attempted(statements);
  if (!('ok' in outcome && outcome.ok)) exec('ROLLBACK TO one');
  exec('RELEASE one');
  return outcome;
}

function attempted(statements: Write): Outcome {
  try {
    return execute(statements);
  } catch (error) {
    if (!raw.isTransaction) throw error;
    const { kind, message } = storageError(error);
    return { fault: kind, message };
  }
}

function execute(statements: Write): WriteResult {
  let rows: Row[] = [];
  for (const statement of statements) {
    if (isOnlyLock(statement)) continue;
    const { sql, params, orFail, isResult } = statement;
    const result = connection.run(sql, params ?? []);
    if (orFail !== undefined && result.changes === 0) return { ok: false, failed: orFail };
    if (isResult) rows = result.rows;
  }
  return { ok: true, rows };
}

/** There is one writer, which locks nothing. */
const isOnlyLock = ({ sql, orFail, isResult }: Statement<string>) =>
  orFail === undefined && !isResult && sql.endsWith(' FOR UPDATE');

/** Entries that cannot be deleted now are deleted by a later batch. One that has appended nothing looks for none. */
function purge(newestEntry: number) {
  requireTransaction();
  if (newestEntry === purgedAt) return;
  try {
    if (connection.run(purgeFeed, []).changes === 0) purgedAt = newestEntry;
  } catch {
    requireTransaction();
  }
}
