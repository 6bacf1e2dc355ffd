import { useQueryClient } from '@tanstack/react-query';
import { Suspense, lazy, useEffect, useState } from 'react';

const LiveMark = lazy(async () => ({ default: (await import('./live-mark.tsx')).LiveMark }));

const look = 1500;
/** A page without a map is not waited for any longer. */
const looks = 6;

/** The stream of news comes once the page can be used: where there is a map, once that has been read. */
export function Live({ user_id }: { user_id: string }) {
  const client = useQueryClient();
  const [seen, setSeen] = useState(0);
  useEffect(() => {
    if (seen >= looks) return undefined;
    const timer = setTimeout(() => {
      const ready = client.getQueriesData({ queryKey: ['map'] }).some(([, view]) => view);
      setSeen(ready || location.pathname !== '/' ? looks : seen + 1);
    }, look);
    return () => clearTimeout(timer);
  }, [client, seen]);
  return <Suspense>{seen >= looks && <LiveMark key={user_id} user_id={user_id} />}</Suspense>;
}
