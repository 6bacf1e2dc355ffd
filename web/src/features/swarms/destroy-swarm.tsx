import { useQueryClient } from '@tanstack/react-query';
import { errorParts } from '../../api/problem.ts';
import { useUndoableMutation } from '../../api/use-undoable-mutation.ts';
import type { SwarmItem } from '@swarmdeck/bff/contract';
import { formatNumber, problemSentence, t } from '../../text/text.ts';
import { Bdi } from '../../ui/bidi.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Rich } from '../../ui/rich.tsx';
import { useToasts } from '../../ui/toast.tsx';
import './destroy-swarm.css';
import { destroySwarm, destroySwarmKey } from './swarm-writes.api.ts';

/** Asks before a swarm is deleted, and says what is deleted with it. */
export function DestroySwarm({
  swarm,
  onClose,
  onDestroy,
}: {
  swarm: SwarmItem;
  onClose(): void;
  /** The user has confirmed: it is pending. */
  onDestroy(): void;
}) {
  const client = useQueryClient();
  const toasts = useToasts();
  const { id, name, member_count } = swarm;
  const open = swarm.invitations?.new ?? 0;
  const destroy = useUndoableMutation({
    key: destroySwarmKey(id),
    label: <Rich text={t.swarms.destroy.waiting} name={<Bdi>{name}</Bdi>} />,
    mutationFn: (_none, { keepalive }) => destroySwarm({ client, id, keepalive }),
    onError: (error) =>
      toasts.show({
        title: t.swarms.destroy.refused,
        text: `${problemSentence(errorParts(error))} ${t.swarms.destroy.refused_text}`,
        tone: 'bad',
      }),
  });
  const confirm = () => {
    destroy.mutate();
    onDestroy();
  };
  return (
    <ConfirmDialog
      title={<Rich text={t.swarms.destroy.title} name={<Bdi>{name}</Bdi>} />}
      description={t.swarms.destroy.text}
      act={t.swarms.destroy.confirm}
      cancel={t.swarms.destroy.cancel}
      icon="trash"
      onAct={confirm}
      onClose={onClose}
    >
      <ul className="destroy-swarm numbers">
        <li>{t.swarms.destroy.members(member_count, formatNumber(member_count))}</li>
        <li>{t.swarms.destroy.invitations(open, formatNumber(open))}</li>
        <li>{t.swarms.destroy.history}</li>
      </ul>
      <p>{t.swarms.destroy.devices}</p>
    </ConfirmDialog>
  );
}
