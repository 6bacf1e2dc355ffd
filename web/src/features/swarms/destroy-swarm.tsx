import { useActionRequests } from '../../data/actions/actions.ts';
import type { SwarmItem } from '@swarmdeck/bff/contract';
import { t } from '../../text/text.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Bdi, Rich } from '../../ui/rich.tsx';

interface DestroySwarmProps {
  swarm: SwarmItem;
  onClose(): void;
  /** Called when the user has confirmed: the deletion is pending. */
  onDestroy(): void;
}

/** Asks before a swarm is deleted, and lists what is deleted with it. */
export function DestroySwarm({ swarm, onClose, onDestroy }: DestroySwarmProps) {
  const { start } = useActionRequests();
  const { id, name, member_count } = swarm;
  const open = swarm.invitations?.new ?? 0;
  const requests = swarm.invitations?.requests ?? 0;
  const confirm = () => {
    void start({ kind: 'delete_swarm', about: {}, items: [{ id, name }] });
    onDestroy();
  };
  return (
    <ConfirmDialog
      title={<Rich text={t.swarms.delete.title} name={<Bdi>{name}</Bdi>} />}
      description={t.swarms.delete.text}
      confirm={t.swarms.delete.confirm}
      icon="trash"
      onConfirm={confirm}
      onClose={onClose}
    >
      <ul className="stack gap-1 dialog-list numbers">
        <li>{t.swarms.delete.members(member_count)}</li>
        <li>{t.swarms.delete.invitations(open)}</li>
        {requests > 0 && <li>{t.swarms.delete.requests(requests)}</li>}
        <li>{t.swarms.delete.history}</li>
      </ul>
      <p>{t.swarms.delete.devices}</p>
    </ConfirmDialog>
  );
}
