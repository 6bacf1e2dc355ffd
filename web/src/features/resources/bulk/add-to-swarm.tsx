import { useQuery } from '@tanstack/react-query';
import type { ActionSwarm, MemberRole } from '@swarmdeck/bff/contract';
import { ownedSwarmsQuery } from '../../../api/memberships.ts';
import { RoleChoice } from '../../../bulk/role-choice.tsx';
import { t } from '../../../text/text.ts';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { createDeviceAction, type DeviceFieldsProps } from './device-action.tsx';
import { SwarmField } from './swarm-field.tsx';

interface About {
  swarm: ActionSwarm;
  resource_type: MemberRole;
}

export const addToSwarm = createDeviceAction<About, 'add_member'>({
  name: 'add_to_swarm',
  kind: 'add_member',
  icon: 'swarm',
  concerns: (device, { swarm }) => !device.swarms.some(({ id }) => id === swarm.id),
  Fields,
  aboutOf: (about) => about,
});

function Fields({ about, onChange }: DeviceFieldsProps<About>) {
  const { data: swarms, isError } = useQuery(ownedSwarmsQuery);
  const resource_type = about?.resource_type ?? 'producer';
  if (isError) return <p className="bad">{t.bulk.not_read}</p>;
  if (!swarms) return <Skeleton width="100%" height="36px" />;
  if (swarms.length === 0) return <p>{t.bulk.no_own_swarm}</p>;
  return (
    <>
      <SwarmField
        value={about?.swarm.id}
        swarms={swarms.map(({ id, name }) => ({ id, name, label: name }))}
        onChange={(swarm) => onChange(swarm && { swarm, resource_type })}
      />
      {about && (
        <RoleChoice
          label={t.bulk.role}
          value={resource_type}
          onChange={(next) => onChange({ ...about, resource_type: next })}
        />
      )}
    </>
  );
}
