import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useParams } from 'react-router';
import { accountQuery } from '../shared/account/account.api.ts';
import { useMembersMap } from '../features/swarms/members/use-members.ts';
import { useAddingDevice } from '../features/swarms/requests/adding-device.ts';
import { SwarmPage } from '../features/swarms/swarm-page.tsx';
import { lazyPart } from '../ui/lazy.tsx';

const ActivityBox = lazyPart(async () => (await import('../features/activity/activity-box.tsx')).ActivityBox);
const AddDevice = lazyPart(async () => (await import('../features/resources/form/add-device.tsx')).AddDevice);
const DeviceMap = lazyPart(async () => (await import('../features/map/device-map.tsx')).DeviceMap);

const SwarmMessages = lazyPart(async () => (await import('../features/messages/swarm-messages.tsx')).SwarmMessages);

const noFields = {};

export function Component() {
  const { id = '' } = useParams();
  const account = useQuery(accountQuery).data;
  if (!account) return null;
  return (
    <SwarmPage
      key={id}
      id={id}
      user_id={account.user_id}
      map={<MembersMap />}
      addDevice={<AddAskingDevice />}
      messages={<SwarmMessages swarm_id={id} />}
      activity={<ActivityBox filter={{ swarm_id: id }} />}
    />
  );
}

function MembersMap() {
  const { covered, ...props } = useMembersMap();
  const insets = useMemo(() => ({ top: 0, right: 0, bottom: covered, left: 0 }), [covered]);
  return <DeviceMap {...props} insets={insets} initialView={null} />;
}

function AddAskingDevice() {
  const { onClose, onAdded } = useAddingDevice();
  return <AddDevice fill={noFields} onClose={onClose} onAdded={onAdded} />;
}
