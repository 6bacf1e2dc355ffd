/**
 * Returns `call`, which sends a request to a worker, with a port for its reply. The first call starts the worker, if
 * `start` has not. After an error in the worker, the next call starts another.
 */
export function createWorkerCalls<Request, Reply>(create: () => Worker) {
  let worker: Worker | undefined;
  const start = () => (worker ??= create());
  const call = (request: Request, transfer: Transferable[] = []): Promise<Reply> => {
    const { port1, port2 } = new MessageChannel();
    const used = start();
    const ended = new AbortController();
    return new Promise<Reply>((resolve, reject) => {
      port1.addEventListener('message', ({ data }: MessageEvent<Reply>) => resolve(data));
      port1.start();
      const fail = ({ message }: ErrorEvent) => {
        if (worker === used) worker = undefined;
        used.terminate();
        reject(new Error(message));
      };
      used.addEventListener('error', fail, { signal: ended.signal });
      used.postMessage({ request, port: port2 }, [...transfer, port2]);
    }).finally(() => {
      ended.abort();
      port1.close();
    });
  };
  return { start, call };
}

/** A message of `createWorkerCalls`, as its worker receives it. */
export type WorkerCall<Request> = MessageEvent<{ request: Request; port: MessagePort }>;
