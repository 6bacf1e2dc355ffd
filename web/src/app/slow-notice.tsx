import { notifyManager, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { shownActionsOf } from '../data/actions/shown-actions.ts';
import { unansweredWrites } from '../data/client.ts';
import { isLive } from '../data/stream/connection-status.ts';
import { oldestRead } from '../data/cache/read-until.ts';
import { serverTime } from '../data/server-clock.ts';
import { formatRelative, t } from '../text/text.ts';
import { Notice } from '../ui/toasts/notice.tsx';
import { useNow } from '../ui/texts/time.tsx';
import './notices.css';

/** In ms: data that is older is shown with its age while the page waits for newer. */
const oldAfter = 60_000;
/** In ms. */
const waitsFor = 5000;

/**
 * Says that the server takes long to answer a change, or a read: then with the age of the page, which may show what an earlier
 * visit has read.
 */
export function SlowNotice() {
  const since = useOldestRead();
  // What is read is as slow when one request after the other is under way.
  const isReadSlow = useIsSlow(since === null ? null : 0);
  const isWriteSlow = useIsSlow(useOldestWrite());
  const now = useNow();
  const age =
    isReadSlow &&
    since !== null &&
    t.shell.unreachable.age(formatRelative(new Date(serverTime(since)).toISOString(), now));
  if (!isWriteSlow && age === false) return null;
  return <Notice icon="clock" title={t.shell.unreachable.slow} text={age} />;
}

/** When the oldest data on the screen was read that is being fetched again, in ms of the local clock; null if there is none. */
function useOldestRead(): number | null {
  const client = useQueryClient();
  const subscribe = useCallback(
    (changed: () => void) => client.getQueryCache().subscribe(notifyManager.batchCalls(changed)),
    [client],
  );
  return useSyncExternalStore(subscribe, () => oldestAwaited(client));
}

function oldestAwaited(client: QueryClient): number | null {
  // The stream keeps data current.
  if (isLive()) return null;
  const since = oldestRead(client.getQueryCache().findAll({ type: 'active', fetchStatus: 'fetching' }));
  return since === undefined || since > Date.now() - oldAfter ? null : since;
}

/** When the oldest change was sent that the server has not answered; null if there is none. */
function useOldestWrite(): number | null {
  const client = useQueryClient();
  const subscribe = useCallback(
    (changed: () => void) => {
      // After the request was sent.
      const check = notifyManager.batchCalls(changed);
      const ends = [client.getMutationCache().subscribe(check), shownActionsOf({ client }).subscribe(check)];
      return () => ends.forEach((end) => end());
    },
    [client],
  );
  return useSyncExternalStore(subscribe, oldestUnanswered);
}

function oldestUnanswered(): number | null {
  const [oldest] = unansweredWrites.values();
  return oldest ?? null;
}

/** Whether the same `request` has been awaited for long. Null: none is. */
function useIsSlow(request: number | null): boolean {
  const [slow, setSlow] = useState<number | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(request), request === null ? 0 : waitsFor);
    return () => clearTimeout(timer);
  }, [request]);
  return request !== null && slow === request;
}
