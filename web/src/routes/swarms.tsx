import { useQuery } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { accountQuery } from '../features/account/account.api.ts';
import { SwarmsPage } from '../features/swarms/list/swarms-page.tsx';
import { swarmListQuery } from '../features/swarms/swarms.api.ts';
import { readUrl, textCodec } from '../ui/url-state.ts';

export function prefetch(client: QueryClient): void {
  void client.prefetchInfiniteQuery(swarmListQuery(readUrl(textCodec('q')).q));
}

export function Component() {
  const account = useQuery(accountQuery).data;
  return account ? <SwarmsPage user_id={account.user_id} /> : null;
}
