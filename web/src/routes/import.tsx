import { useQuery } from '@tanstack/react-query';
import { accountQuery } from '../shared/account/account.api.ts';
import { ImportPage } from '../features/import/import-page.tsx';

export function Component() {
  const account = useQuery(accountQuery).data;
  return account ? <ImportPage user_id={account.user_id} quota={account.quotas.resources} /> : null;
}
