import { useQuery } from '@tanstack/react-query';
import { isSignedOut } from '../data/problem.ts';
import { accountQuery } from '../shared/account/account.api.ts';
import { t } from '../text/text.ts';
import { ButtonLink } from '../ui/buttons/button.tsx';
import { Empty } from '../ui/pages/empty.tsx';
import { usePageTitle } from '../ui/pages/page-title.ts';

export function Component() {
  const { title, text, home } = t.not_found;
  // Asking again would close this page until the answer.
  const { error } = useQuery({ ...accountQuery, enabled: false });
  usePageTitle(title);
  return (
    <Empty level={1} icon="search" title={title} text={text}>
      {isSignedOut(error) ? (
        <ButtonLink to="/sign-in">{t.account.sign_in.title}</ButtonLink>
      ) : (
        <ButtonLink to="/">{home}</ButtonLink>
      )}
    </Empty>
  );
}
