import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { accountQuery } from '../features/account/account.api.ts';
import { InvitePage } from '../features/swarms/invite/invite-page.tsx';

export function Component() {
  const account = useQuery(accountQuery).data;
  // another link that is opened while the page is there fills it in anew
  const params = new URLSearchParams(useLocation().search);
  return account ? (
    <InvitePage key={`${params.get('to')}/${params.get('resource')}`} user_id={account.user_id} />
  ) : null;
}
