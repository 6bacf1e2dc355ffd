import { constants, setPriority } from 'node:os';
import { Worker, parentPort, type ResourceLimits } from 'node:worker_threads';
import { StorageError, type StorageFault } from './statement.ts';

interface Thread<Request, Reply> {
  /**
   * Asks and waits for the reply.
   * @throws StorageError of the thread, or `away` if it ends first; the reason of `signal` if it is aborted
   */
  ask(request: Request, signal?: AbortSignal): Promise<Reply>;
  /** Starts it in advance; otherwise the first request does. */
  warm(): void;
  readonly isStarted: boolean;
  /** False while there is no thread: it has just ended, or was stopped. */
  readonly alive: boolean;
  /** How often it has ended by itself. */
  readonly restarts: number;
  stop(): Promise<void>;
}

type Message<Request> = { id: number; request: Request } | { cancel: number };
type Reply<Result> = { id: number } & ({ result: Result } | { fault: StorageFault; message: string });

const longestPauseMs = 5000;

/**
 * A thread of `serveThread`, which starts with the first request: a command of an operator often needs none, and a start takes
 * 45 ms of processor time. Another one starts whenever it ends by itself: at once, or after a pause if it did not reply to
 * anything. `onLost` gets the reason; earlier requests may have been executed or not.
 */
export function createThread<Request, Result>(options: {
  file: URL;
  workerData: object;
  resourceLimits?: ResourceLimits;
  /** Requests to each new thread, whose replies are ignored. */
  initial?: () => Iterable<Request>;
  onLost: (error: Error) => void;
}): Thread<Request, Result> {
  const { file, workerData, resourceLimits, initial, onLost } = options;
  const pendingReplies = new Map<number, { resolve(result: Result): void; reject(error: Error): void }>();
  let lastId = 0;
  let restarting: NodeJS.Timeout | undefined;
  let pauseMs = 0;
  let restarts = 0;
  let isStarted = false;
  let isStopped = false;
  let worker: Worker | undefined;

  function send(message: Message<Request>) {
    worker!.postMessage(message);
  }

  function warm() {
    if (!isStarted && !isStopped) start();
  }

  function start() {
    isStarted = true;
    worker = new Worker(file, { workerData, ...(resourceLimits && { resourceLimits }) });
    let reason = 'it was terminated';
    worker.on('message', ({ id, ...reply }: Reply<Result>) => {
      pauseMs = 0;
      const requested = pendingReplies.get(id);
      pendingReplies.delete(id);
      if ('result' in reply) requested?.resolve(reply.result);
      else requested?.reject(new StorageError(reply.fault, reply.message));
    });
    worker.on('error', (error) => (reason = error instanceof Error ? error.message : String(error)));
    worker.on('exit', () => {
      worker = undefined;
      const error = new StorageError('away', `the storage thread has ended: ${reason}`);
      for (const { reject } of pendingReplies.values()) reject(error);
      pendingReplies.clear();
      if (isStopped) return;
      restarts += 1;
      if (pauseMs === 0) start();
      else restarting = setTimeout(start, pauseMs);
      pauseMs = Math.min(longestPauseMs, 2 * pauseMs + 100);
      onLost(error);
    });
    for (const request of initial?.() ?? []) send({ id: lastId++, request });
  }

  return {
    async ask(request, signal) {
      warm();
      if (!worker) throw new StorageError('away', 'the storage thread has ended');
      const id = lastId++;
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      send({ id, request });
      pendingReplies.set(id, { resolve, reject });
      if (!signal) return promise;
      const cancel = () => {
        if (pendingReplies.delete(id) && worker) send({ cancel: id });
        reject(signal.reason);
      };
      signal.addEventListener('abort', cancel);
      return promise.finally(() => signal.removeEventListener('abort', cancel));
    },
    warm,
    get isStarted() {
      return isStarted;
    },
    get alive() {
      return !isStopped && (worker !== undefined || !isStarted);
    },
    get restarts() {
      return restarts;
    },
    async stop() {
      isStopped = true;
      clearTimeout(restarting);
      await worker?.terminate();
      worker = undefined;
    },
  };
}

/**
 * In a worker thread: answers each request. `signalOf` makes a signal that is aborted when the reply is no longer needed. `buffersOf`:
 * those of a result that are moved, and not copied.
 */
export function serveThread<Request, Result>(
  answer: (request: Request, signalOf: () => AbortSignal) => Result | Promise<Result>,
  buffersOf: (result: Result, request: Request) => ArrayBuffer[] = () => [],
): void {
  /** Only of requests that can be cancelled: a controller for each commit would be garbage. */
  const clients = new Map<number, AbortController>();

  async function reply(id: number, request: Request): Promise<Reply<Result>> {
    const signalOf = () => {
      const client = new AbortController();
      clients.set(id, client);
      return client.signal;
    };
    try {
      return { id, result: await answer(request, signalOf) };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { id, fault: error instanceof StorageError ? error.kind : 'unexpected', message };
    } finally {
      clients.delete(id);
    }
  }

  parentPort!.on('message', (message: Message<Request>) => {
    if ('cancel' in message) clients.get(message.cancel)?.abort();
    else
      void reply(message.id, message.request).then((answered) =>
        parentPort!.postMessage(answered, 'result' in answered ? buffersOf(answered.result, message.request) : []),
      );
  });
}

/**
 * In a worker thread: lets the other threads of the process go first when the processors are busy. Only Linux has priorities of threads;
 * elsewhere it would be that of the whole process.
 */
export function letOthersGoFirst(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}
