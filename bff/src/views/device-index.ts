import { randomBytes } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { Database } from '../storage/database.ts';
import { StorageError } from '../storage/statement.ts';
import { audienceKey } from './filters.ts';
import type { IndexAnswers, IndexQuestion, IndexReply, IndexRequest } from './index.thread.ts';

type About = IndexQuestion['about'];
type Asked<A extends About> = Omit<Extract<IndexQuestion, { about: A }>, 'about'>;

/** The indexes of what is looked at, in their thread. */
export interface DeviceIndex {
  /** Starts the thread before anybody asks. */
  warm(): void;
  /**
   * Right as of every write that has been answered; whether the caller may see the audience has been asked before.
   * Where the index is not built within the caller's patience: how much of it is read, from 0 to 1.
   */
  ask<A extends About>(about: A, question: Asked<A>): Promise<{ answer: IndexAnswers[A] } | { building: number }>;
  /** What is held for that audience stays until the function it returns is called. */
  watching(watched: { user: string; audience: string }): () => void;
  close(): Promise<void>;
}

/** Reading a million rows leaves much behind; with the default the thread would keep 150 MB for that. */
const maxYoungGenerationSizeMb = 24;

export function createDeviceIndex({ db }: { db: Database }): DeviceIndex {
  const waiting = new Map<number, { resolve: (reply: IndexReply) => void; reject: (error: Error) => void }>();
  /** How many look at each audience. */
  const watched = new Map<string, number>();
  let worker: Worker | undefined;
  let asked = 0;
  // what is told before a thread is there, it reads
  const unwatch = db.watch((changes) => worker?.postMessage({ changes } satisfies IndexRequest));

  function start(): Worker {
    const process = randomBytes(4).toString('hex');
    const started = new Worker(new URL('./index.thread.ts', import.meta.url), {
      workerData: { path: db.path, process },
      resourceLimits: { maxYoungGenerationSizeMb },
    });
    started.on('message', (reply: IndexReply) => {
      waiting.get(reply.id)?.resolve(reply);
      waiting.delete(reply.id);
    });
    const lose = (message: string) => {
      if (worker === started) worker = undefined;
      for (const { reject } of waiting.values()) reject(new StorageError('away', message));
      waiting.clear();
    };
    started.on('error', (error) => lose(error instanceof Error ? error.message : String(error)));
    started.on('exit', () => lose('the thread of the indexes has ended'));
    for (const key of watched.keys()) started.postMessage({ key, watched: true } satisfies IndexRequest);
    return started;
  }

  function watch(key: string, more: 1 | -1) {
    const before = watched.get(key) ?? 0;
    const now = before + more;
    if (now === 0) watched.delete(key);
    else watched.set(key, now);
    if (before === 0 || now === 0) worker?.postMessage({ key, watched: now > 0 } satisfies IndexRequest);
  }

  return {
    warm() {
      worker ??= start();
    },
    async ask<A extends About>(about: A, rest: Asked<A>) {
      worker ??= start();
      const id = asked++;
      const question = { about, ...rest } as unknown as IndexQuestion;
      const reply = await new Promise<IndexReply>((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        worker!.postMessage({ id, question } satisfies IndexRequest);
      });
      if ('fault' in reply) throw new StorageError('away', reply.fault);
      return 'building' in reply ? { building: reply.building } : { answer: reply.answer as IndexAnswers[A] };
    },
    watching({ user, audience }) {
      const key = audienceKey({ user, audience });
      watch(key, 1);
      return () => watch(key, -1);
    },
    async close() {
      unwatch();
      await worker?.terminate();
    },
  };
}
