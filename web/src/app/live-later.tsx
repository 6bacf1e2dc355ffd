import { useQueryClient } from '@tanstack/react-query';
import { Suspense, lazy, useEffect, useState } from 'react';
import type { Account } from '@swarmdeck/bff/contract';
import { preloadPalette } from './over.tsx';

const LiveMark = lazy(async () => ({ default: (await import('./live-mark.tsx')).LiveMark }));
const KeptJobs = lazy(async () => ({ default: (await import('./kept-jobs.tsx')).KeptJobs }));

const look = 1500;
/** Longer than this no map is waited for: it does not come, or it failed. */
const looks = 40;

/**
 * The stream of news, what closed pages left behind, and the palette, come once the page can be used: where there are
 * devices for a map, once that has been read.
 */
export function Live({ user_id }: { user_id: string }) {
  const client = useQueryClient();
  const [seen, setSeen] = useState(0);
  useEffect(() => {
    if (seen >= looks) return undefined;
    const timer = setTimeout(() => {
      const hasMap = location.pathname === '/' && client.getQueryData<Account>(['account'])?.resources !== 0;
      const ready = client.getQueriesData({ queryKey: ['map'] }).some(([, view]) => view);
      setSeen(ready || !hasMap ? looks : seen + 1);
    }, look);
    return () => clearTimeout(timer);
  }, [client, seen]);
  const later = seen >= looks;
  useEffect(() => {
    if (later) void preloadPalette();
  }, [later]);
  return (
    <Suspense>
      {later && <LiveMark key={user_id} user_id={user_id} />}
      {later && <KeptJobs user_id={user_id} />}
    </Suspense>
  );
}
