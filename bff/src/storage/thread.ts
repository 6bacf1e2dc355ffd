import { Worker } from 'node:worker_threads';
import { StorageError } from './statement.ts';

interface Thread<Request, Reply> {
  /** Asks and waits; answers come in the order of the questions. Throws StorageError `away` once the thread is gone. */
  ask(request: Request): Promise<Reply>;
  readonly alive: boolean;
  stop(): Promise<void>;
}

export function startThread<Request, Reply>(file: URL, workerData: object): Thread<Request, Reply> {
  const worker = new Worker(file, { workerData });
  const asked: { resolve(reply: Reply): void; reject(error: Error): void }[] = [];
  let gone: Error | undefined;

  worker.on('message', (reply: Reply) => asked.shift()?.resolve(reply));
  worker.on('error', (error) => lose(error instanceof Error ? error.message : String(error)));
  worker.on('exit', () => lose('the storage thread has ended'));

  function lose(message: string) {
    gone ??= new StorageError('away', message);
    for (const { reject } of asked.splice(0)) reject(gone);
  }

  return {
    ask(request) {
      if (gone) return Promise.reject(gone);
      return new Promise((resolve, reject) => {
        // in this order: what cannot be sent must not take the place of another's answer
        worker.postMessage(request);
        asked.push({ resolve, reject });
      });
    },
    get alive() {
      return gone === undefined;
    },
    async stop() {
      await worker.terminate();
    },
  };
}
