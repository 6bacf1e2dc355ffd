import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Account } from '@swarmdeck/bff/contract';
import { queryKeys } from '../api/query-keys.ts';
import { isMapRead } from '../features/resources/resources.api.ts';
import { optional } from '../ui/lazy-part.tsx';

const Later = optional(async () => (await import('./background-services.tsx')).Later);

/** Where there are devices for a map, once that has been read, or could not be. */
function canBeUsed(client: QueryClient): boolean {
  const hasMap = location.pathname === '/' && client.getQueryData<Account>(queryKeys.account)?.resources !== 0;
  return !hasMap || isMapRead(client);
}

/** `Later` comes once the page can be used. */
export function Live({ user_id }: { user_id: string }) {
  const client = useQueryClient();
  const [later, setLater] = useState(false);
  useEffect(() => {
    if (later) return undefined;
    const timer = setInterval(() => setLater(canBeUsed(client)), 1500);
    return () => clearInterval(timer);
  }, [client, later]);
  return later && <Later user_id={user_id} />;
}
