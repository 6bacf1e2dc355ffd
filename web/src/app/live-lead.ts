import type { TakeLead } from './live-tabs.ts';

/**
 * Elects the leader among the tabs of a browser by a lock (https://www.w3.org/TR/web-locks/), which is released however
 * the tab ends. Over plain HTTP to another machine there are no locks: then each tab leads itself, and only while it is
 * visible, because a browser opens at most six connections to one host.
 */
export function leadByLock({
  name,
  locks,
  document,
}: {
  name: string;
  locks: LockManager | undefined;
  document: Document;
}): TakeLead {
  return ({ signal, lead }) => {
    if (!locks) return leadWhileVisible({ signal, lead, document });
    const hold = () =>
      new Promise<void>((release) => {
        if (signal.aborted) return release();
        const stop = lead();
        signal.addEventListener('abort', () => {
          stop();
          release();
        });
      });
    // Rejects only if the signal was aborted.
    locks.request(name, { signal }, hold).catch(() => undefined);
  };
}

function leadWhileVisible({ signal, lead, document }: Parameters<TakeLead>[0] & { document: Document }): void {
  let stop: (() => void) | undefined;
  const look = () => {
    if (document.visibilityState === 'visible') stop ??= lead();
    else {
      stop?.();
      stop = undefined;
    }
  };
  document.addEventListener('visibilitychange', look, { signal });
  signal.addEventListener('abort', () => stop?.());
  look();
}
