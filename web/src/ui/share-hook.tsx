import { createContext, use, useState, type FC, type ReactNode } from 'react';

type Shared<Value, Options> = [Provider: FC<Options & { children: ReactNode }>, useShared: () => Value];

/**
 * Shares the object that a hook returns with a part of the page: the provider calls the hook, and the components below it read the
 * result. They render when the provider has called the hook and one of its members has changed: an object or a function that the
 * hook makes each time is another one (ui/stable-functions.ts).
 */
export function shareHook<Value extends object, Options extends object = object>(
  useHook: (options: Options) => Value,
): Shared<Value, Options> {
  const [ValueProvider, useShared] = createShared<Value>(useHook.name);
  function Provider({ children, ...options }: Options & { children: ReactNode }) {
    return <ValueProvider value={useHook(options as unknown as Options)}>{children}</ValueProvider>;
  }
  return [Provider, useShared];
}

/**
 * Shares the props of its provider in the same way, such as the elements that the route passes to a page.
 * `name`: of what reads them, for an error.
 */
export function shareProps<Props extends object>(name: string): Shared<Props, Props> {
  const [ValueProvider, useShared] = createShared<Props>(name);
  function Provider({ children, ...props }: Props & { children: ReactNode }) {
    return <ValueProvider value={props as unknown as Props}>{children}</ValueProvider>;
  }
  return [Provider, useShared];
}

/** Compares the values of two objects, and of the plain objects in them. */
const isSame = (before: unknown, now: unknown): boolean =>
  Object.is(before, now) ||
  (isPlain(before) &&
    isPlain(now) &&
    Object.keys(before).length === Object.keys(now).length &&
    Object.entries(now).every(([name, value]) => isSame(before[name], value)));

/** Not the result of a query: a component that reads all of it renders for each of its changes. */
const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  Object.getPrototypeOf(value) === Object.prototype &&
  !('fetchStatus' in value);

export function createShared<Value extends object>(name: string): Shared<Value, { value: Value }> {
  const ValueContext = createContext<Value | null>(null);
  function Provider({ value, children }: { value: Value; children: ReactNode }) {
    const [shared, share] = useState(value);
    if (!isSame(shared, value)) share(value);
    return <ValueContext value={shared}>{children}</ValueContext>;
  }
  function useShared(): Value {
    const value = use(ValueContext);
    if (!value) throw new Error(`${name} has no provider here`);
    return value;
  }
  return [Provider, useShared];
}
