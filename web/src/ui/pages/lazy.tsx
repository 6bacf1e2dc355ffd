/** Code that loads when it is first needed, with preloading, and with what to do if it cannot be loaded. */
import { lazy, startTransition, useEffect, useState, useSyncExternalStore, type ComponentType } from 'react';
import { subscribeToNetwork } from '../../data/listeners.ts';
import { t } from '../../text/text.ts';
import { useToasts } from '../toasts/toast.tsx';

/** The code of a page could not be loaded. */
export class LoadError extends Error {
  override readonly name = 'LoadError';
  /** `React.lazy` throws the same error each time the page is opened. */
  readonly failedAt = performance.now();
}

const retryAfter = 10_000;

/** Null after `preloadAll`. */
let preloads: (() => void)[] | null = [];

function addPreload(preload: () => void) {
  if (preloads) preloads.push(preload);
  else preload();
}

/** Loads all pages and parts, also those within parts: afterwards they open without a connection. */
export function preloadAll(): void {
  const known = preloads ?? [];
  preloads = null;
  for (const preload of known) preload();
}

/** A page. Throws a `LoadError` while it renders if its code cannot be loaded; `preload` never rejects. */
export function lazyPage<P extends object>(
  load: () => Promise<ComponentType<P>>,
): ComponentType<P> & { preload(): Promise<void> } {
  let Loaded: ComponentType<P> | undefined;
  const loadOnce = async () => {
    try {
      Loaded = await loadPart(load);
      return { default: Loaded };
    } catch (cause) {
      throw new LoadError('A page could not be loaded', { cause });
    }
  };
  const Page = lazy(loadOnce);
  const preload = () =>
    loadOnce().then(
      () => undefined,
      () => undefined,
    );
  addPreload(() => void preload());

  /** What has loaded renders without a Suspense, which would show an empty page first. */
  function LazyPage(props: P) {
    const [Known] = useState(() => Loaded);
    return Known ? <Known {...props} /> : <Page {...props} />;
  }
  return Object.assign(LazyPage, { preload });
}

interface PartOptions<P> {
  Fallback?: ComponentType<P>;
  isBackground?: boolean;
}

/**
 * A part of a page. Until its code has loaded, `Fallback` is shown. Loading is retried, and never replaces the page by an
 * error: a dialog may be opened over text that is not saved. Browsers do not request a failed module again, so a toast
 * offers to reload the page; if nobody has asked for the part (`isBackground`), only with a connection. `preload` resolves also if its code cannot be loaded.
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  { Fallback = Nothing, isBackground = false }: PartOptions<P> = {},
): ComponentType<P> & { preload(): Promise<void> } {
  let loading: Promise<{ default: ComponentType<P> }> | undefined;
  let Loaded: ComponentType<P> | undefined;
  const failure = Promise.withResolvers<void>();
  const loadOnce = () =>
    (loading ??= retried(() => loadPart(load), failure.resolve).then((module) => {
      Loaded = module.default;
      return module;
    }));
  const preload = () => Promise.race([loadOnce().then(() => undefined), failure.promise]);
  addPreload(() => void preload());

  /** Without a Suspense, which shows what it waited for 300 ms after its fallback at the earliest. */
  function Deferred(props: P) {
    const [Known, setKnown] = useState(() => Loaded);
    const [isDue, setDue] = useState(false);
    const [hasFailed, setHasFailed] = useState(false);
    // What the page itself requests comes first.
    useEffect(() => startTransition(() => setDue(true)), []);
    useEffect(() => {
      if (!isDue) return;
      void loadOnce().then(({ default: Found }) => startTransition(() => setKnown(() => Found)));
      void failure.promise.then(() => setHasFailed(true));
    }, [isDue]);
    if (Known) return <Known {...props} />;
    return (
      <>
        {hasFailed && (isBackground ? <ReloadToastOnline /> : <ReloadToast />)}
        <Fallback {...props} />
      </>
    );
  }
  return Object.assign(Deferred, { preload });
}

async function retried<P>(
  load: () => Promise<ComponentType<P>>,
  onFailure: () => void,
): Promise<{ default: ComponentType<P> }> {
  for (;;) {
    const part = await load().catch(() => undefined);
    if (part) return { default: part };
    onFailure();
    await new Promise((resolve) => setTimeout(resolve, retryAfter));
  }
}

function Nothing() {
  return null;
}

/** Without a network, code can fail to load before the browser says that it is offline. */
function ReloadToastOnline() {
  const isOnline = useSyncExternalStore(subscribeToNetwork, () => navigator.onLine);
  return isOnline && <ReloadToast />;
}

/** How many parts that failed are shown. */
let failedParts = 0;
let endOffer = () => {};

/** One toast, also if several parts failed. It stays until the last of them has loaded or is left. */
function ReloadToast() {
  const { show, dismiss } = useToasts();
  useEffect(() => {
    failedParts += 1;
    if (failedParts === 1) endOffer = offerReload({ show, dismiss });
    return () => {
      failedParts -= 1;
      if (failedParts === 0) endOffer();
    };
  }, [show, dismiss]);
  return null;
}

/** Returns what ends the offer. */
function offerReload({ show, dismiss }: ReturnType<typeof useToasts>): () => void {
  let key = 0;
  const offer = () => {
    dismiss(key);
    const failed = { title: t.shell.kit.part_not_loaded, tone: 'bad', icon: 'cloud-off' } as const;
    const action = { label: t.shell.kit.reload, onAction: () => location.reload() };
    // Without a connection, the browser would replace the page by its own error.
    key = navigator.onLine
      ? show({ ...failed, text: t.shell.kit.reload_page, action })
      : show({ ...failed, text: t.shell.unreachable.needs_connection });
  };
  offer();
  const unsubscribe = subscribeToNetwork(offer);
  return () => {
    unsubscribe();
    dismiss(key);
  };
}

/** Stylesheets that did not load. Vite requests each only once, so a retried part would be shown without its styles. */
const failedStyles = new Set<HTMLLinkElement>();

globalThis.addEventListener?.(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedStyles.add(target);
  },
  // Errors of elements do not bubble.
  true,
);

/** How much code is loading. Calls `changed` when it starts and ends (app/ready-mark.ts). */
export const loading = { parts: 0, changed() {} };

async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  loading.parts += 1;
  loading.changed();
  try {
    const part = await load();
    await Promise.all([...failedStyles].map(reloadStyles));
    return part;
  } finally {
    loading.parts -= 1;
    loading.changed();
  }
}

/** Resolves also if it fails again: the part is then shown without these styles. */
function reloadStyles(link: HTMLLinkElement): Promise<unknown> {
  failedStyles.delete(link);
  const next = link.cloneNode() as HTMLLinkElement;
  const settled = new Promise((resolve) => {
    next.addEventListener('load', resolve);
    next.addEventListener('error', resolve);
  });
  link.replaceWith(next);
  return settled;
}
