import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { accountQuery } from '../features/account/account.api.ts';
import { DevicePage } from '../features/resources/device/device-page.tsx';
import { optional } from '../ui/lazy-part.tsx';

const DeviceInvitations = optional(
  async () => (await import('../features/invitations/device-invitations.tsx')).DeviceInvitations,
);
const InviteCode = optional(async () => (await import('../features/swarms/invite/invite-code.tsx')).InviteCode);
const PlaceMap = optional(async () => (await import('../features/map/place-map.tsx')).PlaceMap);

export function Component() {
  const { id = '' } = useParams();
  const account = useQuery(accountQuery).data;
  if (!account) return null;
  return (
    <DevicePage
      id={id}
      user_id={account.user_id}
      renderInvite={(of) => <InviteCode {...of} />}
      invitations={<DeviceInvitations resource_id={id} />}
      renderMap={(props) => (
        <div>
          <PlaceMap {...props} />
        </div>
      )}
    />
  );
}
