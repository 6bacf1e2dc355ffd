import { useCommands } from '../../../ui/keys/keys-provider.tsx';
import { listBesideMapRuns } from '../../../ui/lists/list-beside-map.ts';
import { useHome } from './home-state.ts';
import { useRemoveUselessFilters } from './use-remove-useless-filters.ts';
import { useOpenDevice } from './use-selected-device.ts';

/** What the commands of the home page do (ui/keys/commands.ts). It renders nothing: all of the page would render with what they read. */
export function HomeCommands() {
  const { handle: map, view } = useHome('map');
  const { handle: list, counts, status } = useHome('list');
  const { checked, check } = useHome('selection');
  const { id, device, select, step } = useHome('selected');
  const { add } = useHome('dialogs');
  const { placing, cancel } = useHome('placing');
  const { startSearch } = useHome('search');
  const removeUselessFilters = useRemoveUselessFilters();
  const open = useOpenDevice();
  const { isPossible } = checked;
  const toggle = isPossible ? check.toggle : () => {};
  useCommands('device_list', {
    begin_selection: isPossible && check.begin,
    select_all: isPossible && counts.total !== 0 && check.all,
    select_in_view: isPossible && view !== null && (() => check.within(view.bbox)),
    reload: status.refetch,
  });
  useCommands('devices', {
    search: startSearch,
    add: () => add(),
    ...listBesideMapRuns({ list, map, selected: id, step, toggle }),
    clear: () => {
      if (placing) cancel();
      else if (checked.isActive) check.clear();
      else if (!removeUselessFilters() && id !== null) select(null);
    },
  });
  useCommands('selected_device', device ? { open: () => open(device), edit: () => open(device, 'name') } : null);
  return null;
}
