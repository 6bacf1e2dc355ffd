/** The devices that the user has selected on the home page. The selection survives leaving the page. */
import type { QueryClient } from '@tanstack/react-query';
import type { DeviceFilters } from '@swarmdeck/bff/contract';
import { createListeners } from './listeners.ts';
import { oncePerClient, userOf } from './of-client.ts';

/** A `Selection` of ui/lists/selection.ts, of the devices that match filters. */
export interface DeviceSelection {
  all: boolean;
  ids: ReadonlySet<string>;
  anchor: string | null;
  /** What `all` means. */
  filters: Omit<DeviceFilters, 'audience' | 'bbox'>;
  /** Rows have checkboxes, and on touch screens a tap selects. */
  isActive: boolean;
}

const none: DeviceSelection = { all: false, ids: new Set(), anchor: null, filters: {}, isActive: false };

export const deviceSelectionOf = oncePerClient(createDeviceSelection);

export function createDeviceSelection({ client }: { client: QueryClient }) {
  const { subscribe, notify } = createListeners();
  let current = { user: userOf(client), selection: none };
  const get = () => (current.user === userOf(client) ? current.selection : none);
  function set(change: Partial<DeviceSelection>) {
    current = { user: userOf(client), selection: { ...get(), ...change } };
    notify();
  }
  return {
    get,
    set,
    clear: () => set(none),
    /** Whether it is more than a click would select again. */
    hasSeveral: () => get().all || get().ids.size > 1,
    /** Selects these devices and no others. */
    select: (ids: Iterable<string>) => set({ ...none, ids: new Set(ids), isActive: true }),
    subscribe,
  };
}
