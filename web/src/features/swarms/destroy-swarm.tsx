import { useQueryClient } from '@tanstack/react-query';
import { errorSentence } from '../../api/problem.ts';
import { useUndoableMutation } from '../../api/pending-actions.ts';
import type { SwarmItem } from '@swarmdeck/bff/contract';
import { t } from '../../text/text.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Bdi, Rich } from '../../ui/rich.tsx';
import { useToasts } from '../../ui/toast.tsx';
import { destroySwarm, destroySwarmKey } from './swarm-writes.api.ts';

/** Asks before a swarm is deleted, and lists what is deleted with it. */
export function DestroySwarm({
  swarm,
  onClose,
  onDestroy,
}: {
  swarm: SwarmItem;
  onClose(): void;
  /** Called when the user has confirmed: the deletion is pending. */
  onDestroy(): void;
}) {
  const client = useQueryClient();
  const toasts = useToasts();
  const { id, name, member_count } = swarm;
  const open = swarm.invitations?.new ?? 0;
  const destroy = useUndoableMutation({
    key: destroySwarmKey(id),
    label: <Rich text={t.swarms.delete.pending} name={<Bdi>{name}</Bdi>} />,
    doneLabel: <Rich text={t.swarms.delete.done} name={<Bdi>{name}</Bdi>} />,
    mutationFn: (_none, { keepalive }) => destroySwarm({ client, id, keepalive }),
    onError: (error) =>
      toasts.show({
        title: t.swarms.delete.failed,
        text: `${errorSentence(error)} ${t.swarms.delete.failed_text}`,
        tone: 'bad',
      }),
  });
  const confirm = () => {
    destroy.mutate();
    onDestroy();
  };
  return (
    <ConfirmDialog
      title={<Rich text={t.swarms.delete.title} name={<Bdi>{name}</Bdi>} />}
      description={t.swarms.delete.text}
      confirm={t.swarms.delete.confirm}
      cancel={t.swarms.delete.cancel}
      icon="trash"
      onConfirm={confirm}
      onClose={onClose}
    >
      <ul className="dialog-list numbers">
        <li>{t.swarms.delete.members(member_count)}</li>
        <li>{t.swarms.delete.invitations(open)}</li>
        <li>{t.swarms.delete.history}</li>
      </ul>
      <p>{t.swarms.delete.devices}</p>
    </ConfirmDialog>
  );
}
