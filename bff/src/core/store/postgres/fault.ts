import { DatabaseError } from 'pg';
import { StorageError, type StorageFault } from '../statement.ts';

// https://www.postgresql.org/docs/current/errcodes-appendix.html
/** Connection, resources, operator's intervention (shutdown, timeout), system error, read-only server, lock timeout. */
const away = /^(08|53|57|58|25006|55P03|25P03)/;
const diskFull = '53100';
/**
 * Serialisation failure, deadlock, and a transaction that failed before, whose own error may be of a statement that is
 * looked at later: nothing was written, and the same write can be repeated.
 */
const retryable = new Set(['40001', '40P01', '25P02']);

const codeOf = (error: unknown) => (error instanceof DatabaseError ? (error.code ?? '') : undefined);
/** A migration of another process has changed the columns: "cached plan must not change result type". */
const hasStalePlan = (error: unknown) => error instanceof DatabaseError && error.routine === 'RevalidateCachedQuery';

export const isRetryable = (error: unknown) => retryable.has(codeOf(error) ?? '') || hasStalePlan(error);
/** The connection is lost, or its prepared statements are no longer valid. */
export const isBroken = (error: unknown) => {
  const code = codeOf(error);
  return code === undefined || /^(08|57P)/.test(code) || hasStalePlan(error);
};

/** Errors that are not of the server are lost connections and timeouts. */
export function storageError(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const message = error instanceof Error ? error.message || String((error as { code?: string }).code) : String(error);
  return new StorageError(kindOf(error), message);
}

function kindOf(error: unknown): StorageFault {
  const code = codeOf(error);
  if (code === undefined) return error instanceof TypeError ? 'unexpected' : 'away';
  if (code === diskFull) return 'full';
  if (code.startsWith('23')) return 'constraint';
  return away.test(code) || isRetryable(error) ? 'away' : 'unexpected';
}
