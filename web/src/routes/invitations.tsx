import { t } from '../text/text.ts';
import { Empty } from '../ui/empty.tsx';
import { usePageTitle } from '../ui/page-title.ts';

/** Says plainly that it is not there yet. */
export function Component() {
  usePageTitle(t.shell.places.invitations);
  return <Empty level={1} icon="inbox" title={t.shell.coming.invitations} text={t.shell.coming.invitations_text} />;
}
