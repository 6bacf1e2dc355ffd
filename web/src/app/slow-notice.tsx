import { notifyManager, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { isLive } from '../data/stream/connection-status.ts';
import { oldestRead } from '../data/cache/read-until.ts';
import { formatRelative, t } from '../text/text.ts';
import { Notice } from '../ui/notice.tsx';
import { useNow } from '../ui/time.tsx';

/** In ms: data that is older is shown with its age while the page waits for newer. */
const oldAfter = 60_000;
/** In ms. */
const waitsFor = 5000;

/** Says how old the page is while the server takes long to answer: what it shows may be from an earlier visit. */
export function SlowNotice() {
  const client = useQueryClient();
  const subscribe = useCallback(
    (changed: () => void) => client.getQueryCache().subscribe(notifyManager.batchCalls(changed)),
    [client],
  );
  const since = useSyncExternalStore(subscribe, () => oldestAwaited(client));
  const isWaiting = since !== null;
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(isWaiting), isWaiting ? waitsFor : 0);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  const now = useNow();
  if (!isSlow || since === null) return null;
  return (
    <Notice
      icon="clock"
      title={t.outbox.slow}
      text={t.shell.unreachable.age(formatRelative(new Date(since).toISOString(), now))}
    />
  );
}

/** When the oldest data on the screen was read that is being fetched again; null if there is none. The stream keeps data current. */
function oldestAwaited(client: QueryClient): number | null {
  if (isLive()) return null;
  const since = oldestRead(client.getQueryCache().findAll({ type: 'active', fetchStatus: 'fetching' }));
  return since === undefined || since > Date.now() - oldAfter ? null : since;
}
