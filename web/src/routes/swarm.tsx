import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { accountQuery } from '../features/account/account.api.ts';
import { SwarmPage } from '../features/swarms/swarm-page.tsx';
import { optional } from '../ui/late.tsx';

const DeviceMap = optional(async () => (await import('../features/map/device-map.tsx')).DeviceMap);

/** Nothing lies over the map here. */
const uncovered = { top: 0, right: 0, bottom: 0, left: 0 };

export function Component() {
  const { id = '' } = useParams();
  const account = useQuery(accountQuery).data;
  if (!account) return null;
  return (
    <SwarmPage
      key={id}
      id={id}
      user_id={account.user_id}
      renderMap={(props) => <DeviceMap {...props} insets={uncovered} initialView={null} />}
    />
  );
}
