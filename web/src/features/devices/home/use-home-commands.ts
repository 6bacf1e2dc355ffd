import { useCommands } from '../../../ui/keys-provider.tsx';
import { listBesideMapRuns } from '../../../ui/list-beside-map.ts';
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
  const { handle: map, view } = useHomeMap();
  const { handle: list, counts, status } = useHomeList();
  const selection = useDeviceSelection();
  const { id: selected, device, select, step } = useSelectedDevice();
  const { add } = useHomeDialogs();
  const { placing, cancel } = useHomePlacing();
  const { startSearch } = useSearch();
  const removeUselessFilters = useRemoveUselessFilters();
  const open = useOpenDevice();
  // Only own devices can be selected.
  const isOwn = filters.audience === undefined;
  const toggle = isOwn ? selection.toggle : () => {};
  useCommands('device_list', {
    begin_selection: isOwn && selection.begin,
    select_all: isOwn && counts.total !== 0 && selection.selectAll,
    select_in_view: isOwn && view !== null && (() => selection.selectWithin(view.bbox)),
    reload: status.refetch,
  });
  useCommands('devices', {
    search: startSearch,
    add: () => add(),
    ...listBesideMapRuns({ list, map, selected, step, toggle }),
    clear: () => {
      if (placing) cancel();
      else if (selection.isActive) selection.clear();
      else if (!removeUselessFilters() && selected !== null) select(null);
    },
  });
  useCommands('selected_device', device ? { open: () => open(device), edit: () => open(device, 'name') } : null);
}
