/** Shares one promise between concurrent callers with the same key. The work is aborted when all callers have left. */
export function createSharedWork<T>() {
  interface Work {
    done: Promise<T>;
    waiting: number;
    stop: AbortController;
  }
  const running = new Map<string, Work>();

  function begin(key: string, work: (signal: AbortSignal) => Promise<T>): Work {
    const stop = new AbortController();
    const started: Work = { done: work(stop.signal), waiting: 0, stop };
    running.set(key, started);
    const forget = () => void (running.get(key) === started && running.delete(key));
    started.done.then(forget, forget);
    return started;
  }

  return {
    isRunning: (key: string) => running.has(key),

    /** Rejects with the error of the work, or when `signal` is aborted. */
    join(
      key: string,
      { signal, work }: { signal: AbortSignal; work: (signal: AbortSignal) => Promise<T> },
    ): Promise<T> {
      const joined = running.get(key) ?? begin(key, work);
      joined.waiting += 1;
      return new Promise<T>((resolve, reject) => {
        const leave = () => {
          joined.waiting -= 1;
          if (joined.waiting === 0) {
            running.delete(key);
            joined.stop.abort(signal.reason);
          }
          reject(signal.reason as Error);
        };
        if (signal.aborted) {
          leave();
          return;
        }
        signal.addEventListener('abort', leave, { once: true });
        joined.done.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
      });
    },
  };
}
