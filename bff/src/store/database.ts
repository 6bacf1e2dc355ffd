/**
 * The interface of the store. Statements cross it and never callbacks, so that a commit can be many writes and wait for the
 * disk in another thread. It knows nothing of HTTP, of users or of what they may do.
 */
import type { Kysely } from 'kysely';
import type { Statement, Value, WriteResult } from './statement.ts';
import type { Tables } from './tables.ts';

export interface Database {
  /** A point read on the read-only connection: sees only what is on disk. Synchronous, a few microseconds. */
  get<R>(sql: string, ...params: Value[]): R | undefined;
  /** A bounded read (a chunk of a list), synchronous like `get`. */
  all<R>(sql: string, ...params: Value[]): R[];
  /** A bounded read of rows as arrays, in the order of the columns: half the work and memory of `all`. */
  tuples(sql: string, ...params: Value[]): Value[][];
  /** A read whose cost grows with the number of rows: runs in a thread of its own, off the event loop. */
  query<R>(sql: string, params?: readonly Value[]): Promise<R[]>;
  /** One atomic write, committed together with whoever else waits; resolves when it is on disk. */
  write(statements: Statement[]): Promise<WriteResult>;
  /**
   * Calls `subscriber` after each commit, before `write` resolves: the reads of this process then see what was written.
   * What it throws is reported and fails nothing. Returns a function that ends the subscription.
   */
  onCommit(subscriber: () => void): () => void;
  /** Of the file, for a thread that reads by itself. */
  readonly path: string;
  /** For Better Auth: the same reader and the same writer behind Kysely. */
  kysely: Kysely<Tables>;
  readonly alive: boolean;
  close(): Promise<void>;
}
