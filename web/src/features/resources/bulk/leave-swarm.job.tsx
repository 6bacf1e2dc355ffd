import { t } from '../../../text/text.ts';
import { createDeviceAction } from './device-action.tsx';
import { swarmsOf } from './read-selected.ts';
import { SwarmField } from './swarm-field.tsx';

export const { action: leaveSwarm, ResumeJobs } = createDeviceAction<{ swarm_id: string }>({
  name: 'leave_swarm',
  icon: 'close',
  concerns: (device, { swarm_id }) => device.swarms.some(({ id }) => id === swarm_id),
  Fields({ about, items, onChange }) {
    const swarms = swarmsOf(items);
    if (swarms.length === 0) return <p>{t.bulk.no_joined_swarm}</p>;
    return (
      <SwarmField
        value={about?.swarm_id}
        swarms={swarms.map(({ id, name, count }) => ({ id, label: t.bulk.swarm_option(name, count) }))}
        onChange={(swarm_id) => onChange(swarm_id === undefined ? undefined : { swarm_id })}
      />
    );
  },
  requestOf: ({ id }, { swarm_id }) => ({ method: 'DELETE', path: `/api/swarms/${swarm_id}/resources/${id}` }),
  keepsRows: true,
  changes: (_rows, { swarm_id }) => [{ type: 'membership.changed', data: { swarm_id } }],
});
