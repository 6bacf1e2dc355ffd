import { useQuery } from '@tanstack/react-query';
import type { Position } from '@swarmdeck/bff/contract';
import { useParams } from 'react-router';
import { accountQuery } from '../shared/account/account.api.ts';
import { writePosition } from '../features/devices/form/coordinates.ts';
import { JoinPage } from '../features/swarms/join/join-page.tsx';
import { AddDeviceDialogProvider, useAddingDevice } from '../features/swarms/requests/adding-device.ts';
import { t } from '../text/text.ts';
import { lazyPart } from '../ui/lazy.tsx';

const AddDevice = lazyPart(async () => (await import('../features/devices/form/add-device.tsx')).AddDevice);

const noFields = {};
const phoneFields = (at: Position | undefined) => ({
  name: t.links.join.phone_name,
  machine_type: 'smartphone' as const,
  ...writePosition(at),
});

export function Component() {
  const { code = '' } = useParams();
  const account = useQuery(accountQuery).data;
  if (!account) return null;
  return (
    <AddDeviceDialogProvider dialog={<AddJoiningDevice />}>
      <JoinPage key={code} code={code} user_id={account.user_id} />
    </AddDeviceDialogProvider>
  );
}

function AddJoiningDevice() {
  const { thisPhone, ...dialog } = useAddingDevice();
  return <AddDevice fill={thisPhone ? phoneFields(thisPhone.at) : noFields} {...dialog} />;
}
