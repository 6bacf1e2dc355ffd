import { useKeys } from '../../../ui/keys-provider.tsx';
import { useUrlState } from '../../../ui/url-state.ts';
import { homeUrl } from '../device-filters.ts';
import { useDeviceSelection } from './use-device-selection.ts';
import { useHomeDialogs } from './use-home-dialogs.ts';
import { useHomeList } from './use-home-list.ts';
import { useHomeMap } from './use-home-map.ts';
import { useHomePlacing } from './use-home-placing.ts';
import { useRemoveUselessFilters, useSearch } from './use-search.ts';
import { useOpenDevice, useSelectedDevice } from './use-selected-device.ts';

/** The keys of the home page. */
export function useHomeKeys(): void {
  const [{ filters }] = useUrlState(homeUrl);
  const { handle: map } = useHomeMap();
  const { handle: list } = useHomeList();
  const selection = useDeviceSelection();
  const { id: selected, device, select, step } = useSelectedDevice();
  const { add } = useHomeDialogs();
  const { placing, cancel } = useHomePlacing();
  const { startSearch } = useSearch();
  const removeUselessFilters = useRemoveUselessFilters();
  const open = useOpenDevice();
  useKeys('devices', {
    '/': startSearch,
    c: () => add(),
    j: () => step(1),
    k: () => step(-1),
    m: () => map.current?.focus(),
    l: () => list.current?.focus(),
    f: () => map.current?.fit(),
    x: ({ shiftKey }) => {
      if (filters.audience) return;
      const id = list.current?.focused() ?? selected;
      if (id !== null) selection.toggle(id, shiftKey);
    },
    Escape: () => {
      if (placing) cancel();
      else if (selection.isActive) selection.clear();
      else if (!removeUselessFilters() && selected !== null) select(null);
    },
  });
  useKeys('selected_device', device ? { Enter: () => open(device), e: () => open(device, 'name') } : null);
}
