import { createContext, use, useState, type FC, type ReactNode } from 'react';

type Shared<Value, Options> = [Provider: FC<Options & { children: ReactNode }>, useShared: () => Value];

type SharedPage<State, Options> = [
  Provider: FC<Options & { children: ReactNode }>,
  useSlice: <Name extends keyof State & string>(name: Name) => State[Name],
];

/**
 * Shares the state of a page, which one hook puts together: each member that it returns is a slice. The provider calls the hook, and the
 * components below it read slices by name. They render only when their slice has changed: one of its values is another one, also in an
 * object of it. A function that is made each time is another one (ui/browser/stable-functions.ts).
 */
export function sharePage<State extends Record<string, object>, Options extends object = object>(
  usePage: (options: Options) => State,
): SharedPage<State, Options> {
  const slices: { [Name in keyof State]?: ReturnType<typeof createShared<State[Name]>> } = {};
  const sliceOf = <Name extends keyof State & string>(name: Name) =>
    (slices[name] ??= createShared<State[Name]>(`${usePage.name}.${name}`));
  function Provider({ children, ...options }: Options & { children: ReactNode }) {
    let page = children;
    for (const [name, value] of Object.entries(usePage(options as unknown as Options))) {
      const [Slice] = sliceOf(name);
      page = <Slice value={value as State[string]}>{page}</Slice>;
    }
    return page;
  }
  function useSlice<Name extends keyof State & string>(name: Name): State[Name] {
    const [, useShared] = sliceOf(name);
    return useShared();
  }
  return [Provider, useSlice];
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

function createShared<Value extends object>(name: string): Shared<Value, { value: Value }> {
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
