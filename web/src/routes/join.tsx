import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { accountQuery } from '../features/account/account.api.ts';
import { AddDevice } from '../features/resources/form/add-device.tsx';
import { JoinPage } from '../features/swarms/join/join-page.tsx';

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
