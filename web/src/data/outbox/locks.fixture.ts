type Run = (lock: object | null) => unknown;

/** `navigator.locks` as the browser's: a lock has one holder; others wait, or get nothing. */
export function createLocks() {
  const holders = new Map<string, Promise<unknown>>();
  return {
    async request(name: string, ...args: [object, Run] | [Run]) {
      const [run] = args.slice(-1) as [Run];
      const [{ ifAvailable = false }] = args as [{ ifAvailable?: boolean }];
      if (holders.has(name) && ifAvailable) return run(null);
      while (holders.has(name)) await holders.get(name)?.catch(() => undefined);
      const held = Promise.resolve(run({})).finally(() => holders.delete(name));
      holders.set(name, held);
      return held;
    },
  };
}
