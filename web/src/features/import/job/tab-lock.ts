import type { TabLock } from './import-state.ts';

/** One tab at a time, by the browser's own locks: a tab that is closed or dies gives its lock back. */
export function tabLock(name: string): TabLock {
  // only insecure origins lack them, and those keep no sign-in either
  const { locks } = navigator;
  return {
    take: () =>
      new Promise((resolve) => {
        const hold = (lock: Lock | null) => {
          if (!lock) return resolve(null);
          return new Promise<void>((release) => resolve(release));
        };
        locks.request(name, { ifAvailable: true }, hold).catch(() => resolve(null));
      }),
    free: async () => {
      await locks.request(name, () => undefined);
    },
  };
}
