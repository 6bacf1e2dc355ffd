import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { deviceSelectionOf } from '../../../data/device-selection.ts';
import type { Bbox } from '../../../data/filter-params.ts';
import { useListSelection } from '../../../bulk/use-list-selection.ts';
import { useSelectionReading } from '../../../bulk/use-selection-reading.ts';
import { t } from '../../../text/text.ts';
import { shareHook } from '../../../ui/share-hook.tsx';
import { useErrorToast } from '../../../ui/toast.tsx';
import { useUrlState } from '../../../ui/url-state.ts';
import { homeUrl, toQuery, type Filters } from '../device-filters.ts';
import { deviceCountQuery } from '../devices.api.ts';
import { useHomeList } from './use-home-list.ts';

const queryOf = (filters: Filters) => toQuery({ filters, limit: 0 });
const sameFilters = (a: Filters, b: Filters) => queryOf(a) === queryOf(b);

/** The devices that the user has selected in the list, and selecting them. */
export const [DeviceSelectionProvider, useDeviceSelection] = shareHook(function useDeviceSelectionState() {
  const [{ filters }] = useUrlState(homeUrl);
  // `bbox`: the list has only those in this part of the map.
  const { rows, counts, bbox } = useHomeList();
  const client = useQueryClient();
  const showError = useErrorToast();
  const store = deviceSelectionOf({ client });
  const stored = useSyncExternalStore(store.subscribe, store.get);
  const { isReading, read, stop } = useSelectionReading(queryOf(filters));

  // Other parts of the page read the store.
  const isOutdated = stored.all && !sameFilters(stored.filters, filters);
  useEffect(() => {
    if (isOutdated) store.clear();
  }, [isOutdated, store]);
  const counted = useQuery({
    ...deviceCountQuery({ filters, bbox: null }),
    enabled: stored.all && !isOutdated && bbox !== null,
  });
  const { selected, select } = useListSelection({
    stored,
    update: (change) => store.set(change(store.get())),
    filters,
    isSame: sameFilters,
    order: () => rows.all().map((row) => row.id),
    total: bbox === null ? counts.total : counted.data,
  });

  function selectWithin(box: Bbox) {
    // Of "all", only the exceptions are known.
    if (store.get().all) store.clear();
    read(async (signal) => {
      const within = await import('../bulk/select-within.ts');
      await within.selectWithin({ store, filters, bbox: box, signal });
    }).catch((error: unknown) => showError(error, t.devices.selection.failed));
  }

  return {
    selected: {
      ...selected,
      // So that Esc stops the reading.
      isActive: selected.isActive || isReading,
      isReading,
      total: counts.total,
      isWhole: bbox === null && selected.isWhole,
    },
    select: {
      ...select,
      begin() {
        stop();
        select.begin();
      },
      clear() {
        stop();
        select.clear();
      },
      selectAll() {
        stop();
        if (bbox === null) select.selectAll();
        else selectWithin(bbox);
      },
      selectWithin,
    },
  };
});
