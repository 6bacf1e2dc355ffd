import { phone as phoneQuery, useMedia } from '../../../ui/media.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { homeUrl } from '../device-filters.ts';
import { useHomeDialogs } from './use-home-dialogs.ts';
import { useHomeList } from './use-home-list.ts';
import { useHomeMap } from './use-home-map.ts';
import { useHomeSheet } from './use-home-sheet.ts';
import { useSelectedDevice } from './use-selected-device.ts';

/** What is below the list of own devices; null without one. `roomy`: there is room for more than a line. */
export function useHomeFoot() {
  const [{ filters }] = useUrlState(homeUrl);
  const { rows, counts, changes } = useHomeList();
  const selected = useSelectedDevice();
  const { stop, setStop } = useHomeSheet();
  const isPhone = useMedia(phoneQuery);
  const { add } = useHomeDialogs();
  const { showAll } = useHomeMap();
  const count = counts.facets?.all;
  const first = rows.at(0);
  if (!count || filters.audience) return null;
  return {
    /** The selected or the first one. */
    device: selected.id === null ? first && (changes.device(first.id) ?? first) : (selected.device ?? undefined),
    count,
    roomy: !isPhone || stop === 'list',
    /** Makes room for all steps. */
    onMore: () => setStop('list'),
    onAdd: () => add(),
    onDemo: showAll,
  };
}
