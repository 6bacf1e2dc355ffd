import { useQuery } from '@tanstack/react-query';
import { useActionRequests } from '../../data/actions/actions.ts';
import { t } from '../../text/text.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Bdi, Rich } from '../../ui/rich.tsx';
import { ownMembersFilter, ownMembersQuery } from './audience.api.ts';

/** Asks before all devices of the user leave a swarm. */
export function LeaveAll({ swarm, onClose }: { swarm: { id: string; name: string }; onClose(): void }) {
  const { start } = useActionRequests();
  const { data } = useQuery(ownMembersQuery(swarm.id));
  const total = data?.total;
  const leave = () => {
    onClose();
    if (!data || !total) return;
    const [first] = data.items;
    const about = { swarm: { id: swarm.id, name: swarm.name } };
    void start(
      total === 1 && first
        ? { kind: 'remove_member', about, items: [{ id: first.id, name: first.name }] }
        : { kind: 'remove_member', about, items: [], filter: ownMembersFilter(swarm.id), expected: total },
    );
  };
  return (
    <ConfirmDialog
      title={<Rich text={t.members.leave.title} swarm={<Bdi>{swarm.name}</Bdi>} />}
      description={total === 0 ? t.audience.leave_none : t.audience.leave_text(total ?? 1)}
      confirm={t.members.leave.action}
      busy={total === undefined}
      onConfirm={leave}
      onClose={onClose}
    />
  );
}
