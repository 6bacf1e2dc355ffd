import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { queryKeys } from '../../../api/query-keys.ts';
import type { Items } from '../../../bulk/list-action.tsx';
import { CountList } from '../../../bulk/count-list.tsx';
import { t } from '../../../text/text.ts';
import { createDeviceAction, type SelectedDevice } from './device-action.tsx';
import { countInvitations, swarmsOf } from './read-selected.ts';

export const deleteDevices = createDeviceAction<object, 'delete'>({
  name: 'delete',
  kind: 'delete',
  icon: 'trash',
  isDangerous: true,
  typedFrom: 100,
  initial: {},
  Summary,
  aboutOf: () => ({}),
});

/** Which swarms and open invitations are affected. */
function Summary({ items: devices, filter }: Items<SelectedDevice>) {
  const swarms = swarmsOf(devices);
  const inSwarms = devices.filter((device) => device.swarms.length > 0).length;
  const invitations = useQuery({
    queryKey: queryKeys.invitations.ofDevices(useId()),
    queryFn: ({ signal }) => countInvitations({ devices, signal }),
    enabled: !filter,
    gcTime: 0,
  });
  if (filter) return <p>{t.bulk.invitations_rejected}</p>;
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
