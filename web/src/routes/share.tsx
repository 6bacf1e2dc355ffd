import { Navigate, useLocation } from 'react-router';
import { sharedPath } from '../data/shared-path.ts';
import { t } from '../text/text.ts';
import { ButtonLink } from '../ui/buttons/button.tsx';
import { Empty } from '../ui/pages/empty.tsx';
import { usePageTitle } from '../ui/pages/page-title.ts';

/** Opens the page of a link that was shared with the installed app (`share_target` of app.webmanifest). */
export function Component() {
  const path = sharedPath({ search: useLocation().search, origin: location.origin });
  usePageTitle(t.not_found.shared);
  if (path !== undefined) return <Navigate replace to={path} />;
  return (
    <Empty level={1} icon="search" title={t.not_found.shared} text={t.not_found.shared_text}>
      <ButtonLink to="/">{t.not_found.home}</ButtonLink>
    </Empty>
  );
}
