import type { deviceSelectionOf } from '../../../data/device-selection.ts';
import type { Bbox } from '../../../data/filter-params.ts';
import { selectIds } from '../../../ui/lists/selection.ts';
import type { Filters } from '../device-filters.ts';
import { devicePages } from './selected-devices.api.ts';

interface WithinOptions {
  store: ReturnType<typeof deviceSelectionOf>;
  filters: Filters;
  bbox: Bbox;
  signal: AbortSignal;
}

/** Selects the devices in a part of the map as well. Their ids are read now, because devices move. */
export async function selectWithin({ store, signal, ...query }: WithinOptions): Promise<void> {
  const found: string[] = [];
  for await (const { items } of devicePages({ ...query, signal })) found.push(...items.map(({ id }) => id));
  signal.throwIfAborted();
  // With those that were selected meanwhile.
  const ids = new Set([...store.get().ids, ...found]);
  store.set({ ...selectIds(ids), isActive: ids.size > 0 });
}
