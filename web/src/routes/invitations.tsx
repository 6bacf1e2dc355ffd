import { useQuery } from '@tanstack/react-query';
import { accountQuery } from '../shared/account/account.api.ts';
import { useMappedDevice } from '../features/invitations/inbox/mapped-device.ts';
import { InboxPage } from '../features/invitations/inbox/inbox-page.tsx';
import { lazyPart } from '../ui/pages/lazy.tsx';

const PlaceMap = lazyPart(async () => (await import('../features/map/place-map.tsx')).PlaceMap);

const Offers = lazyPart(async () => (await import('../features/swarms/managers/offers.tsx')).Offers);

const unmoved = () => undefined;

export function Component() {
  const account = useQuery(accountQuery).data;
  return <InboxPage deviceMap={<DeviceMap />} offers={account && <Offers user_id={account.user_id} />} />;
}

function DeviceMap() {
  return <PlaceMap {...useMappedDevice()} readOnly onChange={unmoved} />;
}
