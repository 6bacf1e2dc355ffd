import { t } from '../text/text.ts';
import { Empty } from '../ui/empty.tsx';
import { usePageTitle } from '../ui/page-title.ts';

/** Says plainly that it is not there yet. */
export function Component() {
  usePageTitle(t.shell.places.swarms);
  return <Empty level={1} icon="swarm" title={t.shell.coming.swarms} text={t.shell.coming.swarms_text} />;
}
