import { useQuery } from '@tanstack/react-query';
import { Navigate, useLocation } from 'react-router';
import { accountQuery } from '../shared/account/account.api.ts';
import { InvitePage } from '../features/swarms/invite/invite-page.tsx';

export function Component() {
  const account = useQuery(accountQuery).data;
  // A link that is opened while the page is shown fills in the form again.
  const params = new URLSearchParams(useLocation().search);
  const [to, resource] = [params.get('to'), params.get('resource')];
  if (!account) return null;
  // Users do not invite their own devices, so the link shows the device.
  if (resource && to?.toLowerCase() === account.user_id) {
    return <Navigate replace to={`/devices/${encodeURIComponent(resource)}`} />;
  }
  return <InvitePage key={`${to}/${resource}`} user_id={account.user_id} quota={account.quotas.invitations} />;
}
