import { useEffect, useState } from 'react';
import type { ComponentType } from 'react';
import { fetchLostStyles } from './lost-styles.ts';

/** `load` starts to load it before it is seen; it never rejects. */
export type Late<P extends object> = ComponentType<P> & { load(): Promise<void> };

/** What is late and has not been asked for; null once all of it is wanted. */
let rest: (() => Promise<void>)[] | null = [];

/**
 * Loads whatever is late, dialogs within pages too, and what turns out to be late when those have come: from then on
 * all of it opens while the service is away, and takes nobody's page down with what was typed there.
 */
export function loadRest(): void {
  const found = rest ?? [];
  rest = null;
  for (const load of found) void load();
}

/** The code of a part of the app could not be loaded. */
export class LoadError extends Error {
  override readonly name = 'LoadError';
}

/** How long after a file did not arrive it is asked for again, in ms. */
const again = 10_000;

/**
 * A component whose file is loaded when it is first seen; `Meanwhile` stands in its place, or nothing. Where the file
 * does not arrive it throws, and asks for it again when it is seen the next time.
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

  const loadOnce = () =>
    (loading ??= withStyles(load).then(
      (component) => {
        Loaded = component;
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    ));

  function Component(props: P) {
    const [outcome, setOutcome] = useState<{ error?: unknown }>({});
    const isMissing = Loaded === Meanwhile;
    useEffect(() => {
      if (!isMissing) return;
      loadOnce().then(
        () => setOutcome({}),
        (error: unknown) => setOutcome({ error }),
      );
    }, [isMissing]);
    if ('error' in outcome) throw new LoadError('A part of the app could not be loaded', { cause: outcome.error });
    return <Loaded {...props} />;
  }
  const early = () => loadOnce().catch(() => undefined);
  if (rest) rest.push(early);
  else void early();
  return Object.assign(Component, { load: early });
}

/**
 * A part that the page works without until its file has loaded, however long that takes. Dialogs over typed text are
 * loaded like this: a file that cannot be loaded must not replace the page by an error.
 */
export function optional<P extends object>(
  load: () => Promise<ComponentType<P>>,
  Meanwhile?: ComponentType<P>,
): Late<P> {
  return late(async () => {
    for (;;) {
      const component = await withStyles(load).catch(() => undefined);
      if (component) return component;
      await new Promise((resolve) => setTimeout(resolve, again));
    }
  }, Meanwhile);
}

async function withStyles<Part>(load: () => Promise<Part>): Promise<Part> {
  const part = await load();
  await fetchLostStyles();
  return part;
}

function Nothing() {
  return null;
}
