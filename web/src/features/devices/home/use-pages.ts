import { useInfiniteQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { DevicePage } from '@swarmdeck/bff/contract';
import { oncePerClient } from '../../../data/of-client.ts';
import { rowsOf } from '../../../data/cache/paged-rows.ts';
import type { storedPage } from '../../../data/cache/stored-devices.ts';
import { isUnreachable } from '../../../data/problem.ts';
import { devicePagesQuery, type DeviceQuery, type ListStart } from '../devices.api.ts';
import { toQuery } from '../device-filters.ts';

type StoredPage = typeof storedPage;

/** The last list that was left, with its scroll position. */
const leftOf = oncePerClient((): { last?: { list: string; start: ListStart; top: number } } => ({}));

/** The start of a list: where it was left, around the device to show, or the first row. */
function firstStart(options: {
  client: QueryClient;
  list: string;
  query: DeviceQuery;
  shown: string | null;
}): ListStart {
  const { client, list, query, shown } = options;
  const left = leftOf({ client }).last;
  if (left?.list === list) return left.start;
  const pages = client.getQueryData(devicePagesQuery({ ...query, start: null }).queryKey)?.pages ?? [];
  return shown === null || rowsOf(pages).get(shown) ? null : { around: shown };
}

/**
 * Without the server, the devices of the stored lists that match other filters. Null until its code has loaded, and if nobody
 * knows which they are.
 */
function useStoredPage(options: { client: QueryClient; query: DeviceQuery; list: string; isOld: boolean }) {
  const { client, query, list, isOld } = options;
  const [found, setFound] = useState<{ list: string; page: DevicePage | null }>();
  const find = useEffectEvent((storedPage: StoredPage) => {
    const { filters, bbox } = query;
    return storedPage({ client, filters: { audience: 'own', ...filters, ...(bbox && { bbox }) } });
  });
  useEffect(() => {
    if (!isOld) return undefined;
    let isCancelled = false;
    import('../../../data/cache/stored-devices.ts').then(
      ({ storedPage }) => !isCancelled && setFound({ list, page: find(storedPage) }),
      // The rows of the previous filters are shown.
      () => undefined,
    );
    return () => {
      isCancelled = true;
    };
  }, [isOld, list]);
  const page = found?.list === list ? found.page : null;
  return useMemo(() => page && { pages: [page], pageParams: [null] }, [page]);
}

/** The loaded pages of the list, and where they start. `shown`: the device to begin around. */
export function usePages(options: { query: DeviceQuery; shown: string | null; isEnabled: boolean }) {
  const { query, shown, isEnabled } = options;
  const client = useQueryClient();
  const list = toQuery({ ...query, limit: 0 });
  const [begun, setBegun] = useState(() => ({ list, start: firstStart({ client, list, query, shown }) }));
  const start = begun.list === list ? begun.start : null;
  const pages = useInfiniteQuery({ ...devicePagesQuery({ ...query, start }), enabled: isEnabled });
  const [previous, setPrevious] = useState(pages.data);
  if (pages.data && pages.data !== previous) setPrevious(pages.data);
  // The server cannot be reached: the rows of the previous filters are shown, with their age.
  const isOld = pages.data === undefined && isUnreachable(pages.error) && previous !== undefined;
  const stored = useStoredPage({ client, query, list, isOld });
  const data = isOld ? (stored ?? previous) : pages.data;
  const rows = useMemo(() => rowsOf(data?.pages ?? []), [data]);
  const left = leftOf({ client });
  return {
    pages,
    data,
    rows,
    isOld,
    isStored: isOld && stored !== null,
    start,
    begin: (next: ListStart) => setBegun({ list, start: next }),
    /** The scroll position when the list was left, in px. */
    leftAt: left.last?.list === list ? left.last.top : 0,
    leave: (top: number) => {
      left.last = { list, start, top };
    },
  };
}
