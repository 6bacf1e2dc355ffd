import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { accountQuery } from '../features/account/account.api.ts';
import { JoinPage } from '../features/swarms/join/join-page.tsx';
import { lazyPart } from '../ui/lazy.tsx';

const AddDevice = lazyPart(async () => (await import('../features/resources/form/add-device.tsx')).AddDevice);

const noFields = {};

export function Component() {
  const { code = '' } = useParams();
  const account = useQuery(accountQuery).data;
  if (!account) return null;
  return (
    <JoinPage
      key={code}
      code={code}
      user_id={account.user_id}
      renderAdd={(props) => <AddDevice fill={noFields} {...props} />}
    />
  );
}
