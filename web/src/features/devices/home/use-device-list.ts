import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isUnreachable } from '../../../data/problem.ts';
import { useStableFunctions } from '../../../ui/browser/stable-functions.ts';
import { reloadFirstPage, type DeviceQuery } from '../devices.api.ts';
import { useChanges } from './use-changes.ts';
import { usePages } from './use-pages.ts';

/** The rows in view are requested in steps, so that scrolling by one row requests and renders nothing. */
const viewStep = 20;

/**
 * The rows as they were loaded, updated in place as devices change, with the current counts. The rows whose place in the order has
 * changed are counted, and sorted when the user asks for it.
 * `waiting`: the filters are not known yet. `shown`: the device to begin around.
 */
export function useDeviceList(options: DeviceQuery & { waiting: boolean; shown: string | null }) {
  const { waiting: isWaiting, shown, ...query } = options;
  const client = useQueryClient();
  const { pages, data, rows, isOld, isStored, start, begin, leftAt, leave } = usePages({
    query,
    shown,
    isEnabled: !isWaiting,
  });
  const first = data?.pages[0];
  const firstRow = first?.offset ?? 0;
  const [visible, setVisible] = useState({ start: 0, end: 0 });
  const { latest, newest, ...changes } = useChanges({
    query,
    first,
    rows,
    visible,
    readAt: pages.dataUpdatedAt,
    isEnabled: !isOld && !pages.isPlaceholderData,
  });
  // Nobody reads rows that are not there: the first ones need no button.
  const hasFirstRows = first?.total === 0 && changes.outOfPlace > 0;
  const { refetch } = pages;
  useEffect(() => {
    if (hasFirstRows) void refetch();
  }, [hasFirstRows, refetch]);

  const counted = isStored ? first : newest?.building === undefined ? newest : undefined;
  const error = pages.error ?? latest.error;
  const {
    sortAgain,
    refetch: refetchAll,
    ...loads
  } = useStableFunctions({
    /** Loads the rows around a device unless its row is loaded. */
    loadAround: (id: string) => {
      if (!rows.get(id)) begin({ around: id });
    },
    /** Replaces the rows by those from this index on. */
    loadFrom: (row: number) => begin(row > 0 ? { offset: row } : null),
    loadMore: () => {
      if (pages.hasNextPage && !pages.isFetching && !pages.isError) void pages.fetchNextPage();
    },
    leave,
    /** Requests the changes of the rows from this index to before that one. */
    show({ start, end }: { start: number; end: number }) {
      const shown = { start: start - (start % viewStep), end: end + viewStep - (end % viewStep) };
      if (shown.start !== visible.start || shown.end !== visible.end) setVisible(shown);
    },
    sortAgain() {
      reloadFirstPage({ client, query });
      begin(null);
    },
    refetch() {
      void refetch();
      void latest.refetch();
    },
  });
  return {
    rows,
    /** Which rows are loaded, and how others are. */
    scroll: {
      /** How many rows come before the loaded ones. */
      offset: firstRow,
      start,
      hasMore: pages.hasNextPage,
      leftAt,
      ...loads,
    },
    /** The counts of all that match, not of the loaded rows. */
    counts: {
      /** The number of matches in the latest response that has it; undefined before the first. */
      total: counted?.total,
      facets: counted?.facets,
      /** The progress of the server's count, from 0 to 1; undefined if it is complete. */
      building: newest?.building,
    },
    changes: {
      ...changes,
      /** Loads the list again from its first row, in the current order. */
      sortAgain,
    },
    status: {
      /** The rows of other filters are still shown while these are fetched. */
      isChanging: pages.isPlaceholderData,
      /** The rows of other filters are shown because these cannot be fetched. */
      isOld,
      /** They are those of the stored devices that match. */
      isStored,
      error,
      /** The server cannot be reached: a notice says so, and how old the page is. */
      isAway: isUnreachable(error),
      refetch: refetchAll,
    },
  };
}

export type DeviceList = ReturnType<typeof useDeviceList>;
