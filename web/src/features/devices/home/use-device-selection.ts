import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { deviceSelectionOf } from '../../../data/device-selection.ts';
import type { Bbox } from '../../../data/filter-params.ts';
import { useListSelection } from '../../../bulk/use-list-selection.ts';
import { t } from '../../../text/text.ts';
import { shareHook } from '../../../ui/share-hook.tsx';
import { useErrorToast } from '../../../ui/toast.tsx';
import { useUrlState } from '../../../ui/url-state.ts';
import { homeUrl, toQuery, type Filters } from '../device-filters.ts';
import { deviceCountQuery } from '../devices.api.ts';
import { useHomeList } from './use-home-list.ts';

const sameFilters = (a: Filters, b: Filters) => toQuery({ filters: a, limit: 0 }) === toQuery({ filters: b, limit: 0 });

/** The devices that the user has selected in the list, and selecting them. */
export const [DeviceSelectionProvider, useDeviceSelection] = shareHook(function useDeviceSelectionState() {
  const [{ filters }] = useUrlState(homeUrl);
  // `bbox`: the list has only those in this part of the map.
  const { rows, counts, bbox } = useHomeList();
  const client = useQueryClient();
  const showError = useErrorToast();
  const store = deviceSelectionOf({ client });
  const stored = useSyncExternalStore(store.subscribe, store.get);
  const [isReading, setReading] = useState(false);
  const reading = useRef<AbortController>(null);

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

  async function selectWithin(bbox: Bbox) {
    reading.current?.abort();
    const { signal } = (reading.current = new AbortController());
    setReading(true);
    // Before its code loads, so that Esc stops it.
    if (store.get().all) store.clear();
    store.set({ isActive: true });
    try {
      const within = await import('../bulk/select-within.ts');
      await within.selectWithin({ store, filters, bbox, signal });
    } catch (error) {
      if (!signal.aborted) {
        store.set({ isActive: store.get().ids.size > 0 });
        showError(error, t.devices.selection.failed);
      }
    }
    if (reading.current?.signal === signal) setReading(false);
  }

  return {
    selected: { ...selected, isReading, total: counts.total, isWhole: bbox === null && selected.isWhole },
    select: {
      ...select,
      clear() {
        reading.current?.abort();
        setReading(false);
        select.clear();
      },
      selectAll: () => (bbox === null ? select.selectAll() : void selectWithin(bbox)),
      selectWithin: (box: Bbox) => void selectWithin(box),
    },
  };
});
