import { notFound } from '../text/en.not-found.ts';
import { localize } from '../text/text.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { usePageTitle } from '../ui/page-title.ts';

const { title, text, home } = localize(notFound);

export function Component() {
  usePageTitle(title);
  return (
    <Empty level={1} icon="search" title={title} text={text}>
      <ButtonLink to="/">{home}</ButtonLink>
    </Empty>
  );
}
