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

/** What the commands of the home page do (ui/commands.ts). It renders nothing: all of the page would render with what they read. */
export function HomeCommands() {
  const [{ filters }] = useUrlState(homeUrl);
  const { handle: map, view } = useHomeMap();
  const { handle: list, counts, status } = useHomeList();
  const { selected: checked, select } = useDeviceSelection();
  const { id: selected, device, select: selectDevice, step } = useSelectedDevice();
  const { add } = useHomeDialogs();
  const { placing, cancel } = useHomePlacing();
  const { startSearch } = useSearch();
  const removeUselessFilters = useRemoveUselessFilters();
  const open = useOpenDevice();
  // Only own devices can be selected.
  const isOwn = filters.audience === undefined;
  const toggle = isOwn ? select.toggle : () => {};
  useCommands('device_list', {
    begin_selection: isOwn && select.begin,
    select_all: isOwn && counts.total !== 0 && select.selectAll,
    select_in_view: isOwn && view !== null && (() => select.selectWithin(view.bbox)),
    reload: status.refetch,
  });
  useCommands('devices', {
    search: startSearch,
    add: () => add(),
    ...listBesideMapRuns({ list, map, selected, step, toggle }),
    clear: () => {
      if (placing) cancel();
      else if (checked.isActive) select.clear();
      else if (!removeUselessFilters() && selected !== null) selectDevice(null);
    },
  });
  useCommands('selected_device', device ? { open: () => open(device), edit: () => open(device, 'name') } : null);
  return null;
}
