import type { Connection } from './connection.ts';
import { storageError } from './fault.ts';
import type { Row, Write, WriteResult } from '../statement.ts';
import { StorageError, type StorageFault } from '../storage-error.ts';

export type Outcome = WriteResult | { fault: StorageFault; message: string };

/**
 * Each commit deletes a few of the oldest entries of the feed that are too many, and a tenth of the others: 100,000 at
 * once would block all other writes for 34 ms, and a commit can add thousands.
 */
const mostEntries = 50_000;
const purgeSize = 200;
const purgeFeed = `DELETE FROM feed WHERE seq <= (
  SELECT min(newest.seq - ${mostEntries}, oldest.seq + ${purgeSize} + (newest.seq - ${mostEntries} - oldest.seq) / 10)
  FROM (SELECT min(seq) AS seq FROM feed) oldest, (SELECT max(seq) AS seq FROM feed) newest)`;

/**
 * Writes a batch in one transaction, with one commit. Each write has a savepoint, so that one bad write does not fail
 * its neighbours. If the commit fails, every write has failed. Outcomes are in the order of the writes. `beforeCommit` is
 * for measuring slow disks.
 */
export function createBatchWriter(options: {
  connection: Connection;
  beforeCommit: () => void;
}): (writes: readonly Write[]) => Outcome[] {
  const { connection, beforeCommit } = options;
  const { raw } = connection;
  const exec = (sql: string) => connection.run(sql, []);

  function begin() {
    // An earlier rollback may have failed.
    rollback();
    exec('BEGIN IMMEDIATE');
  }

  /** A full disk ends the transaction. The statements after it must not be committed alone. */
  function requireTransaction() {
    if (!raw.isTransaction) throw new StorageError('away', 'the transaction was undone');
  }

  function commit() {
    requireTransaction();
    beforeCommit();
    exec('COMMIT');
  }

  function rollback() {
    // SQLite itself rolls back on a full disk or an I/O error
    if (raw.isTransaction) exec('ROLLBACK');
  }

  function one(statements: Write): WriteResult {
    let rows: Row[] = [];
    for (const { sql, params, orFail, isResult } of statements) {
      const result = connection.run(sql, params ?? []);
      if (orFail !== undefined && result.changes === 0) return { ok: false, failed: orFail };
      if (isResult) rows = result.rows;
    }
    return { ok: true, rows };
  }

  function guarded(statements: Write): Outcome {
    exec('SAVEPOINT one');
    let outcome: Outcome;
    try {
      outcome = one(statements);
    } catch (error) {
      if (!raw.isTransaction) throw error;
      const { kind, message } = storageError(error);
      outcome = { fault: kind, message };
    }
    if (!('ok' in outcome && outcome.ok)) exec('ROLLBACK TO one');
    exec('RELEASE one');
    return outcome;
  }

  /** Entries that cannot be deleted now are deleted by a later batch. */
  function purge() {
    requireTransaction();
    try {
      connection.run(purgeFeed, []);
    } catch {
      requireTransaction();
    }
  }

  return (writes) => {
    try {
      begin();
      const outcomes = writes.map(guarded);
      purge();
      commit();
      return outcomes;
    } catch (error) {
      rollback();
      const { kind, message } = storageError(error);
      const fault = kind === 'full' ? 'full' : 'away';
      return writes.map(() => ({ fault, message }));
    }
  };
}
