/** What a row of `operationLimits` has, and the rows that many operations share. */
import { limits } from './field-rules.ts';

/** The limits of a JSON body: its bytes, and the items of each of its arrays. Both are checked before the schema. */
export interface BodyLimits {
  bytes: number;
  items: number;
  /** The bytes of a chunked body, whose length is not known before its end. By default those of a small one. */
  chunkedBytes?: number;
  /** Only what the schema names is checked: another program fills the rest as it likes. */
  ignoresRest?: true;
}

/**
 * Where the work is done that grows with a user's data. `main`: there is none. `chunks`: rows are read on the main thread in
 * chunks, each in a turn of its own and when the client has read the one before. `reader`: a thread with read-only
 * connections (on PostgreSQL, connections of their own). `index`: the thread with the viewed devices. Users take turns in
 * both. `writer`: one commit. `actions`: chunks of 100 items, users in turn. `hash`: the threads that hash passwords.
 */
type RunsIn = 'main' | 'chunks' | 'reader' | 'index' | 'writer' | 'actions' | 'hash';

export interface OperationLimits {
  /** Undefined if it reads no body. */
  body?: BodyLimits;
  runs: RunsIn;
  /** The rows that one statement reads on the main thread, at most. */
  rows: number;
  /**
   * Its response is an event stream, or is made in parts: it waits when its client has not read enough. Other requests are then
   * refused.
   */
  isStreamed?: true;
  /** A setting decides whether the server has it. */
  isOptional?: true;
}

/** The values in a body, at any depth. Checked before it is parsed: each costs up to 10 µs. */
export const mostValues = 20_000;
export const small: BodyLimits = { bytes: limits.bodyBytes, items: limits.membersAtOnce };
/** Rows that are found by their keys: the record, the caller's relation to it, its swarm. */
export const rows = 20;
export const point: OperationLimits = { runs: 'main', rows };
export const write: OperationLimits = { runs: 'writer', rows };
export const written: OperationLimits = { ...write, body: small };
export const inChunks: OperationLimits = { runs: 'chunks', rows: 250, isStreamed: true };
export const inReader: OperationLimits = { runs: 'reader', rows };
/** A list, which is read in chunks: each when the client has read the one before. */
export const listInReader: OperationLimits = { runs: 'reader', rows: 250, isStreamed: true };
export const inIndex: OperationLimits = { runs: 'index', rows };
export const ofPassword: OperationLimits = { runs: 'hash', rows, body: small };
