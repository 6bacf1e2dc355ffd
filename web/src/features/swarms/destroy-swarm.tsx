import { useQueryClient } from '@tanstack/react-query';
import { errorParts } from '../../api/problem.ts';
import type { SwarmItem } from '@swarmdeck/bff/contract';
import { formatNumber, problemSentence } from '../../text/text.ts';
import { Bdi } from '../../ui/bidi.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Rich } from '../../ui/rich.tsx';
import { useToasts } from '../../ui/toast.tsx';
import { useWaiting } from '../../ui/use-waiting.ts';
import './destroy-swarm.css';
import { words } from './swarm-words.ts';
import { destroySwarm } from './swarm-writes.api.ts';
import { destroySwarmKey } from './waiting-keys.ts';

const text = words.destroy;

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
      label: <Rich text={text.waiting} name={<Bdi>{name}</Bdi>} />,
      send: ({ keepalive }) => destroySwarm({ client, id, keepalive }),
      onRefused: (error) =>
        toasts.show({
          title: text.refused,
          text: `${problemSentence(errorParts(error))} ${text.refused_text}`,
          tone: 'bad',
        }),
    });
    onDestroy();
  };
  return (
    <ConfirmDialog
      title={<Rich text={text.title} name={<Bdi>{name}</Bdi>} />}
      description={text.text}
      act={text.confirm}
      cancel={text.cancel}
      icon="trash"
      onAct={confirm}
      onClose={onClose}
    >
      <ul className="destroy-swarm numbers">
        <li>{text.members(member_count, formatNumber(member_count))}</li>
        <li>{text.invitations(open, formatNumber(open))}</li>
        <li>{text.history}</li>
      </ul>
      <p>{text.devices}</p>
    </ConfirmDialog>
  );
}
