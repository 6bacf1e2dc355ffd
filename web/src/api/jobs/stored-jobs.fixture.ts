/** Storage, locks and tabs of a browser, for tests of bulk jobs. */
import { storeJobs } from './stored-jobs.ts';
import type { ValueStore } from './stored-jobs.ts';

/** Locks as a browser grants them: in turn, and to the next one when a tab is closed. */
function locksOf() {
  const lines = new Map<string, { tab: object; run: () => unknown }[]>();
  let tab: object = {};
  const next = async (name: string) => {
    const first = lines.get(name)?.[0];
    if (!first) return;
    await first.run();
    leave(name, first.tab);
  };
  function leave(name: string, tab: object) {
    const line = lines.get(name) ?? [];
    const had = line[0]?.tab === tab;
    lines.set(
      name,
      line.filter((one) => one.tab !== tab),
    );
    if (had) void next(name);
  }
  const request = async (name: string, ...rest: unknown[]) => {
    const line = lines.get(name) ?? [];
    const run = rest.at(-1) as (lock: object | null) => unknown;
    const [{ ifAvailable = false }] = rest as [{ ifAvailable?: boolean }];
    if (ifAvailable && line.length > 0) return run(null);
    lines.set(name, [...line, { tab, run: () => run({}) }]);
    if (line.length === 0) void next(name);
    return undefined;
  };
  return {
    for(one: object) {
      return {
        request: (async (...args: [string, ...unknown[]]) => {
          tab = one;
          return request(...args);
        }) as LockManager['request'],
      };
    },
    close: (one: object) => [...lines.keys()].forEach((name) => leave(name, one)),
  };
}

/** Not a copy of a file: jsdom cannot clone one. */
const copyOf = (value: unknown) => (value instanceof Blob ? value : structuredClone(value));

export function createFakeBrowser() {
  const values = new Map<string, unknown>();
  const channels: EventTarget[] = [];
  const locks = locksOf();
  const keysUnder = (prefix: string) => [...values.keys()].filter((key) => key.startsWith(prefix)).toSorted();

  return {
    values,
    openTab() {
      const target = new EventTarget();
      let isOpen = true;
      channels.push(target);
      const channel = {
        postMessage(data: unknown) {
          for (const other of channels)
            if (other !== target) other.dispatchEvent(new MessageEvent('message', { data }));
        },
        addEventListener: target.addEventListener.bind(target),
        removeEventListener: target.removeEventListener.bind(target),
      } as unknown as BroadcastChannel;
      const store: ValueStore = {
        putValue: async (key, value) => {
          if (isOpen) values.set(key, copyOf(value));
        },
        getValues: async <Value>(prefix: string) => keysUnder(prefix).map((key) => copyOf(values.get(key)) as Value),
        deleteValues: async (prefix) => {
          for (const key of keysUnder(prefix)) if (isOpen) values.delete(key);
        },
      };
      return {
        storeJobs: <About, Source, Result>(name: string) =>
          storeJobs<About, Source, Result>({ name, store, locks: locks.for(target), channel }),
        close() {
          isOpen = false;
          locks.close(target);
        },
      };
    },
  };
}
