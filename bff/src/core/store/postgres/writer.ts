import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient, QueryArrayResult } from 'pg';
import { createCommitCounts } from '../database.ts';
import { type Row, type Statement, type Value, type Write, type WriteResult, StorageError } from '../statement.ts';
import { prepared, rowsOf } from './connection.ts';
import { isBroken, isRetryable, storageError } from './fault.ts';
import { createWriteTurns, type QueuedWrite } from '../write-turns.ts';

interface Waiting {
  statements: Write;
  resolve: (result: WriteResult) => void;
  reject: (error: Error) => void;
}

/** In statements, or the rows that they write. */
const mostInBatch = { writes: 50, cost: 1000 };
/** How often a batch is sent, each time without the writes of the user whose write has undone it. */
const batchAttempts = 3;
/** Writes that have undone a batch: the other connections are for reads, which are refused if they wait for long. */
const aloneAtOnce = 5;
const attempts = 6;
/**
 * Milliseconds. The writes of a batch take their locks in no common order, so two processes may wait for each other. A
 * write alone takes them in order, and may wait longer.
 */
const batchLockMs = 100;
/** Milliseconds. Others hold the lock of the feed only for a commit. */
const feedLockMs = 5000;
/** Milliseconds. While the database is away, each write waits for a connection, a few at a time: the process would not end. */
const closeMs = 10_000;
const publish: Statement = { sql: 'SELECT publish_feed()' };
/** The lock of writes with `isInOrder`. Any number that no other program takes. */
const order: Statement = { sql: 'SELECT pg_advisory_xact_lock(5871236905)' };

/**
 * Commits writes in batches: what is waiting when the last batch returns is one transaction, whose statements are sent
 * together; users take turns in it. If a statement fails or an expectation is not met, the batch is undone, and is sent again
 * without the writes of that user. These get transactions of their own, so that one bad write does not fail its neighbours,
 * and the next batch does not wait for them.
 *
 * A batch publishes its entries of the feed itself, just before its commit: publishing them afterwards would be a second
 * commit that the response waits for. `onCommit` publishes for a write with a transaction of its own. Such writes commit
 * side by side, and the lock of the feed would let only one of them wait for the disk at a time.
 */
export function createWriter(options: {
  pool: Pool;
  onCommit: (isPublished: boolean) => Promise<void>;
  notifyOthers: () => void;
}) {
  const { pool, onCommit, notifyOthers } = options;
  const queue = createWriteTurns<Waiting>(mostInBatch);
  let isRunning = false;
  /** Writes that wait for a transaction of their own. */
  const apart = createWriteTurns<Waiting>({ writes: 1, cost: 1 });
  let runningAlone = 0;
  const commits = createCommitCounts();
  const unfinished = new Set<Promise<unknown>>();

  async function run() {
    isRunning = true;
    // Entries of the same turn of the event loop share the first batch too.
    await Promise.resolve();
    while (queue.length > 0) await commitTaken(queue.take());
    isRunning = false;
  }

  async function commitTaken(taken: readonly QueuedWrite<Waiting>[]) {
    await commitAll(taken);
    queue.end(taken);
  }

  async function commitAll(taken: readonly QueuedWrite<Waiting>[]) {
    let batch = taken;
    for (let attempt = 1; batch.length > 0; attempt++) {
      const result = await commitTogether(batch);
      if (result === 'done') return;
      const failed = attempt === batchAttempts ? undefined : batch[result.undoneBy];
      const isOut = (write: typeof failed) =>
        !failed || write === failed || (failed.user !== '' && write?.user === failed.user);
      for (const write of batch.filter(isOut)) {
        apart.add(write);
        if (runningAlone < aloneAtOnce) void runAlone();
      }
      batch = batch.filter((write) => !isOut(write));
    }
  }

  /** Commits them, or returns the index of the one that has undone all; -1 if that is not known. */
  async function commitTogether(batch: readonly Waiting[]): Promise<'done' | { undoneBy: number }> {
    const from = performance.now();
    let results: WriteResult[];
    try {
      results = await transact(
        pool,
        batch.map(({ statements }) => statements),
        { isBatch: true },
      );
    } catch (error) {
      if (error instanceof UndoneBatch) return { undoneBy: error.index };
      if (!(error instanceof UnknownOutcome)) return { undoneBy: -1 };
      // The commit was sent: nobody knows its outcome, and nothing may be repeated.
      const fault = storageError(error.cause);
      commits.addFailed(fault.kind);
      for (const { reject } of batch) reject(fault);
      return 'done';
    }
    if (batch.length > 1 && !results.at(-1)!.ok) return { undoneBy: results.length - 1 };
    commits.add({ writes: batch.length, from });
    // The next batch does not wait until the subscribers know of this one.
    void resolveAll(batch, results);
    return 'done';
  }

  async function runAlone() {
    runningAlone += 1;
    while (apart.length > 0) {
      const taken = apart.take();
      for (const write of taken) await commitAlone(write);
      apart.end(taken);
    }
    runningAlone -= 1;
  }

  async function resolveAll(batch: readonly Waiting[], results: readonly WriteResult[]) {
    if (results[0]!.ok) await onCommit(true);
    batch.forEach(({ resolve }, index) => resolve(results[index]!));
  }

  async function commitAlone({ statements, resolve, reject }: Waiting, appends = true) {
    const from = performance.now();
    try {
      const result = await repeated(() => alone(pool, statements));
      commits.add({ writes: 1, from });
      // Without an entry of the feed, no subscriber of this process knows more after it.
      if (result.ok) await (appends ? onCommit(false) : notifyOthers());
      resolve(result);
    } catch (error) {
      const fault = storageError(error instanceof UnknownOutcome ? error.cause : error);
      commits.addFailed(fault.kind);
      reject(fault);
    }
  }

  return {
    write(statements: Write): Promise<WriteResult> {
      const written = new Promise<WriteResult>((resolve, reject) => {
        const write = { statements, resolve, reject };
        if (statements[0]?.isInOrder) void commitAlone(write, false);
        else {
          queue.add(write);
          if (!isRunning) void run();
        }
      });
      unfinished.add(written);
      const forget = () => unfinished.delete(written);
      written.then(forget, forget);
      return written;
    },
    commits: commits.counts,
    /** Ends when all writes have, or after some seconds. */
    close: () =>
      Promise.race([Promise.allSettled(unfinished), new Promise((resolve) => setTimeout(resolve, closeMs).unref())]),
  };
}

/** The connection was lost during the commit. */
class UnknownOutcome extends Error {}

/** A statement of a batch has failed. */
class UndoneBatch extends Error {
  /** The index of its write in the batch. */
  readonly index: number;
  constructor(index: number, cause: unknown) {
    super('a statement of the batch has failed', { cause });
    this.index = index;
  }
}

/** Repeats a write that the server has undone because of another one. */
async function repeated<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (attempt === attempts || !isRetryable(error)) throw error;
      await sleep(Math.random() * 2 ** attempt * 4);
    }
  }
}

/** A single statement commits by itself. */
async function alone(pool: Pool, statements: Write): Promise<WriteResult> {
  const [first] = statements;
  if (statements.length !== 1 || !first) return (await transact(pool, [statements]))[0]!;
  const result = await (first.isInOrder ? inOrder(pool, first) : pool.query(prepared(pool, first.sql, first.params)));
  const failed = failureOf(first, result);
  return failed === undefined ? { ok: true, rows: first.isResult ? rowsOf(result) : [] } : { ok: false, failed };
}

const begin: Statement = { sql: 'BEGIN ISOLATION LEVEL READ COMMITTED' };
const setLockTimeout = (ms: number): Statement => ({ sql: `SET LOCAL lock_timeout = ${ms}` });

/**
 * Writes all of them in one transaction, or nothing: then the result of the write whose expectation was not met says so,
 * and there are no results after it.
 */
async function transact(pool: Pool, writes: readonly Write[], { isBatch = false } = {}): Promise<WriteResult[]> {
  const connection = await pool.connect();
  let broken: Error | undefined;
  const results: WriteResult[] = [];
  try {
    const opening = isBatch ? [begin, setLockTimeout(batchLockMs)] : [begin];
    const settled = await Promise.allSettled(
      send([...opening, ...writes.flat()], ({ sql, params }) => connection.query(prepared(pool, sql, params))),
    );
    const outcomes = settled.values();
    for (const _ of opening) valueOf(outcomes.next().value!);
    for (const statements of writes) {
      let rows: Row[] = [];
      for (const statement of statements) {
        const result = valueOf(outcomes.next().value!);
        const failed = failureOf(statement, result);
        if (failed !== undefined) {
          await connection.query('ROLLBACK');
          return [...results, { ok: false, failed }];
        }
        if (statement.isResult) rows = rowsOf(result);
      }
      results.push({ ok: true, rows });
    }
    await sendCommit(connection, isBatch ? [setLockTimeout(feedLockMs), publish] : []);
    return results;
  } catch (error) {
    if (isBroken(error)) broken = error as Error;
    else await connection.query('ROLLBACK').catch((lost: Error) => (broken = lost));
    // Without a write that has failed, it was the commit.
    if (isBatch && !broken && results.length < writes.length) throw new UndoneBatch(results.length, error);
    throw error;
  } finally {
    connection.release(broken);
  }
}

/**
 * Sends the statements in order, and returns a result for each. Equal checks are sent once. Plain inserts with the same
 * text are sent as one, in the place of the first, because most of the time of a single row is that of a statement.
 */
function send<T>(statements: Write, query: (statement: Statement<string>) => Promise<T>): Promise<T>[] {
  const groups = new Map<
    string | Statement<string>,
    { index: number; statements: Statement<string>[]; result?: Promise<T> }
  >();
  const keys = statements.map((statement) => {
    const { sql, params = [], once, isPlainInsert } = statement;
    return isPlainInsert ? sql : once ? `${sql} ${params.join()}` : statement;
  });
  for (const [index, statement] of statements.entries()) {
    const group = groups.get(keys[index]!);
    if (!group) groups.set(keys[index]!, { index, statements: [statement] });
    else if (statement.isPlainInsert) group.statements.push(statement);
    else if (statement.once === 'last') group.index = index;
  }
  for (const group of [...groups.values()].sort((a, b) => a.index - b.index))
    group.result = query(asOne(group.statements));
  return keys.map((key) => groups.get(key)!.result!);
}

/** Texts of inserts with several rows, by the text with one row and the number of rows. */
const insertTexts = new Map<string, string>();

function asOne(inserts: Write): Statement<string> {
  const [first] = inserts as [Statement<string>];
  if (inserts.length === 1) return first;
  const key = `${inserts.length} ${first.sql}`;
  let sql = insertTexts.get(key);
  if (sql === undefined) {
    const [, row = ''] = first.sql.split('VALUES');
    const shifted = inserts.map((_, index) =>
      row.replaceAll(/\$(\d+)/g, (_text, number) => `$${Number(number) + index * first.params!.length}`),
    );
    sql = first.sql.replace(row, shifted.join());
    insertTexts.set(key, sql);
  }
  return { sql, params: inserts.flatMap(({ params = [] }) => params) };
}

function valueOf<T>(outcome: PromiseSettledResult<T>): T {
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}

/** Sends the last statements together with the commit, so that a slow process never holds the lock of the feed. */
async function sendCommit(connection: PoolClient, last: readonly Statement[]) {
  const outcomes = await Promise.allSettled([...last, { sql: 'COMMIT' }].map(({ sql }) => connection.query(sql)));
  const committed = outcomes.pop()!;
  if (committed.status === 'rejected' && isBroken(committed.reason))
    throw new UnknownOutcome('the outcome of a commit is unknown', { cause: committed.reason });
  outcomes.forEach(valueOf);
  // After an error, the server answers COMMIT with ROLLBACK, which is no error of `pg`.
  if (valueOf(committed).command !== 'COMMIT') throw new StorageError('away', 'the transaction was undone');
}

/**
 * The lock is a statement before it, so that it sees what was committed while it waited: a trigger's lock would come after
 * its snapshot. Sent together with the commit, so that a slow process never holds the lock.
 */
async function inOrder(pool: Pool, statement: Statement<string>): Promise<QueryArrayResult> {
  const connection = await pool.connect();
  let broken: Error | undefined;
  try {
    const statements = [begin, order, statement, { sql: 'COMMIT' }];
    const outcomes = await Promise.allSettled(
      statements.map(({ sql, params }) => connection.query<Value[]>(prepared(pool, sql, params))),
    );
    return outcomes.map(valueOf)[2]!;
  } catch (error) {
    if (isBroken(error)) broken = error as Error;
    if (!broken || isRetryable(error)) throw error;
    throw new UnknownOutcome('the outcome of a commit is unknown', { cause: error });
  } finally {
    connection.release(broken);
  }
}

const failureOf = ({ orFail }: Statement<string>, { rowCount }: QueryArrayResult) => (rowCount ? undefined : orFail);
