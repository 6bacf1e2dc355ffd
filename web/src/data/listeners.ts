/** The listeners of a store outside of React, for `useSyncExternalStore`. */
export function createListeners() {
  const listeners = new Set<() => void>();
  return {
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    hasAny: () => listeners.size > 0,
    notify() {
      for (const listener of listeners) listener();
    },
  };
}

/** For `useSyncExternalStore`: the target has one of these events. */
export const subscribeTo =
  (target: EventTarget, ...types: string[]) =>
  (changed: () => void) => {
    const stop = new AbortController();
    for (const type of types) target.addEventListener(type, changed, { signal: stop.signal });
    return () => stop.abort();
  };

/** `navigator.onLine` has changed. */
export const subscribeToNetwork = subscribeTo(globalThis, 'online', 'offline');
