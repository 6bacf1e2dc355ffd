import { useQueryClient } from '@tanstack/react-query';
import { errorParts } from '../../api/problem.ts';
import type { SwarmItem } from '@swarmdeck/bff/contract';
import { formatNumber, problemSentence, t } from '../../text/text.ts';
import { Bdi } from '../../ui/bidi.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Rich } from '../../ui/rich.tsx';
import { useToasts } from '../../ui/toast.tsx';
import { useWaiting } from '../../ui/use-waiting.ts';
import './destroy-swarm.css';
import { destroySwarm } from './swarm-writes.api.ts';
import { destroySwarmKey } from './waiting-keys.ts';

/** Asks, saying what goes with it; then it waits with Undo. */
export function DestroySwarm({
  swarm,
  onClose,
  onDestroy,
}: {
  swarm: SwarmItem;
  onClose(): void;
  /** It has begun to wait. */
  onDestroy(): void;
}) {
  const client = useQueryClient();
  const waiting = useWaiting();
  const toasts = useToasts();
  const { id, name, member_count } = swarm;
  const open = swarm.invitations?.new ?? 0;
  const confirm = () => {
    waiting.add({
      key: destroySwarmKey(id),
      label: <Rich text={t.swarms.destroy.waiting} name={<Bdi>{name}</Bdi>} />,
      send: ({ keepalive }) => destroySwarm({ client, id, keepalive }),
      onRefused: (error) =>
        toasts.show({
          title: t.swarms.destroy.refused,
          text: `${problemSentence(errorParts(error))} ${t.swarms.destroy.refused_text}`,
          tone: 'bad',
        }),
    });
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
