/**
 * The service worker and its new versions. A new version waits until a page has no unsaved input, and moves to another
 * page or is hidden: it then takes over, and the page loads again. Other tabs follow in the same way. Until then they have
 * all code in memory (`preloadAll`). A wall is neither left nor hidden for days: it waits until nobody uses it.
 */
import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation } from 'react-router';
import { isLive, useConnectionStatus } from '../api/connection-status.ts';
import { silenceSound } from '../features/wall/silence-sound.ts';
import { hasUnsavedInput } from '../ui/use-leave-guard.ts';
import { useUnused } from '../ui/use-unused.ts';

/** In ms. */
const unusedFor = 10 * 60_000;

/** `mayReload`: whether nothing would be lost. */
interface FollowOptions {
  worker: Pick<ServiceWorkerContainer, 'controller' | 'register' | 'addEventListener'>;
  mayReload(): boolean;
  reload(): void;
}

/** Registers the service worker. `take` is for a moment at which the page may load again. */
export function followVersions({ worker, mayReload, reload }: FollowOptions) {
  let registration: ServiceWorkerRegistration | undefined;
  let isFirst = worker.controller === null;
  let isReplaced = false;
  let hasAsked = false;
  const ended = new AbortController();
  const { signal } = ended;
  const onChange = () => {
    isReplaced = !isFirst;
    isFirst = false;
    if (hasAsked) take();
  };
  function take() {
    if (!mayReload()) return;
    if (isReplaced) return reload();
    hasAsked = Boolean(registration?.waiting);
    registration?.waiting?.postMessage('take-over');
  }
  worker.addEventListener('controllerchange', onChange, { signal });
  // Without a service worker, as in some private windows, the app needs a network.
  worker.register('/service-worker.js', { updateViaCache: 'none' }).then(
    (registered) => (registration = registered),
    () => undefined,
  );
  /** Asks the server for a new version. */
  const check = () => void registration?.update().catch(() => undefined);
  const onVisibility = () => (document.visibilityState === 'hidden' ? take() : check());
  document.addEventListener('visibilitychange', onVisibility, { signal });
  return { take, check, stop: () => ended.abort() };
}

/**
 * Calls `take` while nobody uses the page and the server can be reached, unless loading again would end what only the user can
 * start: the full screen, and sounds.
 */
export function useTakeWhenUnused({ enabled, take }: { enabled: boolean; take: () => void }): void {
  const isUnused = useUnused(enabled ? unusedFor : null);
  const takeNow = useEffectEvent(() => {
    const isHeard = silenceSound.get() === 'on' && navigator.userActivation.hasBeenActive;
    if (isLive() && !document.fullscreenElement && !isHeard) take();
  });
  useEffect(() => {
    if (!isUnused) return undefined;
    const timer = setInterval(takeNow, 60_000);
    return () => clearInterval(timer);
  }, [isUnused]);
}

/** For a page that has failed: the server may answer in a form that only a newer version knows. */
export async function reloadIfNewer(): Promise<void> {
  const { serviceWorker } = navigator;
  const registration = await serviceWorker?.getRegistration();
  await registration?.update();
  const newer = registration?.installing ?? registration?.waiting;
  if (!newer) return;
  serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
  newer.postMessage('take-over');
}

/** Keeps the app ready for a start without a network, and up to date. */
export function useAppUpdate(): void {
  const { pathname } = useLocation();
  const { interruptions } = useConnectionStatus();
  const versions = useRef<ReturnType<typeof followVersions>>(undefined);
  useEffect(() => {
    // The development server has no service worker; browsers have none without HTTPS.
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return undefined;
    const followed = followVersions({
      worker: navigator.serviceWorker,
      mayReload: () => !hasUnsavedInput(),
      reload: () => location.reload(),
    });
    versions.current = followed;
    return followed.stop;
  }, []);
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current !== pathname) versions.current?.take();
    shown.current = pathname;
  }, [pathname]);
  useTakeWhenUnused({ enabled: pathname.endsWith('/map'), take: () => versions.current?.take() });
  // A new version of the app begins with a restart of the server.
  useEffect(() => {
    if (interruptions > 0) versions.current?.check();
  }, [interruptions]);
}
