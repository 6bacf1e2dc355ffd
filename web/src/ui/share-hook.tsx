import { createContext, use, useState, type Context, type FC, type ReactNode } from 'react';

type Shared<Value, Options> = [Provider: FC<Options & { children: ReactNode }>, useShared: () => Value];

/**
 * Shares what a hook returns with a part of the page: the provider calls the hook, and the components below it read the
 * result. They render whenever the hook returns another object: one that returns a new object each time renders them each time.
 */
export function shareHook<Value extends object, Options extends object = object>(
  useHook: (options: Options) => Value,
): Shared<Value, Options> {
  const [ValueContext, useShared] = createShared<Value>(useHook.name);
  function Provider({ children, ...options }: Options & { children: ReactNode }) {
    const value = useHook(options as unknown as Options);
    return <ValueContext value={value}>{children}</ValueContext>;
  }
  return [Provider, useShared];
}

/**
 * Shares the props of its provider with the components below it, such as the elements that the route passes to a page. They
 * render when one of the props has changed.
 * `name`: of what reads them, for an error.
 */
export function shareProps<Props extends object>(name: string): Shared<Props, Props> {
  const [PropsContext, useShared] = createShared<Props>(name);
  function Provider({ children, ...props }: Props & { children: ReactNode }) {
    const [shared, share] = useState(props);
    if (!isSame(shared, props)) share(props);
    return <PropsContext value={shared as unknown as Props}>{children}</PropsContext>;
  }
  return [Provider, useShared];
}

const isSame = (before: object, now: object) =>
  Object.entries(now).every(([name, value]) => Object.is(before[name as keyof object], value)) &&
  Object.keys(before).length === Object.keys(now).length;

function createShared<Value extends object>(name: string): [Context<Value | null>, useShared: () => Value] {
  const ValueContext = createContext<Value | null>(null);
  function useShared(): Value {
    const value = use(ValueContext);
    if (!value) throw new Error(`${name} has no provider here`);
    return value;
  }
  return [ValueContext, useShared];
}
