import type { FC, ReactNode } from 'react';
import { createShared } from '../ui/share-hook.tsx';

type SharedPage<State, Options> = [
  Provider: FC<Options & { children: ReactNode }>,
  useSlice: <Name extends keyof State & string>(name: Name) => State[Name],
];

/**
 * Shares the state of a page, which one hook puts together: each member that it returns is a slice. The provider calls the hook, and the
 * components below it read slices by name. They render only when their slice has changed: one of its values is another one, also in an
 * object of it. A function that is made each time is another one (ui/stable-functions.ts).
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
