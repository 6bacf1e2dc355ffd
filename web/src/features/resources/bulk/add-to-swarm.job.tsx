import { useQuery } from '@tanstack/react-query';
import type { MemberRole } from '@swarmdeck/bff/contract';
import { ownedSwarmsQuery } from '../../../api/memberships.ts';
import { RoleChoice } from '../../../bulk/role-choice.tsx';
import { t } from '../../../text/text.ts';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { createDeviceAction } from './device-action.tsx';
import type { DeviceFieldsProps } from './device-action.tsx';
import { SwarmField } from './swarm-field.tsx';

interface About {
  swarm_id: string;
  role: MemberRole;
}

export const { action: addToSwarm, ResumeJobs } = createDeviceAction<About>({
  name: 'add_to_swarm',
  icon: 'swarm',
  concerns: (device, { swarm_id }) => !device.swarms.some(({ id }) => id === swarm_id),
  Fields,
  requestOf: ({ id }, { swarm_id, role }) => ({
    method: 'POST',
    path: `/api/swarms/${swarm_id}/resources`,
    body: { resource_id: id, resource_type: role },
  }),
  keepsRows: true,
  changes: (_rows, { swarm_id }) => [{ type: 'membership.changed', data: { swarm_id } }],
});

function Fields({ about, onChange }: DeviceFieldsProps<About>) {
  const { data: swarms, isError } = useQuery(ownedSwarmsQuery);
  const role = about?.role ?? 'producer';
  if (isError) return <p className="bulk-bad">{t.bulk.not_read}</p>;
  if (!swarms) return <Skeleton width="100%" height="36px" />;
  if (swarms.length === 0) return <p>{t.bulk.no_own_swarm}</p>;
  return (
    <>
      <SwarmField
        value={about?.swarm_id}
        swarms={swarms.map(({ id, name }) => ({ id, label: name }))}
        onChange={(swarm_id) => onChange(swarm_id === undefined ? undefined : { swarm_id, role })}
      />
      {about && <RoleChoice label={t.bulk.role} value={role} onChange={(next) => onChange({ ...about, role: next })} />}
    </>
  );
}
