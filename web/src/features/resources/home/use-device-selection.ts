import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { deviceSelectionOf } from '../../../api/device-selection.ts';
import { t } from '../../../text/text.ts';
import { allSelected, countSelected, isSelected, selectIds, toggle, toggleRange } from '../../../ui/selection.ts';
import { useErrorToast } from '../../../ui/toast.tsx';
import { toQuery } from '../device-filters.ts';
import type { Bbox, Filters } from '../device-filters.ts';
import { deviceCountQuery, devicePages } from '../resources.api.ts';
import type { DeviceList } from './use-device-list.ts';

const sameFilters = (a: Filters, b: Filters) => toQuery({ filters: a, limit: 0 }) === toQuery({ filters: b, limit: 0 });

/** The selected devices of the list. `bbox`: the list has only those in this part of the map. */
export function useDeviceSelection({
  list,
  filters,
  bbox,
}: {
  list: Pick<DeviceList, 'rows' | 'total'>;
  filters: Filters;
  bbox: Bbox | null;
}) {
  const client = useQueryClient();
  const showError = useErrorToast();
  const store = deviceSelectionOf({ client });
  const stored = useSyncExternalStore(store.subscribe, store.get);
  const [isReading, setReading] = useState(false);

  // "all" of other filters would be other devices
  const isOutdated = stored.all && !sameFilters(stored.filters, filters);
  useEffect(() => {
    if (isOutdated) store.clear();
  }, [isOutdated, store]);
  const selection = isOutdated ? { ...stored, all: false, ids: new Set<string>(), isActive: false } : stored;
  const counted = useQuery({
    ...deviceCountQuery({ filters, bbox: null }),
    enabled: selection.all && bbox !== null,
  });
  const matching = (bbox === null ? list.total : counted.data) ?? 0;

  /** Adds the devices in a part of the map. Their ids are read now, because devices move. */
  async function selectWithin(box: Bbox) {
    setReading(true);
    try {
      const ids = new Set(stored.all ? [] : stored.ids);
      for await (const { items } of devicePages({ filters, bbox: box })) for (const { id } of items) ids.add(id);
      store.set({ ...selectIds(ids), isActive: ids.size > 0 });
    } catch (error) {
      showError(error, t.devices.selection.failed);
    }
    setReading(false);
  }

  return {
    isActive: selection.isActive,
    isReading,
    count: countSelected(selection, matching),
    /** How many rows the list has. */
    total: list.total,
    /** Whether all rows of the list are known to be selected. */
    isWhole: bbox === null && selection.all && selection.ids.size === 0,
    has: (id: string) => isSelected(selection, id),
    toggle(id: string, range: boolean) {
      const order = range ? list.rows.all().map((row) => row.id) : [];
      const now = store.get();
      const next = range ? toggleRange(now, id, order) : toggle(now, id);
      store.set({ ...next, isActive: next.all || next.ids.size > 0 });
    },
    /** Shows the checkboxes. */
    begin: () => store.set({ isActive: true }),
    /** All that the list has, loaded or not. */
    selectAll() {
      if (bbox !== null) return void selectWithin(bbox);
      return store.set({ ...allSelected, filters, isActive: true });
    },
    selectWithin: (box: Bbox) => void selectWithin(box),
    clear: store.clear,
  };
}

export type HomeSelection = ReturnType<typeof useDeviceSelection>;
