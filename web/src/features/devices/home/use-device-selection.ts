import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { deviceSelectionOf } from '../../../data/device-selection.ts';
import type { Bbox } from '../../../data/filter-params.ts';
import { useListSelection } from '../../../bulk/use-list-selection.ts';
import { t } from '../../../text/text.ts';
import { selectIds } from '../../../ui/selection.ts';
import { shareHook } from '../../../ui/share-hook.tsx';
import { useErrorToast } from '../../../ui/toast.tsx';
import { useUrlState } from '../../../ui/url-state.ts';
import { homeUrl, toQuery, type Filters } from '../device-filters.ts';
import { deviceCountQuery } from '../devices.api.ts';
import { useHomeList } from './use-home-list.ts';

const sameFilters = (a: Filters, b: Filters) => toQuery({ filters: a, limit: 0 }) === toQuery({ filters: b, limit: 0 });

/** The devices that the user has selected in the list. */
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
  const selection = useListSelection({
    stored,
    update: (change) => store.set(change(store.get())),
    filters,
    isSame: sameFilters,
    order: () => rows.all().map((row) => row.id),
    total: bbox === null ? counts.total : counted.data,
  });

  /** Adds the devices in a part of the map. Their ids are read now, because devices move. */
  async function selectWithin(box: Bbox) {
    reading.current?.abort();
    const { signal } = (reading.current = new AbortController());
    setReading(true);
    store.set({ ...(stored.all ? selectIds([]) : store.get()), isActive: true });
    try {
      const { devicePages } = await import('../bulk/selected-devices.api.ts');
      const found: string[] = [];
      for await (const { items } of devicePages({ filters, bbox: box, signal }))
        found.push(...items.map(({ id }) => id));
      // With those that were selected meanwhile.
      const ids = new Set([...store.get().ids, ...found]);
      store.set({ ...selectIds(ids), isActive: ids.size > 0 });
    } catch (error) {
      if (!signal.aborted) {
        showError(error, t.devices.selection.failed);
        const selected = store.get();
        store.set({ ...selected, isActive: selected.ids.size > 0 });
      }
    }
    if (reading.current?.signal === signal) setReading(false);
  }

  return {
    ...selection,
    clear() {
      reading.current?.abort();
      setReading(false);
      selection.clear();
    },
    isReading,
    total: counts.total,
    isWhole: bbox === null && selection.isWhole,
    selectAll: () => (bbox === null ? selection.selectAll() : void selectWithin(bbox)),
    selectWithin: (box: Bbox) => void selectWithin(box),
  };
});
