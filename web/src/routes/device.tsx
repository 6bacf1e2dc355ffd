import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useParams } from 'react-router';
import { accountQuery } from '../features/account/account.api.ts';
import { DevicePage } from '../features/resources/device-page.tsx';

const DeviceInvitations = lazy(async () => ({
  default: (await import('../features/invitations/device-invitations.tsx')).DeviceInvitations,
}));
const InviteCode = lazy(async () => ({ default: (await import('../features/swarms/invite-code.tsx')).InviteCode }));
const PlaceMap = lazy(async () => ({ default: (await import('../features/map/place-map.tsx')).PlaceMap }));

export function Component() {
  const { id = '' } = useParams();
  const account = useQuery(accountQuery).data;
  if (!account) return null;
  return (
    <DevicePage
      id={id}
      user_id={account.user_id}
      renderInvite={(of) => (
        <Suspense>
          <InviteCode {...of} />
        </Suspense>
      )}
      invitations={
        <Suspense>
          <DeviceInvitations resource_id={id} />
        </Suspense>
      }
      renderMap={(props) => (
        <div>
          <Suspense>
            <PlaceMap {...props} />
          </Suspense>
        </div>
      )}
    />
  );
}
