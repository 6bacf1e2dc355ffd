import { useInsertionEffect, useState } from 'react';

/**
 * Returns the same functions for as long as the component is mounted. Each calls its latest version. With them as
 * props, a memoised row renders only if its own data changes.
 */
export function useStableFunctions<T extends object>(functions: T): T {
  const [{ stable, update }] = useState(() => wrap(functions));
  // Before the layout effects of the components that call them.
  useInsertionEffect(() => update(functions));
  return stable;
}

function wrap<T extends object>(functions: T) {
  let latest = functions;
  const stable = Object.fromEntries(
    Object.keys(functions).map((name) => {
      const call = (...args: unknown[]) => (latest[name as keyof T] as (...args: unknown[]) => unknown)(...args);
      return [name, call];
    }),
  ) as T;
  const update = (next: T) => {
    latest = next;
  };
  return { stable, update };
}
