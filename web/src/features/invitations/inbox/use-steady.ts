import { useLayoutEffect, useState } from 'react';

/**
 * The same functions for as long as the component is there, doing what the newest ones do: rows that get them are
 * drawn again only where something of theirs has changed.
 */
export function useSteady<T extends object>(functions: T): T {
  const [held] = useState(() => hold(functions));
  useLayoutEffect(() => held.set(functions));
  return held.steady;
}

function hold<T extends object>(first: T) {
  let latest = first;
  const steady = Object.fromEntries(
    Object.keys(first).map((name) => {
      const call = (...given: unknown[]) => (latest[name as keyof T] as (...given: unknown[]) => unknown)(...given);
      return [name, call];
    }),
  ) as T;
  const set = (functions: T) => {
    latest = functions;
  };
  return { steady, set };
}
