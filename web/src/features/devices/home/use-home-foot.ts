import { phone as phoneQuery, useMedia } from '../../../ui/browser/media.ts';
import { useUrlState } from '../../../ui/urls/url-state.ts';
import { homeUrl } from '../device-filters.ts';
import { useHome } from './home-state.ts';

/** What is below the list of own devices; null without one. `roomy`: there is room for more than a line. */
export function useHomeFoot() {
  const [{ filters }] = useUrlState(homeUrl);
  const { rows, counts, changes } = useHome('list');
  const selected = useHome('selected');
  const { stop, setStop } = useHome('sheet');
  const isPhone = useMedia(phoneQuery);
  const { add } = useHome('dialogs');
  const { showAll } = useHome('map');
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
