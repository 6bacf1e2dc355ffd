import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { queryKeys } from '../../../api/query-keys.ts';
import { remove } from '../../../api/client.ts';
import { formatNumber, t } from '../../../text/text.ts';
import { Bdi } from '../../../ui/bidi.tsx';
import { Rich } from '../../../ui/rich.tsx';
import { createDeviceAction } from './device-action.tsx';
import type { SelectedDevice } from './device-action.tsx';
import { countInvitations, swarmsOf } from './read-selected.ts';

/** So many swarms are named. */
const mostNamed = 5;

export const { action: deleteDevices, ResumeJobs } = createDeviceAction<object>({
  name: 'delete',
  icon: 'trash',
  isDangerous: true,
  isUndoable: true,
  initial: {},
  Summary,
  send: ({ id }, { keepalive }) => remove({ path: `/api/resources/${id}`, keepalive }),
  changes: (rows) => rows.map(({ id }) => ({ type: 'resource.destroyed', data: { id } })),
});

/** Which swarms and open invitations are affected. */
function Summary({ devices }: { devices: readonly SelectedDevice[] }) {
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
        {swarms.length > 0 && (
          <ul>
            {swarms.slice(0, mostNamed).map(({ id, name, count }) => (
              <li key={id}>
                <Rich text={t.bulk.swarm_line(count)} name={<Bdi>{name}</Bdi>} />
              </li>
            ))}
            {swarms.length > mostNamed && <li>{t.bulk.more_swarms(formatNumber(swarms.length - mostNamed))}</li>}
          </ul>
        )}
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
