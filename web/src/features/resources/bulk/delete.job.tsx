import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { deviceSelectionOf } from '../../../api/device-selection.ts';
import { queryKeys } from '../../../api/query-keys.ts';
import { CountList } from '../../../bulk/count-list.tsx';
import { t } from '../../../text/text.ts';
import { createDeviceAction } from './device-action.tsx';
import type { SelectedDevice } from './device-action.tsx';
import { countInvitations, swarmsOf } from './read-selected.ts';

export const { action: deleteDevices, ResumeJobs } = createDeviceAction<object>({
  name: 'delete',
  icon: 'trash',
  isDangerous: true,
  isUndoable: true,
  typedFrom: 100,
  initial: {},
  Summary,
  onChange({ client, jobs }) {
    const isDeleting = { jobOf: (id: string) => jobs.jobOf(id)?.key, undo: jobs.undo };
    deviceSelectionOf({ client }).setDeleting(isDeleting);
  },
  requestOf: ({ id }) => ({ method: 'DELETE', path: `/api/resources/${id}` }),
  changes: (rows) => rows.map(({ id }) => ({ type: 'resource.destroyed', data: { id } })),
});

/** Which swarms and open invitations are affected. */
function Summary({ items: devices }: { items: readonly SelectedDevice[] }) {
  const swarms = swarmsOf(devices);
  const inSwarms = devices.filter((device) => device.swarms.length > 0).length;
  const invitations = useQuery({
    queryKey: queryKeys.invitations.ofDevices(useId()),
    queryFn: ({ signal }) => countInvitations({ devices, signal }),
    gcTime: 0,
  });
  return (
    <>
      <div>
        {swarms.length === 0 ? t.bulk.no_swarm : t.bulk.leaves(inSwarms)}
        {swarms.length > 0 && <CountList groups={swarms} line={t.bulk.device_line} />}
      </div>
      <p aria-live="polite">
        {invitations.isPending
          ? t.bulk.looking
          : !invitations.data
            ? t.bulk.invitations_unknown
            : invitations.data.count === 0 && !invitations.data.isMore
              ? t.bulk.no_invitations
              : t.bulk.invitations(invitations.data.count, invitations.data.isMore)}
      </p>
    </>
  );
}
