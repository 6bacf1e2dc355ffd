/**
 * The service worker and its new versions. A page takes a new version when it has just been loaded, or when it moves to
 * another page or is hidden: the version takes over, and the page loads again. While something would be lost, it waits, and
 * the page says so. Other tabs follow in the same way. Until then they have all code in memory (`preloadAll`). A wall is
 * neither left nor hidden for days: it waits until nobody uses it. Without the server, a new version would have no data: it
 * waits too (app/stored-data.ts).
 */
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation } from 'react-router';
import { minuteMs } from '@swarmdeck/bff/durations';
import { actionsOf } from '../data/actions/actions.ts';
import { isLive, useConnectionStatus } from '../data/stream/connection-status.ts';
import { deviceSelectionOf } from '../data/device-selection.ts';
import { unreachableQueries } from '../data/unreachable.ts';
import { silenceSound } from '../features/wall/silence-sound.ts';
import { t } from '../text/text.ts';
import { useToasts } from '../ui/toasts/toast.tsx';
import { wouldLoseInput } from '../ui/fields/unsaved-input.ts';
import { useIdle } from '../ui/browser/use-idle.ts';

/** In ms. */
const idleFor = 10 * minuteMs;

interface FollowOptions {
  worker: Pick<ServiceWorkerContainer, 'controller' | 'register' | 'addEventListener'>;
  isReachable(): boolean;
  /** Whether nothing would be lost. */
  mayReload(): boolean;
  /** Whether the user has done something on this page since it was loaded. */
  isUsed(): boolean;
  reload(): void;
  /** A new version waits because something would be lost. `takeAnyway` is for the user who wants it. */
  onWait(takeAnyway: () => void): void;
}

/** Registers the service worker. `take` is for a moment at which the page may load again. */
export function followVersions({ worker, isReachable, mayReload, isUsed, reload, onWait }: FollowOptions) {
  let registration: ServiceWorkerRegistration | undefined;
  let isFirst = worker.controller === null;
  let isReplaced = false;
  let hasAsked = false;
  let isWanted = false;
  const ended = new AbortController();
  const { signal } = ended;
  const onChange = () => {
    isReplaced = !isFirst;
    isFirst = false;
    if (hasAsked) take();
  };
  function take() {
    if ((!isReplaced && !registration?.waiting) || !isReachable()) return;
    if (!isWanted && !mayReload()) return onWait(takeAnyway);
    if (isReplaced) return reload();
    hasAsked = true;
    registration?.waiting?.postMessage('take-over');
  }
  function takeAnyway() {
    isWanted = true;
    take();
  }
  /** A page that shows an older version although it has just been loaded: the browser found the new one only then. */
  function takeFirst() {
    if (!isUsed()) take();
  }
  worker.addEventListener('controllerchange', onChange, { signal });
  const follow = (registered: ServiceWorkerRegistration) => {
    registration = registered;
    takeFirst();
    const onFound = () => {
      const { installing } = registered;
      installing?.addEventListener('statechange', () => installing.state === 'installed' && takeFirst(), { signal });
    };
    registered.addEventListener('updatefound', onFound, { signal });
  };
  // Without a service worker, as in some private windows, the app needs a network.
  worker
    .register('/service-worker.js', { updateViaCache: 'none' })
    .then(follow)
    .catch(() => undefined);
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
export function useTakeWhenIdle({ enabled, take }: { enabled: boolean; take: () => void }): void {
  const isIdle = useIdle(enabled ? idleFor : null);
  const takeNow = useEffectEvent(() => {
    const isHeard = silenceSound.get() === 'on' && navigator.userActivation.hasBeenActive;
    if (isLive() && !document.fullscreenElement && !isHeard) take();
  });
  useEffect(() => {
    if (!isIdle) return undefined;
    const timer = setInterval(takeNow, 60_000);
    return () => clearInterval(timer);
  }, [isIdle]);
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

/**
 * Whether the page can load again. An upload ends with the page, and no other tab has what it has sent.
 * @internal
 */
export const losesNothing = (client: QueryClient) =>
  !wouldLoseInput() && !deviceSelectionOf({ client }).hasSeveral() && !actionsOf({ client }).hasUnsaved();

/** Keeps the app ready for a start without a network, and up to date. */
export function useAppUpdate(): void {
  const { pathname } = useLocation();
  const { interruptions } = useConnectionStatus();
  const client = useQueryClient();
  const { show, dismiss } = useToasts();
  const versions = useRef<ReturnType<typeof followVersions>>(undefined);
  useEffect(() => {
    // The development server has no service worker; browsers have none without HTTPS.
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return undefined;
    let notice: number | undefined;
    const followed = followVersions({
      worker: navigator.serviceWorker,
      isReachable: () => navigator.onLine && unreachableQueries(client).length === 0,
      mayReload: () => losesNothing(client),
      isUsed: () => navigator.userActivation?.hasBeenActive ?? true,
      reload: () => location.reload(),
      onWait(onAction) {
        notice ??= show({
          title: t.app_update.ready,
          seconds: Infinity,
          action: { label: t.shell.kit.reload, onAction },
        });
      },
    });
    versions.current = followed;
    return () => {
      if (notice !== undefined) dismiss(notice);
      followed.stop();
    };
  }, [client, show, dismiss]);
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current !== pathname) versions.current?.take();
    shown.current = pathname;
  }, [pathname]);
  useTakeWhenIdle({ enabled: pathname.endsWith('/map'), take: () => versions.current?.take() });
  // A new version of the app begins with a restart of the server.
  useEffect(() => {
    if (interruptions > 0) versions.current?.check();
  }, [interruptions]);
}
