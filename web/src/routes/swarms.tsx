import { useQuery } from '@tanstack/react-query';
import { accountQuery } from '../shared/account/account.api.ts';
import { SwarmsPage } from '../features/swarms/list/swarms-page.tsx';

export function Component() {
  const account = useQuery(accountQuery).data;
  return account ? <SwarmsPage user_id={account.user_id} /> : null;
}
