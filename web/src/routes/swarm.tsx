import { useQuery } from '@tanstack/react-query';
import type { Params } from 'react-router';
import { accountQuery } from '../shared/account/account.api.ts';
import {
  useMembersMapInput,
  useMembersMapView,
  useMembersSymbols,
} from '../features/swarms/members/use-members-map-props.ts';
import { AddDeviceDialogProvider, useAddingDevice } from '../features/swarms/requests/adding-device.ts';
import { SwarmPage } from '../features/swarms/swarm-page.tsx';
import { lazyPart } from '../ui/pages/lazy.tsx';

const ActivityBox = lazyPart(async () => (await import('../features/activity/activity-box.tsx')).ActivityBox);
const AddDevice = lazyPart(async () => (await import('../features/devices/form/add-device.tsx')).AddDevice);
const DeviceMap = lazyPart(async () => (await import('../features/map/device-map.tsx')).DeviceMap);

const ShareLinksBox = lazyPart(async () => (await import('../features/share-links/share-links-box.tsx')).ShareLinksBox);
const NewShareLinkDialog = lazyPart(async () => (await import('./new-share-link.tsx')).NewShareLinkDialog);
const SwarmMessages = lazyPart(async () => (await import('../features/messages/swarm-messages.tsx')).SwarmMessages);
const SwarmValues = lazyPart(async () => (await import('../features/values/swarm-values.tsx')).SwarmValues);

const noFields = {};

export function Component({ id = '' }: Params) {
  const account = useQuery(accountQuery).data;
  if (!account) return null;
  return (
    <AddDeviceDialogProvider dialog={<AddAskingDevice />}>
      <SwarmPage
        key={id}
        id={id}
        user_id={account.user_id}
        map={<MembersMap />}
        messages={<SwarmMessages swarm_id={id} />}
        values={<SwarmValues swarm_id={id} />}
        shareLinks={<ShareLinksBox of={{ swarm_id: id }} NewLink={NewShareLinkDialog} />}
        activity={<ActivityBox filter={{ swarm_id: id }} />}
      />
    </AddDeviceDialogProvider>
  );
}

function MembersMap() {
  return <DeviceMap {...useMembersSymbols()} {...useMembersMapView()} {...useMembersMapInput()} />;
}

function AddAskingDevice() {
  const { onClose, onAdded } = useAddingDevice();
  return <AddDevice fill={noFields} onClose={onClose} onAdded={onAdded} />;
}
