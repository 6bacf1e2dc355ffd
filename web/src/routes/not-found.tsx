import { t } from '../text/text.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { usePageTitle } from '../ui/page-title.ts';

export function Component() {
  const { title, text, home } = t.not_found;
  usePageTitle(title);
  return (
    <Empty level={1} icon="search" title={title} text={text}>
      <ButtonLink to="/">{home}</ButtonLink>
    </Empty>
  );
}
