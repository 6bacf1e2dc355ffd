import { StorageError } from '../statement.ts';
import type { Row, Statement, Value, WriteResult } from '../statement.ts';
import { startThread } from './thread.ts';
import type { WriteReply, WriteRequest } from './write.thread.ts';

/** A transaction its caller steps through. It has the writer to itself from its first step to its end. */
export interface SteppedTransaction {
  step(sql: string, params: readonly Value[]): Promise<{ rows: Row[]; changes: number }>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

export interface Writer {
  /** One atomic write; resolves when it is on disk. */
  write(statements: Statement[]): Promise<WriteResult>;
  begin(): SteppedTransaction;
  readonly alive: boolean;
  close(): Promise<void>;
}

type Waiting =
  | { statements: Statement[]; resolve(result: WriteResult): void; reject(error: Error): void }
  /** Runs with the writer to itself until the promise it returns settles. */
  | { exclusive(): Promise<void> };

/**
 * Group commit: a batch is whatever is waiting when the last commit returned, so a lone write waits
 * for nobody and a crowd shares one fsync. The commits happen in a thread of their own: with an
 * fsync of 100 ms the event loop would otherwise stand still for 100 ms at each of them.
 */
export function createWriter({
  path,
  commitDelay,
  transactionMs,
  onCommit,
  onLost,
}: {
  path: string;
  commitDelay: number;
  /** A stepped transaction that its caller forgot must not stop everybody's writes for longer. */
  transactionMs: number;
  /** Called after each commit; its `write` resolves afterwards. Must not throw: the write is on disk. */
  onCommit: () => Promise<void>;
  /** The thread has ended and is started again. */
  onLost: (error: Error) => void;
}): Writer {
  const thread = startThread<WriteRequest, WriteReply>({
    file: new URL('./write.thread.ts', import.meta.url),
    workerData: { path, commitDelay },
    onLost(error) {
      // its last commit may be on disk without a reply
      void onCommit();
      onLost(error);
    },
  });
  let waiting: Waiting[] = [];
  const idle: (() => void)[] = [];
  let busy = false;
  let closed = false;

  function enqueue(entry: Waiting) {
    if (closed) throw new StorageError('away', 'the database is closed');
    waiting.push(entry);
    if (!busy) void pump();
  }

  async function pump() {
    busy = true;
    // entries of the same turn of the event loop share the first batch too
    await Promise.resolve();
    while (waiting.length > 0) {
      const first = waiting[0]!;
      if ('exclusive' in first) {
        waiting.shift();
        await first.exclusive();
      } else {
        await commitBatch(takeBatch());
      }
    }
    busy = false;
    for (const resolve of idle.splice(0)) resolve();
  }

  function takeBatch() {
    const end = waiting.findIndex((entry) => 'exclusive' in entry);
    const batch = end === -1 ? waiting : waiting.slice(0, end);
    waiting = end === -1 ? [] : waiting.slice(end);
    return batch as Extract<Waiting, { statements: Statement[] }>[];
  }

  async function commitBatch(batch: Extract<Waiting, { statements: Statement[] }>[]) {
    try {
      const reply = await thread.ask({ batch: batch.map(({ statements }) => statements) });
      const { outcomes } = expectReply(reply, 'outcomes');
      await onCommit();
      for (const [index, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[index]!;
        if ('fault' in outcome) reject(new StorageError(outcome.fault, outcome.message));
        else resolve(outcome);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error as Error);
    }
  }

  function begin(): SteppedTransaction {
    /** Gives the writer back. */
    let taken: Promise<() => void> | undefined;
    let begun = false;
    let ended = false;

    const take = () =>
      new Promise<() => void>((resolve) => {
        enqueue({
          exclusive: () =>
            new Promise((release) => {
              const timer = setTimeout(() => void rollback(), transactionMs);
              resolve(() => {
                clearTimeout(timer);
                release();
              });
            }),
        });
      });

    async function end(how: 'COMMIT' | 'ROLLBACK') {
      if (ended) {
        if (how === 'COMMIT') throw new StorageError('away', 'the transaction took too long and was undone');
        return;
      }
      ended = true;
      const release = await taken;
      try {
        if (!begun) return;
        expectReply(await thread.ask({ end: how }), 'done');
        await onCommit();
      } finally {
        release?.();
      }
    }

    // if it fails, nothing is written either, and the next transaction rolls back first
    const rollback = () => end('ROLLBACK').catch(() => {});

    return {
      async step(sql, params) {
        taken ??= ended ? undefined : take();
        await taken;
        if (ended) throw new StorageError('away', 'the transaction has ended');
        const first = !begun;
        begun = true;
        return expectReply(await thread.ask({ step: { sql, params: [...params], first } }), 'rows');
      },
      commit: () => end('COMMIT'),
      rollback,
    };
  }

  return {
    write: (statements) => new Promise((resolve, reject) => enqueue({ statements, resolve, reject })),
    begin,
    get alive() {
      return thread.alive && !closed;
    },
    async close() {
      closed = true;
      if (busy) await new Promise<void>((resolve) => idle.push(resolve));
      // a thread that is gone has nothing left to close
      await thread.ask({ close: true }).catch(() => {});
      await thread.stop();
    },
  };
}

function expectReply<K extends string>(reply: WriteReply, key: K): Extract<WriteReply, Record<K, unknown>> {
  if ('fault' in reply) throw new StorageError(reply.fault, reply.message);
  if (!(key in reply)) throw new StorageError('away', 'the storage thread answered out of turn');
  return reply as Extract<WriteReply, Record<K, unknown>>;
}
