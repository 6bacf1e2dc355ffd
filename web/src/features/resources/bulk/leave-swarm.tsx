import { useQuery } from '@tanstack/react-query';
import type { ActionSwarm } from '@swarmdeck/bff/contract';
import { t } from '../../../text/text.ts';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { deviceSwarmsQuery } from '../resources.api.ts';
import { createDeviceAction } from './device-action.tsx';
import { swarmsOf } from './read-selected.ts';
import { SwarmField } from './swarm-field.tsx';

export const leaveSwarm = createDeviceAction<{ swarm: ActionSwarm }, 'remove_member'>({
  name: 'leave_swarm',
  kind: 'remove_member',
  icon: 'close',
  concerns: (device, { swarm }) => device.swarms.some(({ id }) => id === swarm.id),
  Fields({ about, items, filter, onChange }) {
    const found = useQuery({ ...deviceSwarmsQuery(filter?.query ?? ''), enabled: filter !== undefined });
    const swarms = filter ? found.data : swarmsOf(items);
    if (found.isError) return <p className="bad">{t.bulk.not_read}</p>;
    if (!swarms) return <Skeleton width="100%" height="36px" />;
    if (swarms.length === 0) return <p>{t.bulk.no_joined_swarm}</p>;
    return (
      <SwarmField
        value={about?.swarm.id}
        swarms={swarms.map(({ id, name, count }) => ({
          id,
          name,
          label: filter ? name : t.bulk.swarm_option(name, count),
        }))}
        onChange={(swarm) => onChange(swarm && { swarm })}
      />
    );
  },
  aboutOf: (about) => about,
});
