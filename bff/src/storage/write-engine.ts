import type { Change, ChangeLog } from './change-log.ts';
import type { Connection } from './connection.ts';
import { StorageError, faultOf } from './statement.ts';
import type { Row, Statement, StorageFault, Value, WriteResult } from './statement.ts';

export type Outcome = WriteResult | { fault: StorageFault; message: string };

interface WriteEngine {
  /** Writes the batch in one transaction with one commit. Outcomes are in the order of the writes. */
  batch(writes: readonly Statement[][]): { outcomes: Outcome[]; changes: Change[] };
  /** One statement of a transaction that its caller steps through; the first one begins it. */
  step(statement: { sql: string; params: readonly Value[]; first: boolean }): { rows: Row[]; changes: number };
  end(how: 'COMMIT' | 'ROLLBACK'): Change[];
}

/**
 * The one that writes. Each write of a batch has a savepoint, so that one bad write does not fail
 * its neighbours; all share the commit and its fsync. If the commit fails, every write failed.
 * `beforeCommit` is for measuring slow disks.
 */
export function createWriteEngine(options: {
  connection: Connection;
  log: ChangeLog;
  beforeCommit?: () => void;
}): WriteEngine {
  const { connection, log, beforeCommit = () => {} } = options;
  const { raw } = connection;
  const exec = (sql: string) => connection.run(sql, []);

  function begin() {
    // what an earlier rollback could not end
    rollback();
    exec('BEGIN IMMEDIATE');
  }

  /** A full disk ends a transaction under its caller: what comes after it must not be committed alone. */
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
    log.undo(0);
  }

  function one(statements: readonly Statement[]): WriteResult {
    const rows: Row[][] = [];
    for (const [index, { sql, params, expect }] of statements.entries()) {
      const result = connection.run(sql, params ?? []);
      if (expect === 'row' && result.changes === 0) return { ok: false, failed: index };
      rows.push(result.rows);
    }
    return { ok: true, rows };
  }

  function guarded(statements: readonly Statement[]): Outcome {
    const mark = log.mark();
    exec('SAVEPOINT one');
    let outcome: Outcome;
    try {
      outcome = one(statements);
    } catch (error) {
      if (!raw.isTransaction) throw error;
      const { kind, message } = faultOf(error);
      outcome = { fault: kind, message };
    }
    if (!('ok' in outcome && outcome.ok)) {
      exec('ROLLBACK TO one');
      log.undo(mark);
    }
    exec('RELEASE one');
    return outcome;
  }

  return {
    batch(writes) {
      try {
        begin();
        const outcomes = writes.map(guarded);
        commit();
        return { outcomes, changes: log.take() };
      } catch (error) {
        rollback();
        const { kind, message } = faultOf(error);
        const fault = kind === 'full' ? 'full' : 'away';
        return { outcomes: writes.map(() => ({ fault, message })), changes: [] };
      }
    },
    step({ sql, params, first }) {
      if (first) begin();
      requireTransaction();
      return connection.run(sql, params);
    },
    end(how) {
      try {
        if (how === 'COMMIT') commit();
        else rollback();
      } catch (error) {
        rollback();
        throw error;
      }
      return log.take();
    },
  };
}
