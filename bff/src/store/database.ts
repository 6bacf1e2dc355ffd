/**
 * The interface of the store. Statements cross it and never callbacks, so that a commit can be many writes and wait for the
 * disk in another thread. It knows nothing of HTTP, of users or of what they may do.
 */
import type { Kysely } from 'kysely';
import type { Query, Statement, WriteResult } from './statement.ts';
import type { Tables } from './tables.ts';

export interface Database {
  /** Reads rows of the declared shape. Sees only what is on disk. Throws StorageError. */
  read<R>(query: Query): Promise<R[]>;
  /** One atomic write, committed together with other waiting writes; resolves when it is on disk. */
  write(statements: Statement[]): Promise<WriteResult>;
  /**
   * Calls `subscriber` after each commit and waits for it before `write` resolves: the reads of this process then see what
   * was written. What it throws is reported and fails nothing. Returns a function that ends the subscription.
   */
  onCommit(subscriber: () => Promise<void>): () => void;
  /** For a thread that opens its own reader (open-reader.ts). */
  readonly url: string;
  /** For Better Auth: the same reader and the same writer behind Kysely. */
  kysely: Kysely<Tables>;
  readonly alive: boolean;
  close(): Promise<void>;
}
