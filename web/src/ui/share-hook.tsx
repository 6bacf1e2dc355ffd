import { createContext, use, type FC, type ReactNode } from 'react';

/**
 * Shares what a hook returns with a part of the page: the provider calls the hook, and the components below it read the
 * result. They render whenever the hook returns another object: one that returns a new object each time renders them each time.
 */
export function shareHook<Value extends object, Options extends object = object>(
  useHook: (options: Options) => Value,
): [Provider: FC<Options & { children: ReactNode }>, useShared: () => Value] {
  const Context = createContext<Value | null>(null);
  function Provider({ children, ...options }: Options & { children: ReactNode }) {
    const value = useHook(options as unknown as Options);
    return <Context value={value}>{children}</Context>;
  }
  function useShared(): Value {
    const value = use(Context);
    if (!value) throw new Error(`${useHook.name} has no provider here`);
    return value;
  }
  return [Provider, useShared];
}
