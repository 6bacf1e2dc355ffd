import { sharePage } from '../../../shared/share-page.tsx';
import { useHoverState } from '../../../ui/lists/use-hover.ts';
import { useDeviceSelection } from './use-device-selection.ts';
import { useHomeDialogs } from './use-home-dialogs.ts';
import { useHomeList } from './use-home-list.ts';
import { useHomeMap } from './use-home-map.ts';
import { useHomePlacing } from './use-home-placing.ts';
import { useHomeSheet } from './use-home-sheet.ts';
import { useHomeStart } from './use-home-start.ts';
import { useOwnerOf } from './use-owner-of.ts';
import { useSearch } from './use-search.ts';
import { useSelectedDevice } from './use-selected-device.ts';

/** The state of the home page, a hook for each concern. `userId`: undefined until it is known. */
export const [HomeState, useHome] = sharePage(function useHomeState({ userId }: { userId: string | undefined }) {
  const owner = useOwnerOf({ userId });
  const hover = useHoverState();
  const map = useHomeMap();
  const sheet = useHomeSheet();
  const search = useSearch(sheet);
  const list = useHomeList(map);
  const selection = useDeviceSelection(list);
  const selected = useSelectedDevice({ map, sheet, list });
  const dialogs = useHomeDialogs(list);
  const placing = useHomePlacing({ map, sheet, list, selected, dialogs });
  const start = useHomeStart({ list, placing });
  return { owner, hover, map, sheet, search, list, selection, selected, dialogs, placing, start };
});
