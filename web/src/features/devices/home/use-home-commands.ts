import { useCommands } from '../../../ui/keys-provider.tsx';
import { useUrlState } from '../../../ui/url-state.ts';
import { homeUrl } from '../device-filters.ts';
import { useDeviceSelection } from './use-device-selection.ts';
import { useHomeDialogs } from './use-home-dialogs.ts';
import { useHomeList } from './use-home-list.ts';
import { useHomeMap } from './use-home-map.ts';
import { useHomePlacing } from './use-home-placing.ts';
import { useRemoveUselessFilters, useSearch } from './use-search.ts';
import { useOpenDevice, useSelectedDevice } from './use-selected-device.ts';

/** What the commands of the home page do (ui/commands.ts). */
export function useHomeCommands(): void {
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
  useCommands('devices', {
    search: startSearch,
    add: () => add(),
    next: () => step(1),
    previous: () => step(-1),
    focus_map: () => map.current?.focus(),
    focus_list: () => list.current?.focus(),
    fit: () => map.current?.fit(),
    select: ({ shiftKey }) => {
      if (filters.audience) return;
      const id = list.current?.focused() ?? selected;
      if (id !== null) selection.toggle(id, shiftKey);
    },
    clear: () => {
      if (placing) cancel();
      else if (selection.isActive) selection.clear();
      else if (!removeUselessFilters() && selected !== null) select(null);
    },
  });
  useCommands('selected_device', device ? { open: () => open(device), edit: () => open(device, 'name') } : null);
}
