import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { deviceSelectionOf } from '../../../data/device-selection.ts';
import type { Bbox } from '../../../data/filter-params.ts';
import { useListSelection } from '../../../bulk/use-list-selection.ts';
import { useSelectionReading } from '../../../bulk/use-selection-reading.ts';
import { t } from '../../../text/text.ts';
import { useStableFunctions } from '../../../ui/browser/stable-functions.ts';
import { useErrorToast } from '../../../ui/toasts/toast.tsx';
import { useUrlState } from '../../../ui/urls/url-state.ts';
import { homeUrl } from '../device-filters.ts';
import { deviceCountQuery } from '../devices.api.ts';
import type { HomeList } from './use-home-list.ts';

/** The devices that the user has selected in the list, and selecting them. */
export function useDeviceSelection(list: Pick<HomeList, 'rows' | 'counts' | 'bbox' | 'status'>) {
  const [{ filters }] = useUrlState(homeUrl);
  // `bbox`: the list has only those in this part of the map.
  const { rows, counts, bbox, status } = list;
  const client = useQueryClient();
  const showError = useErrorToast();
  const store = deviceSelectionOf({ client });
  const stored = useSyncExternalStore(store.subscribe, store.get);
  const { isReading, read, stop } = useSelectionReading(JSON.stringify(filters));

  const counted = useQuery({
    ...deviceCountQuery({ filters, bbox: null }),
    enabled: stored.all && bbox !== null,
  });
  // Only own devices.
  const isPossible = !filters.audience;
  const { checked, check } = useListSelection({
    stored,
    update: (change) => store.set(change(store.get())),
    onReplace: stop,
    isPossible,
    filters,
    isOld: status.isChanging || status.isOld,
    order: () => rows.all().map((row) => row.id),
    total: bbox === null ? counts.total : counted.data,
  });

  function within(box: Bbox) {
    // Of "all", only the exceptions are known.
    if (store.get().all) store.clear();
    read(async (signal) => {
      const { selectWithin } = await import('../bulk/select-within.ts');
      await selectWithin({ store, filters, bbox: box, signal });
    }).catch((error: unknown) => showError(error, t.devices.selection.failed));
  }

  return {
    checked: {
      ...checked,
      isPossible,
      // So that Esc stops the reading.
      isActive: checked.isActive || isReading,
      isReading,
      total: counts.total,
      isWhole: bbox === null && checked.isWhole,
    },
    check: {
      ...check,
      ...useStableFunctions({
        all: () => (bbox === null ? check.all() : within(bbox)),
        within,
      }),
    },
  };
}
