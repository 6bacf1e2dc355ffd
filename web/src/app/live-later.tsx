import { useQueryClient } from '@tanstack/react-query';
import { Suspense, lazy, useEffect, useState } from 'react';
import type { Account } from '@swarmdeck/bff/contract';

const Later = lazy(async () => ({ default: (await import('./later.tsx')).Later }));

const look = 1500;
/** Longer than this no map is waited for: it does not come, or it failed. */
const looks = 40;

/** `Later` comes once the page can be used: where there are devices for a map, once that has been read. */
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
  return <Suspense>{seen >= looks && <Later user_id={user_id} />}</Suspense>;
}
