import { useEffect, useReducer } from 'react';
import type { ComponentType } from 'react';

/** `load` starts to load it, once, before it is seen; it never rejects. */
export type Late<P extends object> = ComponentType<P> & { load(): Promise<void> };

/**
 * A component whose file is loaded when it is first seen; `Meanwhile` stands in its place, or nothing. Where the file
 * does not arrive it throws, and goes on throwing until the app is loaded anew.
 *
 * It is not React's `lazy`, because React holds back whatever a Suspense reveals until 300 ms after the last fallback
 * came: the first page would be empty for so long, and so would every card and dialog when it is first opened.
 */
export function late<P extends object>(
  load: () => Promise<ComponentType<P>>,
  Meanwhile: ComponentType<P> = Nothing,
): Late<P> {
  let loading: Promise<void> | undefined;
  let Loaded = Meanwhile;
  let failed: { error: unknown } | undefined;

  const loadOnce = () =>
    (loading ??= load().then(
      (component) => {
        Loaded = component;
      },
      (error: unknown) => {
        failed = { error };
      },
    ));

  function Component(props: P) {
    const [, renderAgain] = useReducer((times: number) => times + 1, 0);
    const shown = failed ? null : Loaded;
    useEffect(() => {
      if (shown === Meanwhile) void loadOnce().then(renderAgain);
    }, [shown]);
    if (failed) throw failed.error;
    return <Loaded {...props} />;
  }
  return Object.assign(Component, { load: loadOnce });
}

function Nothing() {
  return null;
}
