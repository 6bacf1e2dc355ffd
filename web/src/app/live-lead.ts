import type { TakeLead } from './live-tabs.ts';

/**
 * The lead among the tabs of a browser, by its locks (https://www.w3.org/TR/web-locks/): given up with the tab, however
 * that ends. Over plain HTTP to another machine there are no locks: then each tab leads itself, and only while it is
 * seen, because six open streams are all the connections a browser makes to one host.
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
    if (!locks) return leadWhileSeen({ signal, lead, document });
    const hold = () =>
      new Promise<void>((release) => {
        if (signal.aborted) return release();
        const stop = lead();
        signal.addEventListener('abort', () => {
          stop();
          release();
        });
      });
    // refused only by the signal: then nobody waits for it any more
    locks.request(name, { signal }, hold).catch(() => undefined);
  };
}

function leadWhileSeen({ signal, lead, document }: Parameters<TakeLead>[0] & { document: Document }): void {
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
