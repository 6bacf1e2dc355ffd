/** Returns a function that runs the work of each key one after the other, in the order of the calls. Keys do not wait for each other. */
export function createOneAtATime() {
  /** The end of the last work of each key. */
  const last = new Map<string, Promise<void>>();
  return async function runInOrder<T>(key: string, work: () => Promise<T>): Promise<T> {
    const result = (last.get(key) ?? Promise.resolve()).then(work);
    const settled: Promise<void> = result.then(
      () => {},
      () => {},
    );
    last.set(key, settled);
    try {
      return await result;
    } finally {
      if (last.get(key) === settled) last.delete(key);
    }
  };
}
